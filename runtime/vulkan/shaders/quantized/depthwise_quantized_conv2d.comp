// @quantizedConv2d with one input channel for each output channel. An invocation computes four neighbouring channels at
// four neighbouring positions of a row, so that each loaded weight is used four times. The sums of at most 512 products
// are exact in float32.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common/extensions.glsl"
#include "quantized/quantized_conv2d.glsl"

const int SIDE_BY_SIDE = 4;

void main() {
  const uint quads = (table.outputs + 3) / 4;
  const uint blocks = (uint(table.result_width) + SIDE_BY_SIDE - 1) / SIDE_BY_SIDE;
  const uint i = invocation_index();
  const uint channel = i % quads * 4;
  const int column = int(i / quads % blocks) * SIDE_BY_SIDE;
  const uint line = i / quads / blocks;  // of the result, counted over all batches
  if (line >= table.batches * uint(table.result_height)) return;
  const uint batch = line / uint(table.result_height);
  const int row = int(line % uint(table.result_height));

  const int width = table.width, step = table.stride_x;
  const uint channels = table.channels, count = min(channels - channel, 4), taps = uint(table.filter_height * table.filter_width);
  const bool words = channels % 4 == 0;
  const float zero_point = float(table.zero_point);
  vec4 sums[SIDE_BY_SIDE];
  [[unroll]] for (int n = 0; n < SIDE_BY_SIDE; ++n) sums[n] = vec4(0.0);
  for (int r = 0; r < table.filter_height; ++r) {
    const int y = row * table.stride_y + r * table.dilation_y - table.top;
    if (y < 0 || y >= table.height) continue;
    const uint x_line = (batch * uint(table.height) + uint(y)) * uint(width);
    for (int c = 0; c < table.filter_width; ++c) {
      const uint tap = uint(r * table.filter_width + c);
      uint filter_word = 0;
      if (PACKED) {
        filter_word = Words32(table.filters).at[tap * quads + channel / 4];
      } else {
        [[unroll]] for (uint k = 0; k < 4; ++k)
          if (k < count) filter_word |= uint(Words8(table.filters).at[(channel + k) * taps + tap]) << (8 * k);
      }
      const vec4 weights = numbers_of(filter_word, INT8);
      const int left = column * step + c * table.dilation_x - table.left;
      [[unroll]] for (int n = 0; n < SIDE_BY_SIDE; ++n) {
        const int source = left + n * step;
        if (source < 0 || source >= width) continue;
        const uint place = (x_line + uint(source)) * channels + channel;
        const uint word = words ? load_bytes(table.x, true, place, 4) : load_bytes(table.x, false, place, count);
        sums[n] += weights * (numbers_of(word, X_TYPE) - zero_point);
      }
    }
  }
  [[unroll]] for (int n = 0; n < SIDE_BY_SIDE; ++n)
    if (column + n < table.result_width) store_results(line * uint(table.result_width) + uint(column + n), channel, ivec4(sums[n]));
}
