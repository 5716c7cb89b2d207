// Attention of ONNX Runtime: Attention, MultiHeadAttention, GroupQueryAttention and RotaryEmbedding of com.microsoft.
#include <algorithm>
#include <cmath>

#include "compiler/onnx/import/networks/attention.hpp"
#include "compiler/onnx/import/networks/normalization.hpp"
#include "compiler/onnx/import/tensors/parts.hpp"

namespace webnn::compiler {
namespace {

using enum OnnxType;

void need_rank(ImportCall& c, TensorId x, std::int64_t rank, std::string what) {
  if (c.rank(x) != rank || c.count(x) == 0)
    c.refuse(what + " has " + std::to_string(c.rank(x)) + " dimensions or no elements, expected " +
             std::to_string(rank) + " dimensions");
}

/// Keys that are not padding, by any of the forms of a mask of integers.
void allow_by_mask(ImportCall& c, AttentionMask& mask, const AttentionSizes& sizes, TensorId given) {
  const OnnxIntegers dims = c.dims(given);
  const auto nonzero = [&] { return c.make("notEqual"_op, {given, c.scalar_like(given, 0)}); };
  if (dims == OnnxIntegers{sizes.batch, sizes.keys})
    return mask.allow(c.reshape(nonzero(), {sizes.batch, 1, 1, sizes.keys}));
  if (dims == OnnxIntegers{sizes.batch, sizes.queries, sizes.keys})
    return mask.allow(c.reshape(nonzero(), {sizes.batch, 1, sizes.queries, sizes.keys}));
  if (dims == OnnxIntegers{sizes.batch, 1, sizes.queries, sizes.keys}) return mask.allow(nonzero());
  const auto by_batch = [&](std::int64_t first) {
    return c.reshape(parts::sliced_at(c, given, 0, first, sizes.batch), {sizes.batch, 1, 1, 1});
  };
  const bool has_starts = dims == OnnxIntegers{2 * sizes.batch};
  if (!has_starts && dims != OnnxIntegers{sizes.batch}) c.refuse("its mask has a form that is not supported");
  mask.allow(c.make("lesser"_op, {mask.key_numbers(c.type(given)), by_batch(0)}));
  if (has_starts) mask.allow(c.make("greaterOrEqual"_op, {mask.key_numbers(c.type(given)), by_batch(sizes.batch)}));
}

/// What Attention and MultiHeadAttention do once their heads are known. The queries have one group for each head.
struct MicrosoftAttention {
  AttentionSizes sizes;
  TensorId query, key, value;  // [batch, heads, tokens, features]
  TensorId mask, bias;         // inputs of the node; may be absent
  std::int64_t past = 0;
};

/// The last query sees all keys, however many there are; those before it see the past and the tokens up to their own.
void allow_unidirectional(ImportCall& c, AttentionMask& mask, const AttentionSizes& sizes, std::int64_t past) {
  if (past + sizes.queries == sizes.keys) return mask.allow_causal(past);
  if (sizes.queries == 1) return;
  const TensorId last =
      joined_along(c, {counting(c, int32, past, sizes.queries - 1), counting(c, int32, sizes.keys - 1, 1)}, 0);
  mask.allow(c.make("lesserOrEqual"_op, {mask.key_numbers(int32), c.reshape(last, {sizes.queries, 1})}));
}

void finish_attention(ImportCall& c, const MicrosoftAttention& a) {
  for (const TensorId part : {a.query, a.key, a.value}) need_rank(c, part, 4, "a part of its input");
  AttentionMask mask(c, c.type(a.query), a.sizes);
  if (a.mask.valid()) allow_by_mask(c, mask, a.sizes, a.mask);
  if (c.flag("unidirectional")) allow_unidirectional(c, mask, a.sizes, a.past);
  if (a.bias.valid()) mask.add(a.bias);
  const double features = double(c.dims(a.query)[3]), scale = c.real("scale", 0);
  const TensorId y = attend(c, {.sizes = a.sizes,
                                .query = a.query,
                                .key = a.key,
                                .value = a.value,
                                .mask = mask.build(c.real("mask_filter_value", -10000)),
                                .scale = scale == 0 ? 1 / std::sqrt(features) : scale});
  c.finish(joined_heads(c, a.sizes, y));
}

/// Sizes from queries and keys, [batch, heads, tokens, features].
AttentionSizes sizes_of(ImportCall& c, TensorId query, TensorId key) {
  need_rank(c, query, 4, "its query");
  need_rank(c, key, 4, "its key");
  const OnnxIntegers& dims = c.dims(query);
  return {dims[0], dims[1], c.dims(key)[1], dims[2], c.dims(key)[2]};
}

}  // namespace

void read_microsoft_attention(ImportCall& c) {
  const TensorId x = c.input(0), weights = c.input(1);
  need_rank(c, x, 3, "its input");
  need_rank(c, weights, 2, "its weight");
  if (c.flag("do_rotary")) c.refuse("its rotation of positions is not supported");
  if (c.flag("past_present_share_buffer")) c.refuse("its past and present values share a buffer");
  const std::int64_t heads = c.integer("num_heads"), all = c.dims(weights)[1];
  OnnxIntegers parts = c.integers("qkv_hidden_sizes");
  if (parts.empty()) parts.assign(3, all / 3);
  if (parts.size() != 3 || std::ranges::min(parts) < 1 || parts[0] > all || parts[1] > all || parts[2] > all ||
      parts[0] + parts[1] + parts[2] != all)
    c.refuse("its weights are not those of queries, keys and values");
  TensorId joined = c.make("matmul"_op, {x, weights});
  if (c.has(2)) joined = c.make("add"_op, {joined, c.input(2)});
  const auto part = [&](std::int64_t first, std::int64_t size) {
    return split_heads(c, parts::sliced_at(c, joined, 2, first, size), heads);
  };
  MicrosoftAttention a;
  a.query = part(0, parts[0]);
  a.key = part(parts[0], parts[1]);
  a.value = part(parts[0] + parts[1], parts[2]);
  if (c.has(4)) {
    const TensorId past = c.input(4);
    if (c.rank(past) != 5 || c.dims(past)[0] != 2) c.refuse("its past is not that of keys and values");
    const OnnxIntegers dims(c.dims(past).begin() + 1, c.dims(past).end());
    a.past = dims[2];
    if (c.count(past) != 0) {
      a.key = joined_along(c, {c.reshape(parts::sliced_at(c, past, 0, 0, 1), dims), a.key}, 2);
      a.value = joined_along(c, {c.reshape(parts::sliced_at(c, past, 0, 1, 1), dims), a.value}, 2);
    }
  }
  if (c.wants(1)) {
    const auto stacked = [&](TensorId y) {
      OnnxIntegers dims = c.dims(y);
      dims.insert(dims.begin(), 1);
      return c.reshape(y, dims);
    };
    c.finish(1, joined_along(c, {stacked(a.key), stacked(a.value)}, 0));
  }
  a.sizes = sizes_of(c, a.query, a.key);
  a.mask = c.optional(3);
  a.bias = c.optional(5);
  finish_attention(c, a);
}

void read_multi_head_attention(ImportCall& c) {
  TensorId query = c.input(0), key = c.optional(1), value = c.optional(2);
  const std::int64_t heads = c.integer("num_heads");
  if (c.has(8) || c.has(9)) c.refuse("its past and present values share a buffer");
  const auto unpacked = [&](TensorId packed, std::int64_t parts, std::int64_t index) {
    const OnnxIntegers dims = c.dims(packed);
    if (dims.size() != 5 || dims[3] != parts) c.refuse("its packed input does not have the form that is expected");
    return c.reshape(parts::sliced_at(c, packed, 3, index, 1), {dims[0], dims[1], dims[2] * dims[4]});
  };
  if (c.rank(query) == 5) {
    const TensorId packed = query;
    query = unpacked(packed, 3, 0);
    key = unpacked(packed, 3, 1);
    value = unpacked(packed, 3, 2);
  } else if (key.valid() && c.rank(key) == 5) {
    const TensorId packed = key;
    key = unpacked(packed, 2, 0);
    value = unpacked(packed, 2, 1);
  }
  if (!key.valid() || !value.valid()) c.refuse("it has no keys or no values");
  need_rank(c, query, 3, "its query");
  if (c.has(3)) {  // of queries, keys and values
    const TensorId bias = c.input(3);
    const std::int64_t hidden = c.dims(query)[2];
    if (c.rank(key) != 3 || c.rank(value) != 3 || c.rank(bias) != 1 ||
        c.count(bias) != hidden + c.dims(key)[2] + c.dims(value)[2])
      c.refuse("its bias is not one of queries, keys and values");
    const auto with_bias = [&](TensorId x, std::int64_t first) {
      return c.make("add"_op, {x, parts::sliced_at(c, bias, 0, first, c.dims(x)[2])});
    };
    value = with_bias(value, hidden + c.dims(key)[2]);
    key = with_bias(key, hidden);
    query = with_bias(query, 0);
  }
  MicrosoftAttention a;
  const auto by_heads = [&](TensorId x) { return c.rank(x) == 4 ? x : split_heads(c, x, heads); };
  a.query = by_heads(query);
  a.key = by_heads(key);
  a.value = by_heads(value);
  if (c.has(6) != c.has(7)) c.refuse("it has past keys without past values, or the reverse");
  if (c.has(6)) {
    if (c.rank(c.input(6)) != 4) c.refuse("its past keys do not have four dimensions");
    a.past = c.dims(c.input(6))[2];
    a.key = joined_along(c, {c.input(6), a.key}, 2);
    a.value = joined_along(c, {c.input(7), a.value}, 2);
  }
  c.finish(1, a.key);
  c.finish(2, a.value);
  a.sizes = sizes_of(c, a.query, a.key);
  a.mask = c.optional(4);
  a.bias = c.optional(5);
  finish_attention(c, a);
}

namespace {

/// GroupQueryAttention with its caches. Where the keys and values of past and present have the same length, new ones are
/// written to the places that `seqlens_k` gives; otherwise they follow the old ones.
class GroupQuery {
 public:
  explicit GroupQuery(ImportCall& c) : c_(c) {
    for (const std::string_view name : {"k_quant_type", "v_quant_type"})
      if (c.text(name, "NONE") != "NONE") c.refuse("its caches are quantised");
    if (c.flag("sliding_window_cache")) c.refuse("its caches forget old tokens");
    if (c.wants(3)) c.refuse("its scores as a result are not supported");
    sizes_.heads = c.integer("num_heads");
    sizes_.kv_heads = c.integer("kv_num_heads");
    if (sizes_.heads < 1 || sizes_.kv_heads < 1 || sizes_.heads > max_dimension || sizes_.heads % sizes_.kv_heads != 0)
      c.refuse("its heads of keys and values do not divide those of its queries");
    unpack();
    sizes_.batch = c.dims(query_)[0];
    sizes_.queries = c.dims(query_)[1];
    features_ = c.dims(query_)[3];
    set_places();
  }

