// Reductions of squares and magnitudes, as models write them: with a separate operator before or behind the reduction.
// As a single reduction they read their input once and write no squares.
//
// Legend as in simplify.cpp. The results equal those of the spelled-out operators within a few units in the last place,
// where each square and each sum of squares is a normal number of the type: a single reduction does not round them.
// Applied after the rows of recognise.cpp, which look for means of squares.
#include "compiler/rewrites/rewrite.hpp"

namespace webnn::compiler {
namespace {

/// ?n: one divided by the number of elements of ?x for each mean along the axes ?a. The sum that replaces the mean must
/// not leave the range of the type, as float16 sums might.
bool is_float32_mean(Match& match) {
  const OperandDescriptor& x = match.descriptor("x");
  if (x.type != DataType::float32) return false;
  double count = 1;
  for (const std::int64_t axis : match.integers("a")) count *= double(x.shape[unsigned(axis)]);
  match.set_attribute("n", 1 / count);
  return true;
}

/// The reduced tensor has no more elements than ?x: the exponent has not broadcast it.
bool keeps_shape(Match& match) {
  const Node& inner = match.graph().node(match.nodes()[1]);
  return match.graph().value(inner.outputs[0]).descriptor.shape == match.descriptor("x").shape;
}
bool keeps_shape_of_mean(Match& match) { return keeps_shape(match) && is_float32_mean(match); }

#define SQUARES "<mul(?x, ?x) | pow(?x, 2)>"

constexpr Rewrite reductions_rows[] = {
    {"sum_of_squares", "reduceSum(" SQUARES ") {axes=?a, keepDimensions=?k}",
     "reduceSumSquare(?x) {axes=?a, keepDimensions=?k}", keeps_shape},
    {"mean_of_squares", "reduceMean(" SQUARES ") {axes=?a, keepDimensions=?k}",
     "mul(reduceSumSquare(?x) {axes=?a, keepDimensions=?k}, ?n)", keeps_shape_of_mean},
    {"sum_of_magnitudes", "reduceSum(abs(?x)) {axes=?a, keepDimensions=?k}",
     "reduceL1(?x) {axes=?a, keepDimensions=?k}"},
    {"root_of_squares", "sqrt(reduceSumSquare(?x) {axes=?a, keepDimensions=?k})",
     "reduceL2(?x) {axes=?a, keepDimensions=?k}"},
};

#undef SQUARES

}  // namespace

std::span<const Rewrite> reductions_rewrites() { return reductions_rows; }

}  // namespace webnn::compiler
