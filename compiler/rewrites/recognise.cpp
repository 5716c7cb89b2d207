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

#define CLAMPED "clamp(add(?x, 3)) {minValue=0, maxValue=6}"
#define ERF_AND_1 "add(erf(<div(?x, 1.4142135623730951) | mul(?x, 0.7071067811865476)>), 1)"
#define CENTRED "?d=sub(?x, reduceMean(?x) {axes=?a, keepDimensions=true})"
// The root of the mean of squares, and its inverse.
#define ROOT(x) "sqrt(add(reduceMean(<mul(" x ", " x ") | pow(" x ", 2)>) {axes=?a, keepDimensions=true}, ?e:constant))"
#define INVERSE(x) "<reciprocal(" ROOT(x) ") | div(1, " ROOT(x) ")>"
#define EXPONENTIALS "?e=exp(sub(?x, reduceMax(?x) {axes=?a, keepDimensions=true}))"
#define SUM_OF_THEM "reduceSum(?e) {axes=?a, keepDimensions=true}"

constexpr Rewrite recognise_rows[] = {
    // x * clamp(x + 3, 0, 6) / 6
    {"hardSwish",
     "<mul(?x, <mul(" CLAMPED ", 0.16666666666666666) | div(" CLAMPED ", 6)>) | "
     "mul(mul(?x, " CLAMPED "), 0.16666666666666666) | div(mul(?x, " CLAMPED "), 6)>",
     "hardSwish(?x)"},
    {"hardSwish_hardSigmoid", "mul(?x, hardSigmoid(?x) {alpha=<0.16666666666666666 | 0.1666666716337204>, beta=0.5})",
     "hardSwish(?x)", is_float32},

    // x * sigmoid(x)
    {"silu", "mul(?x, sigmoid(?x))", "@silu(?x)"},

    // x * (erf(x / sqrt(2)) + 1) / 2
    {"gelu", "<mul(mul(?x, 0.5), " ERF_AND_1 ") | mul(mul(?x, " ERF_AND_1 "), 0.5) | mul(?x, mul(" ERF_AND_1 ", 0.5))>",
     "gelu(?x)"},

    // (x - mean) / sqrt(variance + epsilon), then scale and bias
    {"layerNormalization", "<div(" CENTRED ", " ROOT("?d") ") | mul(" CENTRED ", " INVERSE("?d") ")>",
     "layerNormalization(?x) {axes=?a, epsilon=?p}", has_epsilon},
    {"layerNormalization_scale", "mul(layerNormalization(?x) {axes=?a, epsilon=?p}, ?c:constant)",
     "layerNormalization(?x, scale=?c) {axes=?a, epsilon=?p}", is_of_last_axes},
    {"layerNormalization_bias", "add(layerNormalization(?x, scale=?s:optional) {axes=?a, epsilon=?p}, ?c:constant)",
     "layerNormalization(?x, scale=?s, bias=?c) {axes=?a, epsilon=?p}", is_of_last_axes},

    // x / sqrt(mean of squares + epsilon), with a scale before or behind. Behind the rows of layerNormalization, whose
    // x - mean could be this x.
    {"rmsNormalization", "<div(?x, " ROOT("?x") ") | mul(?x, " INVERSE("?x") ")>",
     "@rmsNormalization(?x) {axes=?a, epsilon=?p}", has_epsilon},
    {"rmsNormalization_scale", "mul(@rmsNormalization(?x) {axes=?a, epsilon=?p}, ?c:constant)",
     "@rmsNormalization(?x, scale=?c) {axes=?a, epsilon=?p}", is_of_last_axes},
    {"rmsNormalization_of_scaled",
     "<div(mul(?x, ?c:constant), " ROOT("?x") ") | mul(mul(?x, ?c:constant), " INVERSE("?x") ")>",
     "@rmsNormalization(?x, scale=?c) {axes=?a, epsilon=?p}", has_epsilon_and_is_of_last_axes},

    // a product of more than two axes whose rows were counted as one for gemm
    {"gemm_of_rows", "reshape(gemm(?r=reshape(?x) {newShape=?n}, ?w)) {newShape=?o}", "matmul(?x, ?w)",
     keeps_axes_but_the_last},
    {"gemm_of_rows_c", "reshape(gemm(?r=reshape(?x) {newShape=?n}, ?w, c=?b)) {newShape=?o}", "add(matmul(?x, ?w), ?b)",
     keeps_axes_but_the_last_and_adds_a_row},

    // e^(x - max) / sum
    {"softmax", "<div(" EXPONENTIALS ", " SUM_OF_THEM ") | mul(" EXPONENTIALS ", reciprocal(" SUM_OF_THEM "))>",
     "softmax(?x) {axis=?i}", has_one_axis},
};

#undef CLAMPED
#undef ERF_AND_1
#undef CENTRED
#undef ROOT
#undef INVERSE
#undef EXPONENTIALS
#undef SUM_OF_THEM

}  // namespace

std::span<const Rewrite> recognise_rewrites() { return recognise_rows; }

}  // namespace webnn::compiler