  void finish() {
    normalize();
    if (c_.flag("do_rotary")) rotate();
    key_ = c_.transpose(key_, {0, 2, 1, 3});
    value_ = c_.transpose(value_, {0, 2, 1, 3});
    if (is_shared_) {
      key_ = written(c_.input(3), key_);
      value_ = written(c_.input(4), value_);
    } else if (has_past_) {
      key_ = joined_along(c_, {c_.input(3), key_}, 2);
      value_ = joined_along(c_, {c_.input(4), value_}, 2);
    }
    c_.finish(1, key_);
    c_.finish(2, value_);
    sizes_.keys = c_.dims(key_)[2];

    AttentionMask mask(c_, c_.type(query_), sizes_);
    const std::int64_t window = std::min<std::int64_t>(c_.integer("local_window_size", -1), max_dimension);
    if (!c_.flag("causal", true)) {
      if (is_shared_ || sizes_.batch > 1) c_.refuse("it is not causal, and its sequences may differ in length");
    } else if (is_shared_) {
      const TensorId queries = c_.reshape(places_, {sizes_.batch, 1, sizes_.queries, 1});
      mask.allow(c_.make("lesserOrEqual"_op, {mask.key_numbers(int32), queries}));
      if (window >= 0)
        mask.allow(
            c_.make("greater"_op, {mask.key_numbers(int32), c_.make("sub"_op, {queries, c_.scalar(int32, window)})}));
    } else {
      mask.allow_causal(past_);
      if (window >= 0 && window < sizes_.keys)
        mask.allow(c_.make("greater"_op, {mask.key_numbers(int32), mask.query_numbers(int32, past_ - window)}));
    }
    if (c_.has(10)) mask.add(c_.input(10));
    const double scale = c_.real("scale", 0);
    TensorId sink = c_.optional(11);
    if (!sink.valid() && c_.integer("smooth_softmax", 0) == 1) sink = c_.scalar_like(query_, 0);
    const TensorId y = attend(c_, {.sizes = sizes_,
                                   .query = query_heads(c_, sizes_, query_),
                                   .key = grouped_heads(c_, sizes_, key_),
                                   .value = grouped_heads(c_, sizes_, value_),
                                   .mask = mask.build(),
                                   .sink = sink,
                                   .scale = scale == 0 ? 1 / std::sqrt(double(features_)) : scale,
                                   .softcap = c_.real("softcap", 0)});
    c_.finish(joined_heads(c_, sizes_, y));
  }

