// Elementwise operators of one operand. One variant for each kind of numbers, and one for reals with uint8 results
// (VERDICT).
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common/extensions.glsl"

struct Table {
  uint64_t x, y;
  uint count;
  float alpha, beta;  // also clamp's limits
  uint unused;
  int64_t low, high;  // clamp's limits on integers
};
#include "common/elements.glsl"
#include "common/kinds.glsl"
#include "common/math.glsl"

layout(constant_id = 1) const uint TYPE = 0;
layout(constant_id = 2) const uint OP = 0;

#include "elementwise/operands.glsl"
#include "common/real_functions.glsl"

#ifdef REAL
#include "common/epilogue.glsl"
float apply(float x) { return real_unary(OP, x, table.alpha, table.beta); }
#else
bool logical(Wide x) {
  switch (OP) { LOGICAL_UNARY_CASES }
  return false;
}
Wide apply(Wide x) {
  switch (OP) {
#ifdef SIGNED
    case OP_ABS: return x < 0 ? -x : x;
    case OP_NEG: return -x;
    case OP_RELU: return x < 0 ? int64_t(0) : x;
    case OP_SIGN: return x > 0 ? int64_t(1) : x < 0 ? int64_t(-1) : int64_t(0);
#endif
    case OP_CLAMP: {
      const Wide low = Wide(table.low), high = Wide(table.high);
      return x < low ? low : x > high ? high : x;
    }
  }
  return Wide(uint(logical(x)));
}
Wide epilogue(Wide value, uint i) { return value; }
#endif

#ifdef VERDICT
bool verdict(Wide x) {
  switch (OP) { PREDICATE_CASES }
  return false;
}
#endif

void compute(uint first) {
  if (first >= table.count) return;
  const bool whole = are_whole(first);
  Wide x[4];
  load_operand(table.x, SAME, places_in_same(first), whole, x);
#ifdef VERDICT
  uvec4 verdicts;
  [[unroll]] for (uint k = 0; k < LANE_ELEMENTS; ++k) verdicts[k] = uint(verdict(x[k]));
  store_verdicts(first, whole, verdicts);
#else
  [[unroll]] for (uint k = 0; k < LANE_ELEMENTS; ++k) x[k] = epilogue(apply(x[k]), existing(first + k));
  store_result(first, whole, x);
#endif
}

void main() {
  for (uint round = 0; round < ROUNDS; ++round) compute(unit_of_round(round) * LANE_ELEMENTS);
}
