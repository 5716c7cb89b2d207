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
#include "common/broadcast.glsl"

layout(constant_id = 1) const uint TYPE = 0;
layout(constant_id = 2) const uint OP = 0;

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

void main() {
  const uint i = invocation_index();
  if (i >= table.count) return;
  const Wide x = load_wide(table.x, TYPE, i);
#ifdef VERDICT
  Words8(table.y).at[i] = uint8_t(uint(verdict(x)));
#else
  store_wide(table.y, TYPE, i, epilogue(apply(x), i));
#endif
}