 private:
  /// [batch, tokens, heads, features], from separate inputs or one.
  void unpack() {
    TensorId query = c_.input(0), key = c_.optional(1), value = c_.optional(2);
    need_rank(c_, query, 3, "its query");
    if (!key.valid()) {
      const std::int64_t all = sizes_.heads + 2 * sizes_.kv_heads, width = c_.dims(query)[2];
      if (width % all != 0) c_.refuse("its heads do not divide its features");
      const std::int64_t each = width / all;
      key = parts::sliced_at(c_, query, 2, sizes_.heads * each, sizes_.kv_heads * each);
      value = parts::sliced_at(c_, query, 2, (sizes_.heads + sizes_.kv_heads) * each, sizes_.kv_heads * each);
      query = parts::sliced_at(c_, query, 2, 0, sizes_.heads * each);
    }
    if (!value.valid()) c_.refuse("it has no values");
    const auto by_head = [&](TensorId x, std::int64_t heads) {
      need_rank(c_, x, 3, "a part of its input");
      const OnnxIntegers dims = c_.dims(x);
      if (dims[2] % heads != 0 || dims[0] != c_.dims(query)[0] || dims[1] != c_.dims(query)[1])
        c_.refuse("its queries, keys and values do not fit together");
      return c_.reshape(x, {dims[0], dims[1], heads, dims[2] / heads});
    };
    query_ = by_head(query, sizes_.heads);
    key_ = by_head(key, sizes_.kv_heads);
    value_ = by_head(value, sizes_.kv_heads);
    if (c_.dims(query_)[3] != c_.dims(key_)[3]) c_.refuse("its queries and keys differ in features");
  }

