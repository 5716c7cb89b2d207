// Moves transposes towards the outputs, past elementwise operators, until two of them meet and cancel. In a network
// that was written channels-last, canonicalize wraps every layer in a pair of transposes; this leaves two: one at the
// input, one at the output.
//
// Legend as in simplify.cpp. ?f is any operator of the family, with its attributes.
#include <algorithm>

#include "compiler/rewrites/guards.hpp"
#include "compiler/rewrites/rewrite.hpp"

namespace webnn::compiler {
namespace {

/// A constant ?c gets the rank of the transposed operand and the inverse order of axes: ?s is its shape with leading
/// ones, ?i the inverse of ?p. Only if it does not enlarge the result, because the transpose would then move more than
/// before.
bool constant_follows(Match& match) {
  const Shape& x = match.descriptor("x").shape;
  const Shape& c = match.descriptor("c").shape;
  const IntegerList p = match.integers("p");
  const std::size_t rank = p.size();
  if (c.rank() > rank) return false;
  IntegerList sizes(rank - c.rank(), 1);
  sizes.insert(sizes.end(), c.begin(), c.end());
  IntegerList inverse(rank);
  for (std::size_t i = 0; i < rank; ++i) {
    if (sizes[i] != 1 && sizes[i] != x[unsigned(p[i])]) return false;
    inverse[std::size_t(p[i])] = std::int64_t(i);
  }
  match.set_attribute("s", std::move(sizes));
  match.set_attribute("i", std::move(inverse));
  return true;
}

/// The transpose ?t has no uses besides the two in the pattern.
bool has_two_uses(Match& match) {
  const ValueId t = match.value("t");
  return match.graph().use_count(t) == 2 && !match.graph().is_output(t);
}

bool has_one_element(Match& match) { return match.descriptor("c").shape.rank() == 0; }

constexpr Rewrite sink_transposes_rows[] = {
    // two transposes that meet
    {"transpose_of_identity", "transpose(?x) {permutation=?p}", "?x", is_identity_permutation},
    {"transpose_transpose", "transpose(?y=transpose(?x) {permutation=?p}) {permutation=?q}",
     "transpose(?x) {permutation=?r}", compose_permutations},

    // past operators of one operand
    {"unary", "?f:unary(transpose(?x) {permutation=?p})", "transpose(?f(?x)) {permutation=?p}"},
    {"cast", "cast(transpose(?x) {permutation=?p}) {dataType=?d}",
     "transpose(cast(?x) {dataType=?d}) {permutation=?p}"},

    // past operators of two operands, when both are transposed in the same way
    {"binary", "?f:binary(transpose(?x) {permutation=?p}, transpose(?y) {permutation=?p})",
     "transpose(?f(?x, ?y)) {permutation=?p}"},

    // past both uses of one transpose, as in x * sigmoid(x)
    {"square", "?f:binary(?t=transpose(?x) {permutation=?p}, ?t)", "transpose(?f(?x, ?x)) {permutation=?p}",
     has_two_uses},
    {"gate", "?f:binary(?t=transpose(?x) {permutation=?p}, ?g:unary(?t))", "transpose(?f(?x, ?g(?x))) {permutation=?p}",
     has_two_uses},
    {"gate_first", "?f:binary(?g:unary(?t), ?t=transpose(?x) {permutation=?p})",
     "transpose(?f(?g(?x), ?x)) {permutation=?p}", has_two_uses},

    // or when one is a constant
    {"binary_scalar", "?f:binary(transpose(?x) {permutation=?p}, ?c:constant)",
     "transpose(?f(?x, ?c)) {permutation=?p}", has_one_element},
    {"binary_scalar_first", "?f:binary(?c:constant, transpose(?x) {permutation=?p})",
     "transpose(?f(?c, ?x)) {permutation=?p}", has_one_element},
    {"binary_constant", "?f:binary(transpose(?x) {permutation=?p}, ?c:constant)",
     "transpose(?f(?x, transpose(reshape(?c) {newShape=?s}) {permutation=?i})) {permutation=?p}", constant_follows},
    {"binary_constant_first", "?f:binary(?c:constant, transpose(?x) {permutation=?p})",
     "transpose(?f(transpose(reshape(?c) {newShape=?s}) {permutation=?i}, ?x)) {permutation=?p}", constant_follows},
};

}  // namespace

std::span<const Rewrite> sink_transposes_rewrites() { return sink_transposes_rows; }

}  // namespace webnn::compiler
