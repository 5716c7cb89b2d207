// Convolutions with 3 x 3 filters by Winograd's F(2 x 2, 3 x 3), the first step: each block of 2 x 2 results sees a
// patch d of 4 x 4 elements of each input channel, of which B^T d B is stored, as 16 matrices of channels and blocks.
// The following product has fewer than half of the multiplications of the convolution.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common/extensions.glsl"

struct Table {
  uint64_t x, patches;
  uint channels, blocks, line;  // line: of a matrix; its elements beyond the blocks are 0
  int height, width, block_rows, block_columns, top, left;
};
#include "common/elements.glsl"

layout(constant_id = 1) const uint TYPE = 0;

void main() {
  const uint i = invocation_index();
  if (i >= table.channels * table.line) return;
  const uint block = i % table.line, channel = i / table.line;
  const uint row = block / uint(table.block_columns) % uint(table.block_rows);
  const uint image = block / uint(table.block_columns) / uint(table.block_rows);
  const int top = int(row) * 2 - table.top, left = int(block % uint(table.block_columns)) * 2 - table.left;
  const uint plane = (image * table.channels + channel) * uint(table.height * table.width);
  vec4 d[4], t[4];
  [[unroll]] for (int y = 0; y < 4; ++y) {
    d[y] = vec4(0.0);
    [[unroll]] for (int x = 0; x < 4; ++x)
      if (block < table.blocks && uint(top + y) < uint(table.height) && uint(left + x) < uint(table.width))
        d[y][x] = load_real(table.x, TYPE, plane + uint((top + y) * table.width + left + x));
  }
  t[0] = d[0] - d[2];
  t[1] = d[1] + d[2];
  t[2] = d[2] - d[1];
  t[3] = d[1] - d[3];
  const uint matrix = table.channels * table.line;
  [[unroll]] for (uint y = 0; y < 4; ++y) {
    const vec4 line = vec4(t[y].x - t[y].z, t[y].y + t[y].z, t[y].z - t[y].y, t[y].y - t[y].w);
    [[unroll]] for (uint x = 0; x < 4; ++x) Floats(table.patches).at[(y * 4 + x) * matrix + i] = line[x];
  }
}