  /// The places of the new tokens in their sequences: [batch, queries], or past_ and following.
  void set_places() {
    if (c_.has(3) != c_.has(4)) c_.refuse("it has past keys without past values, or the reverse");
    has_past_ = c_.has(3) && c_.count(c_.input(3)) != 0;
    if (!has_past_) {
      places_ = counting(c_, int32, 0, sizes_.queries);
      return;
    }
    const OnnxIntegers past = c_.dims(c_.input(3));
    if (past.size() != 4 || past[0] != sizes_.batch || past[1] != sizes_.kv_heads || past[3] != features_)
      c_.refuse("its past keys do not fit to its keys");
    past_ = past[2];
    const TensorId total = c_.input(6);
    // Without a number, as in models whose caches have their full length from the start.
    is_shared_ = !c_.is_known(total) || c_.known_number(total, "its total length").as_int64() != past_ + sizes_.queries;
    if (!is_shared_) {
      if (sizes_.batch > 1)
        c_.refuse("its sequences may differ in length", "caches of full length, or a batch of 1, can be read");
      places_ = counting(c_, int32, past_, sizes_.queries);
      return;
    }
    const TensorId last = c_.cast(c_.input(5), int32);
    if (c_.count(last) != sizes_.batch) c_.refuse("it does not have one length for each of its batch");
    const TensorId first = c_.make(
        "max"_op, {c_.make("add"_op, {c_.reshape(last, {sizes_.batch, 1}), c_.scalar(int32, 1 - sizes_.queries)}),
                   c_.scalar(int32, 0)});
    places_ = c_.make("add"_op, {first, counting(c_, int32, 0, sizes_.queries)});
  }

  /// Root mean squares by head, in models with such inputs.
  void normalize() {
    if (c_.has(14) != c_.has(15)) c_.refuse("it has a norm of queries without one of keys, or the reverse");
    if (!c_.has(14)) return;
    const double epsilon = c_.real("qk_norm_epsilon", 1e-6);
    query_ = c_.make("mul"_op, {rms_normalized(c_, query_, 3, epsilon, float32), c_.input(14)});
    key_ = c_.make("mul"_op, {rms_normalized(c_, key_, 3, epsilon, float32), c_.input(15)});
  }

