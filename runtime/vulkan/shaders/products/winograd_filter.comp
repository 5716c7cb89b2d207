// Convolutions by Winograd's F(2 x 2, 3 x 3), for filters that are not packed: G g G^T of each 3 x 3 filter g, stored
// as 16 matrices of output and input channels (kernels/products/winograd.cpp packs the same).
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common/extensions.glsl"

struct Table {
  uint64_t filters, matrices;
  uint count;  // of pairs of channels
};
#include "common/elements.glsl"

layout(constant_id = 1) const uint TYPE = 0;

void main() {
  const uint i = invocation_index();
  if (i >= table.count) return;
  vec3 g[3], t[4];
  [[unroll]] for (uint y = 0; y < 3; ++y)
    [[unroll]] for (uint x = 0; x < 3; ++x) g[y][x] = load_real(table.filters, TYPE, i * 9 + y * 3 + x);
  t[0] = g[0];
  t[1] = 0.5 * (g[0] + g[1] + g[2]);
  t[2] = 0.5 * (g[0] - g[1] + g[2]);
  t[3] = g[2];
  [[unroll]] for (uint y = 0; y < 4; ++y) {
    const float sum = t[y].x + t[y].z;
    const vec4 line = vec4(t[y].x, 0.5 * (sum + t[y].y), 0.5 * (sum - t[y].y), t[y].z);
    [[unroll]] for (uint x = 0; x < 4; ++x) Floats(table.matrices).at[(y * 4 + x) * table.count + i] = line[x];
  }
}
