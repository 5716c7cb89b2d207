// Elementwise operators of one operand. One variant for each kind of numbers, and one for reals with uint8 results
// (VERDICT).
#version 460
#extension GL_GOOGLE_include_directive : require
#include "extensions.glsl"

struct Table {
  uint64_t x, y;
  uint count;
  float alpha, beta;  // also clamp's limits
  uint unused;
  int64_t low, high;  // clamp's limits on integers
};
#include "common.glsl"
#include "kinds.glsl"
#include "math.glsl"
#include "broadcast.glsl"

layout(constant_id = 1) const uint TYPE = 0;
layout(constant_id = 2) const uint OP = 0;

#include "real_functions.glsl"
const uint IS_NAN = 26, IS_INFINITE = 27, LOGICAL_NOT = 28;

#ifdef REAL
#include "epilogue.glsl"
float apply(float x) { return real_unary(OP, x, table.alpha, table.beta); }
#else
Wide apply(Wide x) {
  switch (OP) {
#ifdef SIGNED
    case ABS: return x < 0 ? -x : x;
    case NEG: return -x;
    case RELU: return x < 0 ? int64_t(0) : x;
    case SIGN: return x > 0 ? int64_t(1) : x < 0 ? int64_t(-1) : int64_t(0);
#endif
    case CLAMP: {
      const Wide low = Wide(table.low), high = Wide(table.high);
      return x < low ? low : x > high ? high : x;
    }
    case LOGICAL_NOT: return x == Wide(0) ? Wide(1) : Wide(0);
  }
  return x;
}
Wide epilogue(Wide value, uint i) { return value; }
#endif

void main() {
  const uint i = invocation_index();
  if (i >= table.count) return;
  const Wide x = load_wide(table.x, TYPE, i);
#ifdef VERDICT
  Words8(table.y).at[i] = uint8_t(uint(OP == IS_NAN ? is_nan(x) : is_infinite(x)));
#else
  store_wide(table.y, TYPE, i, epilogue(apply(x), i));
#endif
}
