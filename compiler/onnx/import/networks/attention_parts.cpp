// Attention as matmul(softmax(matmul(scaled query, transposed key) + mask), value), which is recognised as one operator.
#include <algorithm>

#include "compiler/onnx/import/networks/attention.hpp"
#include "compiler/onnx/import/tensors/parts.hpp"

namespace webnn::compiler {

TensorId joined_along(ImportCall& c, std::vector<TensorId> given, std::int64_t axis) {
  std::erase_if(given, [](TensorId part) { return !part.valid(); });
  if (given.empty()) c.refuse("it has nothing to join");
  return parts::concatenated(c, given, c.axis(axis, c.rank(given[0])));
}

TensorId counting(ImportCall& c, OnnxType type, std::int64_t first, std::int64_t count) {
  const std::int64_t limit = max_dimension;
  const bool is_narrow = type == OnnxType::int32 && first >= -limit && first <= limit - count;
  return c.cast(parts::counted_up(c, is_narrow ? type : OnnxType::int64, count, first), type);
}

// ---- masks

void AttentionMask::allow(TensorId visible) {
  visible_ = visible_.valid() ? c_.make("logicalAnd"_op, {visible_, visible}) : visible;
}

void AttentionMask::add(TensorId bias) { bias_ = bias_.valid() ? c_.make("add"_op, {bias_, bias}) : bias; }

TensorId AttentionMask::key_numbers(OnnxType type) const { return counting(c_, type, 0, sizes_.keys); }

TensorId AttentionMask::query_numbers(OnnxType type, std::int64_t first) const {
  return c_.reshape(counting(c_, type, first, sizes_.queries), {sizes_.queries, 1});
}

void AttentionMask::allow_causal(std::int64_t first) {
  if (first + 1 >= sizes_.keys) return;  // already the first query sees all
  const OnnxType type = OnnxType::int32;
  allow(c_.make("lesserOrEqual"_op, {key_numbers(type), query_numbers(type, first)}));
}

TensorId AttentionMask::build(double hidden) {
  if (visible_.valid()) {
    const TensorId zero = c_.scalar(type_, 0), minus = c_.scalar(type_, hidden);
    const TensorId bias = c_.make("where"_op, {visible_, zero, minus});
    bias_ = bias_.valid() ? c_.make("add"_op, {bias_, bias}) : bias;
    visible_ = {};
  }
  return bias_;
}

// ---- heads

TensorId split_heads(ImportCall& c, TensorId x, std::int64_t heads) {
  const OnnxIntegers dims = c.dims(x);
  if (dims.size() != 3 || heads < 1 || dims[2] % heads != 0) c.refuse("its heads do not divide its features");
  return c.transpose(c.reshape(x, {dims[0], dims[1], heads, dims[2] / heads}), {0, 2, 1, 3});
}

TensorId query_heads(ImportCall& c, const AttentionSizes& sizes, TensorId x) {
  const OnnxIntegers dims = c.dims(x);
  if (c.count(x) == 0) c.refuse("its queries have no elements, and WebNN has no such tensors");
  const std::int64_t features = c.count(x) / (dims[0] * dims[1] * sizes.heads);
  if (!sizes.is_grouped()) return c.transpose(c.reshape(x, {dims[0], dims[1], sizes.heads, features}), {0, 2, 1, 3});
  x = c.reshape(x, {dims[0], dims[1], sizes.kv_heads, sizes.heads / sizes.kv_heads, features});
  return c.transpose(x, {0, 2, 3, 1, 4});
}

TensorId grouped_heads(ImportCall& c, const AttentionSizes& sizes, TensorId x) {
  if (!sizes.is_grouped()) return x;
  const OnnxIntegers dims = c.dims(x);
  return c.reshape(x, {dims[0], sizes.kv_heads, dims[1] / sizes.kv_heads, dims[2], dims[3]});
}

TensorId without_groups(ImportCall& c, const AttentionSizes& sizes, TensorId y) {
  if (!sizes.is_grouped()) return y;
  const OnnxIntegers dims = c.dims(y);
  return c.reshape(y, {dims[0], sizes.heads, dims[3], dims[4]});
}

TensorId joined_heads(ImportCall& c, const AttentionSizes& sizes, TensorId y) {
  const std::int64_t all = sizes.heads * c.dims(y).back();
  y = sizes.is_grouped() ? c.transpose(y, {0, 3, 1, 2, 4}) : c.transpose(y, {0, 2, 1, 3});
  return c.reshape(y, {sizes.batch, sizes.queries, all});
}

namespace {

/// A mask for the axis of groups.
TensorId grouped_mask(ImportCall& c, const AttentionSizes& sizes, TensorId mask) {
  if (!mask.valid() || !sizes.is_grouped() || c.rank(mask) < 3) return mask;
  OnnxIntegers dims = c.dims(mask);
  const std::size_t heads = dims.size() - 3;
  if (dims[heads] != 1) {
    if (dims[heads] != sizes.heads) c.refuse("its mask has neither one head nor as many as the queries");
    dims[heads] = sizes.kv_heads;
    dims.insert(dims.begin() + std::ptrdiff_t(heads) + 1, sizes.heads / sizes.kv_heads);
  } else {
    dims.insert(dims.begin() + std::ptrdiff_t(heads), 1);
  }
  return c.reshape(mask, dims);
}

/// softmax with one more score for each head, which then is left out.
TensorId weights_beside_sink(ImportCall& c, const AttentionCall& call, TensorId scores) {
  OnnxIntegers dims = c.dims(scores), one(dims.size(), 1);
  const std::int64_t keys = dims.back();
  if (c.count(call.sink) != 1 && c.count(call.sink) != call.sizes.heads)
    c.refuse("it does not have one more score for each head");
  one[1] = dims[1];
  if (call.sizes.is_grouped()) one[2] = dims[2];
  if (c.count(call.sink) == 1) std::ranges::fill(one, 1);
  dims.back() = 1;
  const TensorId sink = c.expand(c.reshape(call.sink, one), dims);
  const auto last = std::int64_t(dims.size()) - 1;
  const TensorId weights = c.make("softmax"_op, {joined_along(c, {scores, sink}, last)}, {{"axis", last}});
  return parts::sliced_at(c, weights, std::size_t(last), 0, keys);
}

}  // namespace

TensorId attend(ImportCall& c, const AttentionCall& call, AttentionStages* stages) {
  const TensorId mask = grouped_mask(c, call.sizes, call.mask);
  const std::int64_t last = c.rank(call.query) - 1;
  std::vector<std::uint32_t> swapped;
  for (std::int64_t axis = 0; axis <= last; ++axis) swapped.push_back(std::uint32_t(axis));
  std::swap(swapped[std::size_t(last)], swapped[std::size_t(last - 1)]);

  // The factor is on the queries, because float16 products might leave the range of their type.
  const TensorId query =
      call.scale == 1 ? call.query : c.make("mul"_op, {call.query, c.scalar_like(call.query, call.scale)});
  AttentionStages at;
  at.products = c.make("matmul"_op, {query, c.transpose(call.key, swapped)});
  at.capped = at.products;
  if (call.softcap > 0)
    at.capped = c.expression("mul(tanh(div(?x, ?c)), ?c)", {{{"x", at.products}, {"c", call.softcap}}});
  at.masked = mask.valid() ? c.make("add"_op, {at.capped, mask}) : at.capped;
  at.weights =
      call.sink.valid() ? weights_beside_sink(c, call, at.masked) : c.make("softmax"_op, {at.masked}, {{"axis", last}});
  TensorId y = c.make("matmul"_op, {at.weights, call.value});
  if (call.zero_hidden_rows && mask.valid()) {
    const std::int64_t keys = c.rank(mask) - 1;
    const TensorId most = c.make("reduceMax"_op, {mask}, {{"axes", OnnxIntegers{keys}}, {"keepDimensions", true}});
    const TensorId hidden = c.make("equal"_op, {most, c.scalar_like(most, -std::numeric_limits<double>::infinity())});
    y = c.make("where"_op, {hidden, c.scalar_like(y, 0), y});
    if (stages) at.weights = c.make("where"_op, {hidden, c.scalar_like(y, 0), at.weights});
  }
  if (stages) *stages = at;
  return y;
}

// ---- rotations

TensorId rotated(ImportCall& c, TensorId x, TensorId cosine, TensorId sine, bool interleaved) {
  const OnnxIntegers dims = c.dims(x);
  const std::int64_t half = c.dims(cosine).back(), features = dims[3];
  if (half < 1 || 2 * half > features || c.dims(sine) != c.dims(cosine))
    c.refuse("its cosines and sines do not fit to its features");
  const TensorId turned = parts::sliced_at(c, x, 3, 0, 2 * half);
  TensorId first, second;
  std::int64_t axis = 3;
  if (interleaved) {  // pairs are neighbours: they get an axis of their own
    axis = 4;
    const TensorId pairs = c.reshape(turned, {dims[0], dims[1], dims[2], half, 2});
    first = parts::sliced_at(c, pairs, 4, 0, 1);
    second = parts::sliced_at(c, pairs, 4, 1, 1);
    OnnxIntegers single = c.dims(cosine);
    single.push_back(1);
    cosine = c.reshape(cosine, single);
    sine = c.reshape(sine, single);
  } else {
    first = parts::sliced_at(c, turned, 3, 0, half);
    second = parts::sliced_at(c, turned, 3, half, half);
  }
  const auto product = [&](TensorId a, TensorId b) { return c.make("mul"_op, {a, b}); };
  const TensorId real = c.make("sub"_op, {product(first, cosine), product(second, sine)});
  const TensorId imaginary = c.make("add"_op, {product(first, sine), product(second, cosine)});
  TensorId y = joined_along(c, {real, imaginary}, axis);
  if (interleaved) y = c.reshape(y, c.dims(turned));
  return 2 * half == features ? y : joined_along(c, {y, parts::sliced_at(c, x, 3, 2 * half, features - 2 * half)}, 3);
}

}  // namespace webnn::compiler
