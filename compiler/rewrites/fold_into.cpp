// Folds linear operators with constants behind a convolution or matrix product into its filter and bias. The constant
// parts are operators again; the pass `fold_into` computes them.
//
// Legend as in simplify.cpp. ?f is conv2d or convTranspose2d with its attributes, ?w its filter, ?b its bias.
//
// Results differ from the unfolded ones by rounding: products are scaled before they are summed.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#include "compiler/rewrites/guards.hpp"
#include "compiler/rewrites/rewrite.hpp"
#include "schema/elements/elements.hpp"
#include "schema/elements/half.hpp"

namespace webnn::compiler {
namespace {

/// Larger weights would not be computed at compile time.
constexpr std::size_t most_weight_bytes = std::size_t{1} << 26;

const Node& producer(const Match& match, std::size_t call) { return match.graph().node(match.nodes()[call]); }

/// Whether ?c, with the result's rank, has the result's size along `axis` and 1 along all other axes, or 1 everywhere.
/// Returns this size.
std::optional<std::int64_t> size_along(const Match& match, unsigned axis) {
  const Shape& result = match.graph().value(producer(match, 0).outputs[0]).descriptor.shape;
  const Shape& c = match.descriptor("c").shape;
  if (c.rank() > result.rank() || byte_length(match.descriptor("w")) > most_weight_bytes) return std::nullopt;
  const unsigned missing = result.rank() - c.rank();
  std::int64_t size = 1;
  for (unsigned i = 0; i < c.rank(); ++i) {
    if (c[i] == 1) continue;
    if (i + missing != axis || c[i] != result[axis]) return std::nullopt;
    size = c[i];
  }
  return size;
}

/// ?n and ?k: the shapes of ?c as a bias and with the filter's rank; ?o: one element for each output channel.
bool per_channel(Match& match) {
  const auto size = size_along(match, 1);
  if (!size) return false;
  const Node& convolution = producer(match, 1);
  const bool transposed = convolution.op == "convTranspose2d"_op;
  const auto operands = match.graph().operands(match.nodes()[1]);
  if (transposed && *size != 1 && OperatorCall(convolution.op, operands, convolution.attributes).u32("groups") != 1)
    return false;  // the filter has only the channels of one group
  match.set_attribute("n", IntegerList{*size});
  match.set_attribute("k", transposed ? IntegerList{1, *size, 1, 1} : IntegerList{*size, 1, 1, 1});
  match.set_attribute("o", IntegerList{match.graph().value(convolution.outputs[0]).descriptor.shape[1]});
  return true;
}

bool per_channel_without_bias(Match& match) { return !match.value("b").valid() && per_channel(match); }

/// The axis of a matrix along which the columns of the result are.
unsigned column_axis(const Match& match) {
  const AttributeValue* const swapped = match.attribute("t");
  return swapped && std::get<bool>(*swapped) ? 0 : match.descriptor("w").shape.rank() - 1;
}

/// ?n: ?c as a row; ?k: with the axes of the weights, whose last axis is the result's unless ?t swaps them.
bool per_column(Match& match) {
  const Shape& result = match.graph().value(producer(match, 0).outputs[0]).descriptor.shape;
  const auto size = size_along(match, result.rank() - 1);
  if (!size) return false;
  match.set_attribute("n", IntegerList{*size});
  match.set_attribute("k", column_axis(match) == 0 ? IntegerList{*size, 1} : IntegerList{1, *size});
  return true;
}

double element_of_c(const Match& match, std::uint64_t i) {
  const Value& c = match.graph().value(match.value("c"));
  return load_element(c.descriptor.type, c.data.view().data(), i).as_double();
}

/// The greatest magnitude of the float32 weights ?w for each index along an axis; infinity where one is NaN.
std::vector<double> greatest_along(const Match& match, unsigned axis) {
  const Value& weights = match.graph().value(match.value("w"));
  const Shape& shape = weights.descriptor.shape;
  std::uint64_t inner = 1;
  for (unsigned i = axis + 1; i < shape.rank(); ++i) inner *= shape[i];
  // As integers, magnitudes have the same order. A NaN is above infinity.
  std::vector<std::int32_t> greatest(shape[axis]);
  const std::byte* from = weights.data.view().data();
  const auto take = [&](std::int32_t& most) {
    std::int32_t bits;
    std::memcpy(&bits, from, sizeof bits);
    from += sizeof bits;
    most = std::max(most, bits & 0x7fffffff);
  };
  for (std::uint64_t left = element_count(shape); left > 0; left -= greatest.size() * inner)
    for (std::int32_t& most : greatest)
      for (std::uint64_t i = 0; i < inner; ++i) take(most);
  std::vector<double> result;
  for (const std::int32_t bits : greatest) {
    const auto magnitude = std::bit_cast<float>(bits);
    result.push_back(std::isnan(magnitude) ? INFINITY : double(magnitude));
  }
  return result;
}

/// Whether weights whose greatest magnitude is `greatest` keep their digits when they are multiplied by `factor`: also
/// those that are smaller than the greatest by as much as it has digits stay normal numbers, if they were. An infinity
/// among them would make sums NaN that are not NaN when the sum itself is multiplied.
bool keeps_digits(double greatest, double factor) {
  constexpr double least_greatest = 0x1p-126 * 0x1p24;
  const double product = greatest * factor;
  if (!(product <= 0x1.fffffep127)) return false;  // NaN neither: 0 * infinity
  return product >= least_greatest || factor >= 1 || product == 0;
}

/// Whether weights may be multiplied or divided by ?c instead of the sums. Each index along `axis` of the weights has sums
/// of its own. Float16 weights would be rounded once more, by as much as the sum itself.
bool takes_factor(const Match& match, unsigned axis, bool divides) {
  if (match.descriptor("w").type != DataType::float32) return false;
  if (!match.facts().may_read(element_count(match.descriptor("w").shape))) return false;
  const std::vector<double> greatest = greatest_along(match, axis);
  const std::uint64_t count = element_count(match.descriptor("c").shape);
  if (count != 1 && count != greatest.size()) return false;
  for (std::size_t i = 0; i < greatest.size(); ++i) {
    const double c = std::abs(element_of_c(match, count == 1 ? 0 : i));
    if (!keeps_digits(greatest[i], divides ? 1 / c : c)) return false;
  }
  return true;
}

/// The axis of a filter along which the output channels are.
unsigned channel_axis(const Match& match) { return producer(match, 1).op == "convTranspose2d"_op ? 1 : 0; }
bool channels_times_c(const Match& match) { return takes_factor(match, channel_axis(match), false); }
bool channels_by_c(const Match& match) { return takes_factor(match, channel_axis(match), true); }

/// Whether an addend may be added to the bias instead of the sum. A float16 bias would be rounded once more, relative
/// to its own magnitude, which the sum may cancel.
bool takes_addend(const Match& match) { return match.descriptor("b").type == DataType::float32; }

bool channel_addend(Match& match) { return per_channel(match) && takes_addend(match); }
bool channel_factor(Match& match) { return per_channel(match) && channels_times_c(match); }
bool channel_factor_without_bias(Match& match) { return per_channel_without_bias(match) && channels_times_c(match); }
bool channel_divisor(Match& match) { return per_channel(match) && channels_by_c(match); }
bool channel_divisor_without_bias(Match& match) { return per_channel_without_bias(match) && channels_by_c(match); }
bool column_factor(Match& match) { return per_column(match) && takes_factor(match, column_axis(match), false); }
bool column_divisor(Match& match) { return per_column(match) && takes_factor(match, column_axis(match), true); }

/// ?c broadcasts to the result without enlarging it.
bool is_addend(Match& match) {
  const Shape& result = match.graph().value(producer(match, 0).outputs[0]).descriptor.shape;
  return match.descriptor("c").shape.rank() <= 2 &&
         result == match.graph().value(producer(match, 1).outputs[0]).descriptor.shape;
}

bool addend_to_bias(Match& match) { return is_addend(match) && takes_addend(match); }

constexpr Rewrite fold_into_rows[] = {
    // factors of convolutions
    {"convolution_mul", "mul(?f:convolution(?x, ?w:constant, ?b:constant), ?c:constant)",
     "?f(?x, mul(?w, reshape(?c) {newShape=?k}), mul(?b, reshape(?c) {newShape=?n}))", channel_factor},
    {"convolution_mul_no_bias", "mul(?f:convolution(?x, ?w:constant, ?b:optional), ?c:constant)",
     "?f(?x, mul(?w, reshape(?c) {newShape=?k}), ?b)", channel_factor_without_bias},
    {"convolution_div", "div(?f:convolution(?x, ?w:constant, ?b:constant), ?c:constant)",
     "?f(?x, div(?w, reshape(?c) {newShape=?k}), div(?b, reshape(?c) {newShape=?n}))", channel_divisor},
    {"convolution_div_no_bias", "div(?f:convolution(?x, ?w:constant, ?b:optional), ?c:constant)",
     "?f(?x, div(?w, reshape(?c) {newShape=?k}), ?b)", channel_divisor_without_bias},

    // addends of convolutions
    {"convolution_add", "add(?f:convolution(?x, ?w:constant, ?b:constant), ?c:constant)",
     "?f(?x, ?w, add(?b, reshape(?c) {newShape=?n}))", channel_addend},
    {"convolution_add_no_bias", "add(?f:convolution(?x, ?w:constant, ?b:optional), ?c:constant)",
     "?f(?x, ?w, expand(reshape(?c) {newShape=?n}) {newShape=?o})", per_channel_without_bias},
    {"convolution_sub", "sub(?f:convolution(?x, ?w:constant, ?b:constant), ?c:constant)",
     "?f(?x, ?w, sub(?b, reshape(?c) {newShape=?n}))", channel_addend},
    {"convolution_sub_no_bias", "sub(?f:convolution(?x, ?w:constant, ?b:optional), ?c:constant)",
     "?f(?x, ?w, expand(neg(reshape(?c) {newShape=?n})) {newShape=?o})", per_channel_without_bias},

    // products of matrices
    {"matmul_mul", "mul(matmul(?x, ?w:constant), ?c:constant)", "matmul(?x, mul(?w, reshape(?c) {newShape=?n}))",
     column_factor},
    {"matmul_div", "div(matmul(?x, ?w:constant), ?c:constant)", "matmul(?x, div(?w, reshape(?c) {newShape=?n}))",
     column_divisor},
    {"gemm_mul",
     "mul(gemm(?x, ?w:constant, c=?b:constant) {alpha=?p, beta=?q, aTranspose=?s, bTranspose=?t}, ?c:constant)",
     "gemm(?x, mul(?w, reshape(?c) {newShape=?k}), c=mul(?b, reshape(?c) {newShape=?n})) "
     "{alpha=?p, beta=?q, aTranspose=?s, bTranspose=?t}",
     column_factor},
    {"gemm_mul_no_c", "mul(gemm(?x, ?w:constant) {alpha=?p, beta=?q, aTranspose=?s, bTranspose=?t}, ?c:constant)",
     "gemm(?x, mul(?w, reshape(?c) {newShape=?k})) {alpha=?p, beta=?q, aTranspose=?s, bTranspose=?t}", column_factor},
    {"gemm_div",
     "div(gemm(?x, ?w:constant, c=?b:constant) {alpha=?p, beta=?q, aTranspose=?s, bTranspose=?t}, ?c:constant)",
     "gemm(?x, div(?w, reshape(?c) {newShape=?k}), c=div(?b, reshape(?c) {newShape=?n})) "
     "{alpha=?p, beta=?q, aTranspose=?s, bTranspose=?t}",
     column_divisor},
    {"gemm_div_no_c", "div(gemm(?x, ?w:constant) {alpha=?p, beta=?q, aTranspose=?s, bTranspose=?t}, ?c:constant)",
     "gemm(?x, div(?w, reshape(?c) {newShape=?k})) {alpha=?p, beta=?q, aTranspose=?s, bTranspose=?t}", column_divisor},
    {"gemm_add", "add(gemm(?x, ?w, c=?b:constant) {alpha=?p, aTranspose=?s, bTranspose=?t}, ?c:constant)",
     "gemm(?x, ?w, c=add(?b, ?c)) {alpha=?p, aTranspose=?s, bTranspose=?t}", addend_to_bias},
    {"gemm_add_no_c", "add(gemm(?x, ?w) {alpha=?p, beta=?q, aTranspose=?s, bTranspose=?t}, ?c:constant)",
     "gemm(?x, ?w, c=?c) {alpha=?p, aTranspose=?s, bTranspose=?t}", is_addend},
    {"gemm_sub", "sub(gemm(?x, ?w, c=?b:constant) {alpha=?p, aTranspose=?s, bTranspose=?t}, ?c:constant)",
     "gemm(?x, ?w, c=sub(?b, ?c)) {alpha=?p, aTranspose=?s, bTranspose=?t}", addend_to_bias},
    {"gemm_sub_no_c", "sub(gemm(?x, ?w) {alpha=?p, beta=?q, aTranspose=?s, bTranspose=?t}, ?c:constant)",
     "gemm(?x, ?w, c=neg(?c)) {alpha=?p, aTranspose=?s, bTranspose=?t}", is_addend},
};

/// The float16 factors of a normalization, ?s / sqrt(?v + ?h) with ?h for the epsilon in float16, are 0 or normal
/// numbers: they are as exact as the operator's result.
bool factors_in_half(Match& match) {
  if (match.descriptor("x").type != DataType::float16) return false;
  const auto element = [&](ValueId id, std::uint64_t i) {
    const Value& value = match.graph().value(id);
    return load_element(value.descriptor.type, value.data.view().data(), i).as_double();
  };
  const ValueId scales = match.value("s"), variances = match.value("v");
  if (!match.facts().may_read(element_count(match.descriptor("v").shape))) return false;
  const auto epsilon = double(float(Half(float(match.number("e")->as_double()))));
  for (std::uint64_t i = 0; i < element_count(match.descriptor("v").shape); ++i) {
    const double scale = scales.valid() ? element(scales, i) : 1;
    const double factor = std::abs(scale / std::sqrt(element(variances, i) + epsilon));
    const bool is_normal = factor >= 0x1p-14 && factor < 0x1.ffcp15;  // false for NaN
    if (!is_normal && factor != 0) return false;
  }
  match.set_attribute("h", Number(epsilon));
  return channels_of_normalization(match);
}

bool channels_in_float32(Match& match) {
  return match.descriptor("x").type == DataType::float32 && channels_of_normalization(match);
}
/// Without its bias, the normalization can be written out only if its scale is known, too.
bool may_be_written_out(Match& match) {
  const ValueId scales = match.value("s");
  if (scales.valid() && !match.graph().is_constant(scales)) return false;
  return channels_in_float32(match) || factors_in_half(match);
}

// A float16 factor is the sum of two numbers, because one alone would be less exact than the operator.
#define IN_TWO_PARTS(FACTOR)                                                  \
  "add(mul(?d=sub(?x, reshape(?m) {newShape=?n}), ?p=reshape(cast(?q=" FACTOR \
  ") {dataType=float16}) {newShape=?n}), "                                    \
  "mul(?d, cast(sub(reshape(?q) {newShape=?n}, cast(?p) {dataType=float32})) {dataType=float16}))"

// The difference from the mean comes first, as in the operator itself: it must not cancel against a product.
constexpr Rewrite normalization_rows[] = {
    {"batchNormalization_bias",
     "batchNormalization(?x, ?m:constant, ?v:constant, scale=?s:optional, bias=?b:constant) {axis=?a, epsilon=?e}",
     "add(batchNormalization(?x, ?m, ?v, scale=?s:optional) {axis=?a, epsilon=?e}, reshape(?b) {newShape=?n})",
     may_be_written_out},
    {"batchNormalization_scale",
     "batchNormalization(?x, ?m:constant, ?v:constant, scale=?s:constant) {axis=?a, epsilon=?e}",
     "mul(sub(?x, reshape(?m) {newShape=?n}), reshape(div(?s, sqrt(add(?v, ?e)))) {newShape=?n})", channels_in_float32},
    {"batchNormalization", "batchNormalization(?x, ?m:constant, ?v:constant) {axis=?a, epsilon=?e}",
     "div(sub(?x, reshape(?m) {newShape=?n}), reshape(sqrt(add(?v, ?e))) {newShape=?n})", channels_in_float32},

    {"batchNormalization_half_scale",
     "batchNormalization(?x, ?m:constant, ?v:constant, scale=?s:constant) {axis=?a, epsilon=?e}",
     IN_TWO_PARTS("div(cast(?s) {dataType=float32}, sqrt(add(cast(?v) {dataType=float32}, ?h)))"), factors_in_half},
    {"batchNormalization_half", "batchNormalization(?x, ?m:constant, ?v:constant) {axis=?a, epsilon=?e}",
     IN_TWO_PARTS("reciprocal(sqrt(add(cast(?v) {dataType=float32}, ?h)))"), factors_in_half},
};
#undef IN_TWO_PARTS

}  // namespace

std::span<const Rewrite> fold_into_rewrites() { return fold_into_rows; }
std::span<const Rewrite> unfold_normalization_rewrites() { return normalization_rows; }

}  // namespace webnn::compiler
