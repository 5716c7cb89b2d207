// For measurements: multiplications and additions in registers and nothing else, to find out how many a device does.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common/extensions.glsl"

struct Table {
  uint64_t y;
  uint count, turns;
};
#include "common/elements.glsl"

void main() {
  const uint i = invocation_index();
  if (i >= table.count) return;
  // Eight chains of vectors, because one operation waits for the result of another. The factor keeps them from growing.
  vec4 sums[8];
  [[unroll]] for (uint k = 0; k < 8; ++k) sums[k] = vec4(i, k, i + k, 1.0);
  const vec4 factor = vec4(0.5), term = vec4(1.0 / float(i + 1));
  [[dont_unroll]] for (uint turn = 0; turn < table.turns; ++turn)
    [[unroll]] for (uint k = 0; k < 8; ++k) sums[k] = fma(sums[k], factor, term);
  vec4 all = vec4(0.0);
  [[unroll]] for (uint k = 0; k < 8; ++k) all += sums[k];
  store_real(table.y, FLOAT32, i, all.x + all.y + all.z + all.w);
}
