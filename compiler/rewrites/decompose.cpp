// Composite operators as several simpler ones, for targets whose kernels do not take them whole.
//
// Legend as in simplify.cpp. The rows are written for float32, and their results pass the conformance vectors of the
// composite operators; the pass `decompose` first widens float16 to float32. Operators with optional operands lose
// these one by one (bias, then scale), so that a kernel without them suffices. `merge_duplicates` removes what several
// rows write twice.
//
// Two rows are just as accurate as the vectors require, and no more: gelu's 1 + erf(..) has an absolute error of 6e-8,
// so float32 results for inputs below -3 lose digits; and a sum with a bias or `c` may cancel.
//
// Not here: tanh and softplus, because no sum of float32 numbers keeps their last digits near zero and far below it;
// convolutions, pools, recurrent networks, resampling and blockwise quantization, which would take more than a rewrite.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "compiler/rewrites/guards.hpp"
#include "compiler/rewrites/rewrite.hpp"

namespace webnn::compiler {
namespace {

/// ?h + ?l is where the line ?a * x + ?b crosses zero. ?h is a float32, so that differences from it are exact near
/// there, and ?l is the rest. Computing ?a * x + ?b directly would lose all digits there.
bool crosses_zero(Match& match) {
  if (match.descriptor("x").type != DataType::float32) return false;
  const auto a = float(match.number("a")->as_double()), b = float(match.number("b")->as_double());
  const double place = -double(b) / double(a);
  if (!(std::fabs(place) < 1e30)) return false;  // a is 0, or nearly
  match.set_attribute("h", double(float(place)));
  match.set_attribute("l", place - double(float(place)));
  return true;
}

/// layerNormalization's scale and bias have the axes ?a in the order of the call: the permutation ?p sorts them, and
/// with the shape ?n the sorted ones broadcast to ?x.
bool per_element(Match& match) {
  const Shape& shape = match.descriptor("x").shape;
  const IntegerList axes = match.integers("a");
  IntegerList order(axes.size()), sizes(shape.rank(), 1);
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](std::int64_t place) { return axes[std::size_t(place)]; });
  for (const std::int64_t axis : axes) sizes[std::size_t(axis)] = shape[unsigned(axis)];
  match.set_attribute("p", std::move(order));
  match.set_attribute("n", std::move(sizes));
  return true;
}

/// ?l: the axis ?a as a list.
bool axis_as_list(Match& match) {
  match.set_attribute("l", IntegerList{match.number("a")->as_int64()});
  return true;
}

/// ?n is the number of elements of ?x along the axes ?a.
bool count_reduced(Match& match) {
  const Shape& shape = match.descriptor("x").shape;
  double count = 1;
  for (const std::int64_t axis : match.integers("a")) count *= shape[unsigned(axis)];
  match.set_attribute("n", count);
  return true;
}

bool is_unsigned(Match& match) { return !is_signed(match.descriptor("x").type); }

/// ?i and ?j are the permutations for the flags ?s and ?t.
bool flags_as_permutations(Match& match) {
  const auto order = [&](std::string_view flag) {
    return std::get<bool>(*match.attribute(flag)) ? IntegerList{1, 0} : IntegerList{0, 1};
  };
  match.set_attribute("i", order("s"));
  match.set_attribute("j", order("t"));
  return true;
}

