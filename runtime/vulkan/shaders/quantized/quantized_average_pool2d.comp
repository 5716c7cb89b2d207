// @quantizedAveragePool2d of channels-last tensors: an invocation computes four neighbouring channels. Padding is not an
// element.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common/extensions.glsl"

struct Table {
  uint64_t x, y;
  uint batches, channels;
  int height, width, result_height, result_width, window_height, window_width;
  int stride_y, stride_x, dilation_y, dilation_x, top, left;
  int zero_point, result_zero_point;
  float input_scale, result_scale;
};
#include "common/elements.glsl"
#include "common/math.glsl"
#include "quantized/bytes.glsl"

layout(constant_id = 1) const uint X_TYPE = INT8;
layout(constant_id = 2) const uint Y_TYPE = INT8;
layout(constant_id = 3) const bool WORDS = false;  // the channels fill words

void main() {
  const uint quads = (table.channels + 3) / 4, i = invocation_index();
  const uint channel = i % quads * 4, position = i / quads;
  const uint positions = uint(table.result_height * table.result_width), batch = position / positions;
  if (batch >= table.batches) return;
  const int top = int(position % positions / uint(table.result_width)) * table.stride_y - table.top;
  const int left = int(position % positions % uint(table.result_width)) * table.stride_x - table.left;
  const uint count = min(table.channels - channel, 4);
  ivec4 sums = ivec4(0);
  int taps = 0;
  for (int r = 0; r < table.window_height; ++r) {
    const int y = top + r * table.dilation_y;
    if (y < 0 || y >= table.height) continue;
    for (int c = 0; c < table.window_width; ++c) {
      const int x = left + c * table.dilation_x;
      if (x < 0 || x >= table.width) continue;
      const uint place = ((batch * uint(table.height) + uint(y)) * uint(table.width) + uint(x)) * table.channels + channel;
      sums += ivec4(numbers_of(load_bytes(table.x, WORDS, place, count), X_TYPE));
      ++taps;
    }
  }
  uint word = 0;
  [[unroll]] for (uint k = 0; k < 4; ++k) {
    precise float sum = float(sums[k] - taps * table.zero_point) * table.input_scale;
    const float mean = taps == 0 ? 0.0 : quotient(sum, float(taps));
    word |= quantized(mean, table.result_scale, table.result_zero_point, Y_TYPE) << (8 * k);
  }
  store_bytes(table.y, WORDS, position * table.channels + channel, count, word);
}
