// For measurements: multiplications and additions in registers and nothing else, to find out how many a device does. With
// DOTS of bytes, four products and their sum at a time; otherwise of float32.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common/extensions.glsl"
#ifdef DOTS
#include "quantized/dots.glsl"
#endif

struct Table {
  uint64_t y;
  uint count, turns;
};
#include "common/elements.glsl"

#ifdef DOTS
#define Sums ivec4
#else
#define Sums vec4
#endif

void main() {
  const uint i = invocation_index();
  if (i >= table.count) return;
  // Eight chains of vectors, because one operation waits for the result of another.
  Sums sums[8];
  [[unroll]] for (uint k = 0; k < 8; ++k) sums[k] = Sums(i, k, i + k, 1);
#ifdef DOTS
  const uint factors = i * 2654435761u | 0x01010101u;
  [[dont_unroll]] for (uint turn = 0; turn < table.turns; ++turn)
    [[unroll]] for (uint k = 0; k < 8; ++k)
      [[unroll]] for (uint n = 0; n < 4; ++n) sums[k][n] += dot_of_bytes(uint(sums[k][n]), factors, 0);
#else
  const vec4 factor = vec4(0.5), term = vec4(1.0 / float(i + 1));  // the factor keeps sums from growing
  [[dont_unroll]] for (uint turn = 0; turn < table.turns; ++turn)
    [[unroll]] for (uint k = 0; k < 8; ++k) sums[k] = fma(sums[k], factor, term);
#endif
  Sums all = Sums(0);
  [[unroll]] for (uint k = 0; k < 8; ++k) all += sums[k];
  store_real(table.y, FLOAT32, i, float(all.x + all.y + all.z + all.w));
}
