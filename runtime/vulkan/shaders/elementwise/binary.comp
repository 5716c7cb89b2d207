// Elementwise operators of two operands, comparisons and logical operators, all with broadcasting. One variant for each
// kind of numbers.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common/extensions.glsl"

struct Table {
  uint64_t a, b, y;
  uint count, rank;
  uint shape[8];
  int a_strides[8], b_strides[8];
};
#include "common/elements.glsl"
#include "common/kinds.glsl"
#include "common/math.glsl"

layout(constant_id = 1) const uint TYPE = 0;
layout(constant_id = 2) const uint OP = 0;
layout(constant_id = 3) const uint A_FORM = 0;
layout(constant_id = 4) const uint B_FORM = 0;

#include "elementwise/operands.glsl"
#include "common/real_functions.glsl"
#ifdef REAL
#include "common/epilogue.glsl"
float apply(float a, float b) { return real_binary(OP, a, b); }
#else
/// Truncates toward zero; division by zero gives 0.
Wide quotient(Wide a, Wide b) {
  if (b == Wide(0)) return Wide(0);
#ifdef SIGNED
  if (b == Wide(-1)) return -a;
#endif
  return a / b;
}
/// A negative exponent gives the truncated quotient 1 / a^-b.
Wide integer_power(Wide a, Wide b) {
#ifdef SIGNED
  if (b < 0) return a == 1 ? a : a == -1 ? (b % 2 == 0 ? int64_t(1) : a) : int64_t(0);
#endif
  Wide result = Wide(1), square = a;
  for (uint64_t exponent = uint64_t(b); exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result *= square;
    square *= square;
  }
  return result;
}

Wide apply(Wide a, Wide b) {
  switch (OP) {
    case OP_ADD: return a + b;
    case OP_SUB: return a - b;
    case OP_MUL: return a * b;
    case OP_DIV: return quotient(a, b);
    case OP_MAX: return a > b ? a : b;
    case OP_MIN: return a < b ? a : b;
    case OP_POW: return integer_power(a, b);
    case OP_PRELU: return a < Wide(0) ? a * b : a;
  }
  return a;
}
Wide epilogue(Wide value, uint i) { return value; }
#endif

bool compares() {
  switch (OP) { COMPARISON_NUMBERS return true; }
  return false;
}
bool compare(Wide a, Wide b) {
  switch (OP) { COMPARISON_CASES }
  return false;
}

PLACES_IN_OPERAND(places_in_a, A_FORM, table.a_strides)
PLACES_IN_OPERAND(places_in_b, B_FORM, table.b_strides)

void compute(uint first) {
  if (first >= table.count) return;
  const bool whole = are_whole(first);
  Wide a[4], b[4];
  load_operand(table.a, A_FORM, places_in_a(first), whole, a);
  load_operand(table.b, B_FORM, places_in_b(first), whole, b);
#if defined(VERDICT) || !defined(REAL)
  if (compares()) {
    uvec4 verdicts;
    [[unroll]] for (uint k = 0; k < LANE_ELEMENTS; ++k) verdicts[k] = uint(compare(a[k], b[k]));
    store_verdicts(first, whole, verdicts);
    return;
  }
#endif
#ifndef VERDICT
  [[unroll]] for (uint k = 0; k < LANE_ELEMENTS; ++k) a[k] = epilogue(apply(a[k], b[k]), existing(first + k));
  store_result(first, whole, a);
#endif
}

void main() {
  for (uint round = 0; round < ROUNDS; ++round) compute(unit_of_round(round) * LANE_ELEMENTS);
}
