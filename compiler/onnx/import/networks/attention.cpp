// Attention and RotaryEmbedding of ai.onnx.
#include "compiler/onnx/import/networks/attention.hpp"

#include <algorithm>
#include <cmath>

namespace webnn::compiler {
namespace {

using enum OnnxType;

/// Behind the last keys of a mask that has fewer: they are not seen.
TensorId with_all_keys(ImportCall& c, TensorId mask, std::int64_t keys) {
  const OnnxIntegers dims = c.dims(mask);
  if (dims.empty() || dims.back() >= keys || dims.back() == 1) return mask;
  OnnxIntegers begin(dims.size(), 0), end = begin;
  end.back() = keys - dims.back();
  const Number value = c.type(mask) == boolean ? Number(0) : Number(-std::numeric_limits<double>::infinity());
  return c.make("pad"_op, {mask}, {{"beginningPadding", begin}, {"endingPadding", end}, {"value", value}});
}

void read_attention(ImportCall& c) {
  const TensorId q = c.input(0);
  TensorId k = c.input(1), v = c.input(2);
  const bool flat = c.rank(q) == 3;
  if (c.rank(k) != c.rank(q) || c.rank(v) != c.rank(q) || (!flat && c.rank(q) != 4))
    c.refuse("its queries, keys and values do not have three or four dimensions each");
  AttentionSizes sizes;
  if (flat) {
    sizes.heads = c.integer("q_num_heads");
    sizes.kv_heads = c.integer("kv_num_heads");
    if (sizes.heads < 1 || c.dims(q)[2] % sizes.heads != 0) c.refuse("its heads do not divide its features");
    k = split_heads(c, k, sizes.kv_heads);
    v = split_heads(c, v, sizes.kv_heads);
  } else {
    sizes.heads = c.dims(q)[1];
    sizes.kv_heads = c.dims(k)[1];
  }
  if (sizes.kv_heads < 1 || sizes.heads % sizes.kv_heads != 0 || c.dims(v)[1] != sizes.kv_heads)
    c.refuse("its heads of keys and values do not divide those of its queries");
  std::int64_t past = 0;
  if (c.has(4) != c.has(5)) c.refuse("it has past keys without past values, or the reverse");
  if (c.has(4)) {
    if (c.rank(c.input(4)) != 4) c.refuse("its past keys do not have four dimensions");
    past = c.dims(c.input(4))[2];
    k = joined_along(c, {c.input(4), k}, 2);
    v = joined_along(c, {c.input(5), v}, 2);
  }
  c.finish(1, k);
  c.finish(2, v);
  sizes.batch = c.dims(q)[0];
  sizes.queries = c.dims(q)[flat ? 1 : 2];
  sizes.keys = c.dims(k)[2];
  const std::int64_t features = flat ? c.dims(q)[2] / sizes.heads : c.dims(q)[3];

  AttentionMask mask(c, c.type(q), sizes);
  bool may_hide_rows = false;
  TensorId lengths;  // of the keys, by batch
  if (c.has(6)) {
    if (c.count(c.input(6)) != sizes.batch) c.refuse("it does not have one length for each of its batch");
    lengths = c.reshape(c.input(6), {sizes.batch, 1, 1, 1});
    mask.allow(c.make("lesser"_op, {mask.key_numbers(c.type(lengths)), lengths}));
    may_hide_rows = true;
  }
  // Beyond all keys a window hides none.
  const std::int64_t widest = sizes.keys + sizes.queries;
  const std::int64_t left = std::min(c.integer("left_window_size", -1), widest),
                     right = std::min(c.integer("right_window_size", -1), widest);
  const bool causal = c.flag("is_causal");
  if (lengths.valid() && (causal || left >= 0 || right >= 0)) {
    const OnnxType type = c.type(lengths);  // the last query is at the last key
    const TensorId queries = c.make("add"_op, {lengths, mask.query_numbers(type, -sizes.queries)});
    const auto moved = [&](std::int64_t by) { return c.make("add"_op, {queries, c.scalar(type, by)}); };
    if (causal) mask.allow(c.make("lesserOrEqual"_op, {mask.key_numbers(type), queries}));
    if (left >= 0) mask.allow(c.make("greaterOrEqual"_op, {mask.key_numbers(type), moved(-left)}));
    if (right >= 0) mask.allow(c.make("lesserOrEqual"_op, {mask.key_numbers(type), moved(right)}));
  } else {
    if (causal) mask.allow_causal(past);
    const auto queries = [&](std::int64_t by) { return mask.query_numbers(int64, past + by); };
    if (left >= 0) mask.allow(c.make("greaterOrEqual"_op, {mask.key_numbers(int64), queries(-left)}));
    if (right >= 0) mask.allow(c.make("lesserOrEqual"_op, {mask.key_numbers(int64), queries(right)}));
    may_hide_rows = may_hide_rows || left >= 0 || right >= 0;
  }
  if (c.has(3)) {
    const TensorId given = with_all_keys(c, c.input(3), sizes.keys);
    if (c.rank(given) > 4) c.refuse("its mask has more than four dimensions");
    if (c.type(given) == boolean)
      mask.allow(given);
    else
      mask.add(c.cast(given, c.type(q)));
    may_hide_rows = true;
  }

  AttentionCall call{.sizes = sizes,
                     .query = flat ? query_heads(c, sizes, q) : grouped_heads(c, sizes, q),
                     .key = grouped_heads(c, sizes, k),
                     .value = grouped_heads(c, sizes, v),
                     .mask = mask.build()};
  call.scale = c.has_attribute("scale") ? c.real("scale") : 1 / std::sqrt(double(features));
  call.softcap = c.real("softcap", 0);
  call.zero_hidden_rows = may_hide_rows;
  AttentionStages stages;
  const TensorId y = attend(c, call, c.wants(3) ? &stages : nullptr);
  c.finish(flat ? joined_heads(c, sizes, y) : without_groups(c, sizes, y));
  if (!c.wants(3)) return;
  const TensorId by_mode[] = {stages.products, stages.capped, stages.masked, stages.weights};
  const std::int64_t mode = c.integer("qk_matmul_output_mode", 0);
  if (mode < 0 || mode > 3) c.refuse("its qk_matmul_output_mode is unknown");
  c.finish(3, without_groups(c, sizes, by_mode[mode]));
}

void read_rotary_embedding(ImportCall& c) {
  const TensorId x = c.input(0);
  TensorId cosine = c.input(1), sine = c.input(2);
  const OnnxIntegers dims = c.dims(x);
  const bool flat = dims.size() == 3;
  if (!flat && dims.size() != 4) c.refuse("its input does not have three or four dimensions");
  if (c.has(3)) {
    cosine = c.make("gather"_op, {cosine, c.input(3)});
    sine = c.make("gather"_op, {sine, c.input(3)});
  }
  if (c.rank(cosine) != 3 || c.rank(sine) != 3) c.refuse("its cosines and sines do not have one row for each token");
  const std::int64_t heads = c.integer("num_heads", 0), turned = c.integer("rotary_embedding_dim", 0);
  if (flat && (heads < 1 || dims[2] % heads != 0)) c.refuse("its heads do not divide its features");
  const OnnxIntegers by_head = flat ? OnnxIntegers{dims[0], dims[1], heads, dims[2] / heads} : dims;
  if (2 * c.dims(cosine)[2] != (turned > 0 ? turned : by_head[3]))
    c.refuse("its cosines do not fit to the features that are rotated");
  const auto placed = [&](TensorId rows) {  // beside the heads
    const OnnxIntegers sizes = c.dims(rows);
    return c.reshape(
        rows, flat ? OnnxIntegers{sizes[0], sizes[1], 1, sizes[2]} : OnnxIntegers{sizes[0], 1, sizes[1], sizes[2]});
  };
  const TensorId y = rotated(c, c.reshape(x, by_head), placed(cosine), placed(sine), c.flag("interleaved"));
  c.finish(c.reshape(y, dims));
}

constexpr OnnxImportRow attention_import_rows[] = {
    {.op_type = "Attention", .read = read_attention},
    {.op_type = "RotaryEmbedding", .read = read_rotary_embedding},
};

}  // namespace

std::span<const OnnxImportRow> import_attention_rows() { return attention_import_rows; }

}  // namespace webnn::compiler
