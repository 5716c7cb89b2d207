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
#include "common/broadcast.glsl"

layout(constant_id = 1) const uint TYPE = 0;
layout(constant_id = 2) const uint OP = 0;
layout(constant_id = 3) const uint A_FORM = 0;
layout(constant_id = 4) const uint B_FORM = 0;

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

void main() {
  const uint i = invocation_index();
  if (i >= table.count) return;
  const Wide a = load_wide(table.a, TYPE, place_of(A_FORM, i, table.rank, table.shape, table.a_strides));
  const Wide b = load_wide(table.b, TYPE, place_of(B_FORM, i, table.rank, table.shape, table.b_strides));
#if defined(VERDICT) || !defined(REAL)
  if (compares()) {
    Words8(table.y).at[i] = uint8_t(uint(compare(a, b)));
    return;
  }
#endif
#ifndef VERDICT
  store_wide(table.y, TYPE, i, epilogue(apply(a, b), i));
#endif
}