constexpr Rewrite decompose_rows[] = {
    // linear functions and limits
    {"linear", "linear(?x) {alpha=?a, beta=?b}", "mul(sub(sub(?x, ?h), ?l), ?a)", crosses_zero},
    {"linear_flat", "linear(?x) {alpha=?a, beta=?b}", "add(mul(?x, ?a), ?b)"},
    {"hardSigmoid", "hardSigmoid(?x) {alpha=?a, beta=?b}",
     "clamp(linear(?x) {alpha=?a, beta=?b}) {minValue=0, maxValue=1}"},
    {"hardSwish", "hardSwish(?x)", "mul(?x, div(clamp(add(?x, 3)) {minValue=0, maxValue=6}, 6))"},
    {"leakyRelu", "leakyRelu(?x) {alpha=?a}", "where(lesser(?x, 0), mul(?x, ?a), ?x)"},
    {"prelu", "prelu(?x, ?s)", "where(lesser(?x, 0), mul(?x, ?s), ?x)"},
    {"softsign", "softsign(?x)", "div(?x, add(abs(?x), 1))"},
    {"reciprocal", "reciprocal(?x)", "div(1, ?x)"},

    // exponentials: exp(x) - 1 is (exp(x) + 1) * tanh(x / 2), which does not cancel near zero; exponentials of positive
    // numbers are avoided, because they may overflow
    {"elu", "elu(?x) {alpha=?a}", "where(lesser(?x, 0), mul(mul(add(exp(?x), 1), tanh(mul(?x, 0.5))), ?a), ?x)"},
    {"sigmoid", "sigmoid(?x)", "div(exp(min(?x, 0)), add(exp(neg(abs(?x))), 1))"},
    {"gelu", "gelu(?x)", "mul(mul(?x, 0.5), add(erf(mul(?x, 0.7071067811865476)), 1))"},
    {"softmax", "softmax(?x) {axis=?a}",
     "div(?e=exp(sub(?x, reduceMax(?x) {axes=?l, keepDimensions=true})), "
     "reduceSum(?e) {axes=?l, keepDimensions=true})",
     axis_as_list},

    // reductions; the greatest element is made finite, so that differences from it are numbers
    {"reduceL1", "reduceL1(?x) {axes=?a, keepDimensions=?k}", "reduceSum(abs(?x)) {axes=?a, keepDimensions=?k}"},
    {"reduceL1_unsigned", "reduceL1(?x) {axes=?a, keepDimensions=?k}", "reduceSum(?x) {axes=?a, keepDimensions=?k}",
     is_unsigned},
    {"reduceL2", "reduceL2(?x) {axes=?a, keepDimensions=?k}",
     "sqrt(reduceSum(mul(?x, ?x)) {axes=?a, keepDimensions=?k})"},
    {"reduceLogSum", "reduceLogSum(?x) {axes=?a, keepDimensions=?k}",
     "log(reduceSum(?x) {axes=?a, keepDimensions=?k})"},
    {"reduceLogSumExp", "reduceLogSumExp(?x) {axes=?a, keepDimensions=?k}",
     "add(log(reduceSum(exp(sub(?x, ?m=clamp(reduceMax(?x) {axes=?a, keepDimensions=true}) "
     "{minValue=-3.4028234663852886e38, maxValue=3.4028234663852886e38}))) {axes=?a, keepDimensions=?k}), "
     "reduceMax(?m) {axes=?a, keepDimensions=?k})"},
    {"reduceMean", "reduceMean(?x) {axes=?a, keepDimensions=?k}", "div(reduceSum(?x) {axes=?a, keepDimensions=?k}, ?n)",
     count_reduced},
    {"reduceSumSquare", "reduceSumSquare(?x) {axes=?a, keepDimensions=?k}",
     "reduceSum(mul(?x, ?x)) {axes=?a, keepDimensions=?k}"},

    // normalizations; because the first mean was rounded, the differences from it have a small mean, which is
    // subtracted again
    {"batchNormalization_bias", "batchNormalization(?x, ?m, ?v, scale=?s:optional, bias=?b) {axis=?a, epsilon=?e}",
     "add(batchNormalization(?x, ?m, ?v, scale=?s:optional) {axis=?a, epsilon=?e}, reshape(?b) {newShape=?n})",
     channels_of_normalization},
    {"batchNormalization_scale", "batchNormalization(?x, ?m, ?v, scale=?s) {axis=?a, epsilon=?e}",
     "mul(batchNormalization(?x, ?m, ?v) {axis=?a, epsilon=?e}, reshape(?s) {newShape=?n})", channels_of_normalization},
    {"batchNormalization", "batchNormalization(?x, ?m, ?v) {axis=?a, epsilon=?e}",
     "div(sub(?x, reshape(?m) {newShape=?n}), sqrt(add(reshape(?v) {newShape=?n}, ?e)))", channels_of_normalization},
    {"instanceNormalization_bias", "instanceNormalization(?x, scale=?s:optional, bias=?b) {epsilon=?e}",
     "add(instanceNormalization(?x, scale=?s:optional) {epsilon=?e}, reshape(?b) {newShape=?n})",
     channels_of_normalization},
    {"instanceNormalization_scale", "instanceNormalization(?x, scale=?s) {epsilon=?e}",
     "mul(instanceNormalization(?x) {epsilon=?e}, reshape(?s) {newShape=?n})", channels_of_normalization},
    {"instanceNormalization", "instanceNormalization(?x) {epsilon=?e}",
     "layerNormalization(?x) {axes=[2, 3], epsilon=?e}"},
    {"layerNormalization_bias", "layerNormalization(?x, scale=?s:optional, bias=?b) {axes=?a, epsilon=?e}",
     "add(layerNormalization(?x, scale=?s:optional) {axes=?a, epsilon=?e}, "
     "reshape(transpose(?b) {permutation=?p}) {newShape=?n})",
     per_element},
    {"layerNormalization_scale", "layerNormalization(?x, scale=?s) {axes=?a, epsilon=?e}",
     "mul(layerNormalization(?x) {axes=?a, epsilon=?e}, reshape(transpose(?s) {permutation=?p}) {newShape=?n})",
     per_element},
    {"layerNormalization", "layerNormalization(?x) {axes=?a, epsilon=?e}",
     "div(?d=sub(?r=sub(?x, reduceMean(?x) {axes=?a, keepDimensions=true}), "
     "reduceMean(?r) {axes=?a, keepDimensions=true}), "
     "sqrt(add(reduceMean(mul(?d, ?d)) {axes=?a, keepDimensions=true}, ?e)))"},

    // products of matrices
    {"gemm_c", "gemm(?a, ?b, c=?c) {alpha=?p, beta=?q, aTranspose=?s, bTranspose=?t}",
     "add(gemm(?a, ?b) {alpha=?p, aTranspose=?s, bTranspose=?t}, mul(?c, ?q))"},
    {"gemm", "gemm(?a, ?b) {alpha=?p, beta=?q, aTranspose=?s, bTranspose=?t}",
     "mul(matmul(transpose(?a) {permutation=?i}, transpose(?b) {permutation=?j}), ?p)", flags_as_permutations},
};

}  // namespace

std::span<const Rewrite> decompose_rewrites() { return decompose_rows; }

}  // namespace webnn::compiler
