// Activations and normalisations that a model spells out, as the single operator. It can be fused, which the
// spelled-out operators cannot because they use their input several times, and it reads its input once or twice instead
// of in many passes.
//
// Legend as in simplify.cpp. The results equal those of the spelled-out operators within a few units in the last place.
#include <cmath>

#include "compiler/rewrites/rewrite.hpp"
#include "schema/elements/elements.hpp"

namespace webnn::compiler {
namespace {

/// float16 rounds 1/6 so much that the spelled-out operators give different numbers.
bool is_float32(Match& match) { return match.descriptor("x").type == DataType::float32; }

/// ?p: the number ?e.
bool has_epsilon(Match& match) {
  const Value& e = match.graph().value(match.value("e"));
  if (element_count(e.descriptor.shape) != 1) return false;
  const double epsilon = load_element(e.descriptor.type, e.data.view().data(), 0).as_double();
  if (!std::isfinite(epsilon)) return false;
  match.set_attribute("p", epsilon);
  return true;
}

/// ?c has the sizes of the axes ?a, which are the last axes of ?x, in order.
bool is_of_last_axes(Match& match) {
  const Shape& x = match.descriptor("x").shape;
  const Shape& c = match.descriptor("c").shape;
  const IntegerList axes = match.integers("a");
  if (axes.size() != c.rank()) return false;
  for (unsigned i = 0; i < c.rank(); ++i) {
    const unsigned axis = x.rank() - c.rank() + i;
    if (axes[i] != std::int64_t(axis) || c[i] != x[axis]) return false;
  }
  return true;
}

bool has_epsilon_and_is_of_last_axes(Match& match) { return has_epsilon(match) && is_of_last_axes(match); }

/// The reshape before gemm joins all axes of ?x but the last, and ?o, the one behind it, parts them again.
bool keeps_axes_but_the_last(Match& match) {
  const Shape& x = match.descriptor("x").shape;
  const IntegerList o = match.integers("o");
  if (o.size() != x.rank() || x.rank() == 0) return false;
  for (unsigned i = 0; i + 1 < x.rank(); ++i)
    if (o[i] != std::int64_t(x[i])) return false;
  return x[x.rank() - 1] == match.descriptor("w").shape[0];
}
/// The same, and ?b is one row.
bool keeps_axes_but_the_last_and_adds_a_row(Match& match) {
  const Shape& b = match.descriptor("b").shape;
  return keeps_axes_but_the_last(match) && b.rank() <= 1;
}

/// ?i: the single axis in ?a.
bool has_one_axis(Match& match) {
  const IntegerList axes = match.integers("a");
  if (axes.size() != 1) return false;
  match.set_attribute("i", axes[0]);
  return true;
}

// The root of the mean of squares of ?x, in two forms.
#define ROOT_OF_MUL "sqrt(add(reduceMean(mul(?x, ?x)) {axes=?a, keepDimensions=true}, ?e:constant))"
#define ROOT_OF_POW "sqrt(add(reduceMean(pow(?x, 2)) {axes=?a, keepDimensions=true}, ?e:constant))"
#define RMS "@rmsNormalization(?x) {axes=?a, epsilon=?p}"
#define SCALED_RMS "@rmsNormalization(?x, scale=?c) {axes=?a, epsilon=?p}"

constexpr Rewrite recognise_rows[] = {
    // x * clamp(x + 3, 0, 6) / 6
    {"hardSwish_factor", "mul(?x, mul(clamp(add(?x, 3)) {minValue=0, maxValue=6}, 0.16666666666666666))",
     "hardSwish(?x)"},
    {"hardSwish_quotient", "mul(?x, div(clamp(add(?x, 3)) {minValue=0, maxValue=6}, 6))", "hardSwish(?x)"},
    {"hardSwish_factor_last", "mul(mul(?x, clamp(add(?x, 3)) {minValue=0, maxValue=6}), 0.16666666666666666)",
     "hardSwish(?x)"},
    {"hardSwish_quotient_last", "div(mul(?x, clamp(add(?x, 3)) {minValue=0, maxValue=6}), 6)", "hardSwish(?x)"},
    {"hardSwish_hardSigmoid", "mul(?x, hardSigmoid(?x) {alpha=0.16666666666666666, beta=0.5})", "hardSwish(?x)",
     is_float32},
    {"hardSwish_hardSigmoid_float", "mul(?x, hardSigmoid(?x) {alpha=0.1666666716337204, beta=0.5})", "hardSwish(?x)",
     is_float32},

    // x * sigmoid(x)
    {"silu", "mul(?x, sigmoid(?x))", "@silu(?x)"},

    // x * (erf(x / sqrt(2)) + 1) / 2
    {"gelu_half_first", "mul(mul(?x, 0.5), add(erf(div(?x, 1.4142135623730951)), 1))", "gelu(?x)"},
    {"gelu_half_last", "mul(mul(?x, add(erf(div(?x, 1.4142135623730951)), 1)), 0.5)", "gelu(?x)"},
    {"gelu_half_inside", "mul(?x, mul(add(erf(div(?x, 1.4142135623730951)), 1), 0.5))", "gelu(?x)"},
    {"gelu_factor_half_first", "mul(mul(?x, 0.5), add(erf(mul(?x, 0.7071067811865476)), 1))", "gelu(?x)"},
    {"gelu_factor_half_last", "mul(mul(?x, add(erf(mul(?x, 0.7071067811865476)), 1)), 0.5)", "gelu(?x)"},
    {"gelu_factor_half_inside", "mul(?x, mul(add(erf(mul(?x, 0.7071067811865476)), 1), 0.5))", "gelu(?x)"},

    // (x - mean) / sqrt(variance + epsilon), then scale and bias
    {"layerNormalization_pow_quotient",
     "div(?d=sub(?x, reduceMean(?x) {axes=?a, keepDimensions=true}), "
     "sqrt(add(reduceMean(pow(?d, 2)) {axes=?a, keepDimensions=true}, ?e:constant)))",
     "layerNormalization(?x) {axes=?a, epsilon=?p}", has_epsilon},
    {"layerNormalization_pow_reciprocal",
     "mul(?d=sub(?x, reduceMean(?x) {axes=?a, keepDimensions=true}), "
     "reciprocal(sqrt(add(reduceMean(pow(?d, 2)) {axes=?a, keepDimensions=true}, ?e:constant))))",
     "layerNormalization(?x) {axes=?a, epsilon=?p}", has_epsilon},
    {"layerNormalization_mul_quotient",
     "div(?d=sub(?x, reduceMean(?x) {axes=?a, keepDimensions=true}), "
     "sqrt(add(reduceMean(mul(?d, ?d)) {axes=?a, keepDimensions=true}, ?e:constant)))",
     "layerNormalization(?x) {axes=?a, epsilon=?p}", has_epsilon},
    {"layerNormalization_mul_reciprocal",
     "mul(?d=sub(?x, reduceMean(?x) {axes=?a, keepDimensions=true}), "
     "reciprocal(sqrt(add(reduceMean(mul(?d, ?d)) {axes=?a, keepDimensions=true}, ?e:constant))))",
     "layerNormalization(?x) {axes=?a, epsilon=?p}", has_epsilon},
    {"layerNormalization_scale", "mul(layerNormalization(?x) {axes=?a, epsilon=?p}, ?c:constant)",
     "layerNormalization(?x, scale=?c) {axes=?a, epsilon=?p}", is_of_last_axes},
    {"layerNormalization_bias", "add(layerNormalization(?x, scale=?s:optional) {axes=?a, epsilon=?p}, ?c:constant)",
     "layerNormalization(?x, scale=?s, bias=?c) {axes=?a, epsilon=?p}", is_of_last_axes},

    // x / sqrt(mean of squares + epsilon), with a scale before or behind. Behind the rows of layerNormalization, whose
    // x - mean could be this x.
    {"rmsNormalization_mul_quotient", "div(?x, " ROOT_OF_MUL ")", RMS, has_epsilon},
    {"rmsNormalization_pow_quotient", "div(?x, " ROOT_OF_POW ")", RMS, has_epsilon},
    {"rmsNormalization_mul_reciprocal", "mul(?x, reciprocal(" ROOT_OF_MUL "))", RMS, has_epsilon},
    {"rmsNormalization_pow_reciprocal", "mul(?x, reciprocal(" ROOT_OF_POW "))", RMS, has_epsilon},
    {"rmsNormalization_mul_inverse", "mul(?x, div(1, " ROOT_OF_MUL "))", RMS, has_epsilon},
    {"rmsNormalization_pow_inverse", "mul(?x, div(1, " ROOT_OF_POW "))", RMS, has_epsilon},
    {"rmsNormalization_scale", "mul(" RMS ", ?c:constant)", SCALED_RMS, is_of_last_axes},
    {"rmsNormalization_scale_mul_quotient", "div(mul(?x, ?c:constant), " ROOT_OF_MUL ")", SCALED_RMS,
     has_epsilon_and_is_of_last_axes},
    {"rmsNormalization_scale_pow_quotient", "div(mul(?x, ?c:constant), " ROOT_OF_POW ")", SCALED_RMS,
     has_epsilon_and_is_of_last_axes},
    {"rmsNormalization_scale_mul_reciprocal", "mul(mul(?x, ?c:constant), reciprocal(" ROOT_OF_MUL "))", SCALED_RMS,
     has_epsilon_and_is_of_last_axes},
    {"rmsNormalization_scale_pow_reciprocal", "mul(mul(?x, ?c:constant), reciprocal(" ROOT_OF_POW "))", SCALED_RMS,
     has_epsilon_and_is_of_last_axes},
    {"rmsNormalization_scale_mul_inverse", "mul(mul(?x, ?c:constant), div(1, " ROOT_OF_MUL "))", SCALED_RMS,
     has_epsilon_and_is_of_last_axes},
    {"rmsNormalization_scale_pow_inverse", "mul(mul(?x, ?c:constant), div(1, " ROOT_OF_POW "))", SCALED_RMS,
     has_epsilon_and_is_of_last_axes},

    // a product of more than two axes whose rows were counted as one for gemm
    {"gemm_of_rows", "reshape(gemm(?r=reshape(?x) {newShape=?n}, ?w)) {newShape=?o}", "matmul(?x, ?w)",
     keeps_axes_but_the_last},
    {"gemm_of_rows_c", "reshape(gemm(?r=reshape(?x) {newShape=?n}, ?w, c=?b)) {newShape=?o}", "add(matmul(?x, ?w), ?b)",
     keeps_axes_but_the_last_and_adds_a_row},

    // e^(x - max) / sum
    {"softmax_quotient",
     "div(?e=exp(sub(?x, reduceMax(?x) {axes=?a, keepDimensions=true})), "
     "reduceSum(?e) {axes=?a, keepDimensions=true})",
     "softmax(?x) {axis=?i}", has_one_axis},
    {"softmax_reciprocal",
     "mul(?e=exp(sub(?x, reduceMax(?x) {axes=?a, keepDimensions=true})), "
     "reciprocal(reduceSum(?e) {axes=?a, keepDimensions=true}))",
     "softmax(?x) {axis=?i}", has_one_axis},
};

#undef ROOT_OF_MUL
#undef ROOT_OF_POW
#undef RMS
#undef SCALED_RMS

}  // namespace

std::span<const Rewrite> recognise_rewrites() { return recognise_rows; }

}  // namespace webnn::compiler
