// Convolutions by Winograd's F(2 x 2, 3 x 3), the last step: A^T m A of the 16 sums m of a block of 2 x 2 results.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common/extensions.glsl"

struct Table {
  uint64_t sums, bias, y;
  uint channels, blocks, line;  // as in winograd_input.comp, of output channels
  int height, width, block_rows, block_columns;  // height, width: of the result
};
#include "common/elements.glsl"
#include "common/math.glsl"
#include "common/broadcast.glsl"

layout(constant_id = 1) const uint TYPE = 0;
layout(constant_id = 2) const bool HAS_BIAS = false;

#include "common/real_functions.glsl"
#include "common/epilogue.glsl"

void main() {
  const uint i = invocation_index();
  if (i >= table.channels * table.blocks) return;
  const uint block = i % table.blocks, channel = i / table.blocks;
  const uint matrix = table.channels * table.line, from = channel * table.line + block;
  vec4 m[4];
  [[unroll]] for (uint y = 0; y < 4; ++y)
    [[unroll]] for (uint x = 0; x < 4; ++x) m[y][x] = Floats(table.sums).at[(y * 4 + x) * matrix + from];
  const vec4 lines[2] = vec4[](m[0] + m[1] + m[2], m[1] - m[2] - m[3]);
  const uint row = block / uint(table.block_columns) % uint(table.block_rows) * 2;
  const uint column = block % uint(table.block_columns) * 2;
  const uint image = block / uint(table.block_columns) / uint(table.block_rows);
  const uint plane = (image * table.channels + channel) * uint(table.height * table.width);
  const float bias = HAS_BIAS ? load_real(table.bias, TYPE, channel) : 0.0;
  [[unroll]] for (uint y = 0; y < 2; ++y) {
    const vec4 line = lines[y];
    const vec2 values = vec2(line.x + line.y + line.z, line.y - line.z - line.w);
    [[unroll]] for (uint x = 0; x < 2; ++x) {
      if (row + y >= uint(table.height) || column + x >= uint(table.width)) continue;
      const uint place = plane + (row + y) * uint(table.width) + column + x;
      store_real(table.y, TYPE, place, epilogue(values[x] + bias, place));
    }
  }
}