  void rotate() {
    const TensorId places = c_.has(9) ? c_.input(9) : places_;
    const auto rows = [&](TensorId cache) {
      need_rank(c_, cache, 2, "its cosines or sines");
      const std::int64_t half = c_.dims(cache)[1];
      if (!c_.has(9) && !is_shared_ && past_ + sizes_.queries <= c_.dims(cache)[0])
        return c_.reshape(parts::sliced_at(c_, cache, 0, past_, sizes_.queries), {1, sizes_.queries, 1, half});
      const TensorId found = c_.make("gather"_op, {cache, places});
      if (c_.count(found) % (sizes_.queries * half) != 0) c_.refuse("its positions do not fit to its queries");
      return c_.reshape(found, {c_.count(found) / (sizes_.queries * half), sizes_.queries, 1, half});
    };
    const TensorId cosine = rows(c_.input(7)), sine = rows(c_.input(8));
    const bool interleaved = c_.flag("rotary_interleaved");
    query_ = rotated(c_, query_, cosine, sine, interleaved);
    key_ = rotated(c_, key_, cosine, sine, interleaved);
  }

  /// The cache with the new tokens at their places.
  TensorId written(TensorId cache, TensorId added) {
    const OnnxIntegers& dims = c_.dims(added);
    const OnnxIntegers all{dims[0], dims[1], dims[2], 1};
    const auto along = [&](std::size_t axis) {
      OnnxIntegers sizes(4, 1);
      sizes[axis] = dims[axis];
      return c_.expand(c_.reshape(counting(c_, int32, 0, dims[axis]), sizes), all);
    };
    const TensorId places = c_.expand(c_.reshape(places_, {dims[0], 1, dims[2], 1}), all);
    return c_.make("scatterND"_op, {cache, joined_along(c_, {along(0), along(1), places}, 3), added});
  }

  ImportCall& c_;
  AttentionSizes sizes_;
  TensorId query_, key_, value_, places_;
  std::int64_t past_ = 0, features_ = 0;
  bool has_past_ = false, is_shared_ = false;
};

}  // namespace

void read_group_query_attention(ImportCall& c) { GroupQuery(c).finish(); }

/// Positions are those of all tokens, or that of the first one.
void read_microsoft_rotary_embedding(ImportCall& c) {
  const TensorId x = c.input(0), places = c.input(1), cosine = c.input(2), sine = c.input(3);
  if (c.flag("is_packed_batching")) c.refuse("its batch is packed");
  if (c.real("scale", 1) != 1) c.refuse("its scale is not supported");
  need_rank(c, cosine, 2, "its cosine");
  need_rank(c, sine, 2, "its sine");
  const OnnxIntegers dims = c.dims(x);
  const bool flat = dims.size() == 3;
  if ((!flat && dims.size() != 4) || c.count(x) == 0) c.refuse("its input does not have three or four dimensions");
  const std::int64_t half = c.dims(cosine)[1], tokens = dims[flat ? 1 : 2];
  std::int64_t heads = c.integer("num_heads", 0);
  if (flat && heads == 0) heads = dims[2] / (2 * half);
  if (flat && (heads < 1 || dims[2] % heads != 0)) c.refuse("its heads do not divide its features");
  TensorId numbers = places;
  if (c.count(places) == 1 && tokens != 1)
    numbers = c.make("add"_op, {c.reshape(places, {1, 1}), counting(c, c.type(places), 0, tokens)});
  if (c.count(numbers) % tokens != 0) c.refuse("its positions do not fit to its input");
  const auto rows = [&](TensorId cache) {
    const std::int64_t batch = c.count(numbers) / tokens;
    return c.reshape(c.make("gather"_op, {cache, numbers}),
                     flat ? OnnxIntegers{batch, tokens, 1, half} : OnnxIntegers{batch, 1, tokens, half});
  };
  const TensorId by_head = flat ? c.reshape(x, {dims[0], dims[1], heads, dims[2] / heads}) : x;
  c.finish(c.reshape(rotated(c, by_head, rows(cosine), rows(sine), c.flag("interleaved")), dims));
}

}  // namespace webnn::compiler
