// conv2d on nchw with one input channel per group and oihw filters. An invocation computes eight adjacent elements of
// one channel, so that each loaded weight is used eight times.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common/extensions.glsl"
#include "products/conv2d_table.glsl"
#include "common/elements.glsl"
#include "common/math.glsl"
#include "common/broadcast.glsl"

layout(constant_id = 1) const uint TYPE = 0;
layout(constant_id = 2) const bool HAS_BIAS = false;

#include "common/real_functions.glsl"
#include "common/epilogue.glsl"

const int SIDE_BY_SIDE = 8;

void main() {
  const uint blocks = (uint(table.result_width) + SIDE_BY_SIDE - 1) / SIDE_BY_SIDE;
  const uint i = invocation_index();
  const int column = int(i % blocks) * SIDE_BY_SIDE, row = int(i / blocks % uint(table.result_height));
  const uint image = i / blocks / uint(table.result_height);  // of the result
  const uint channels = table.groups * table.group_outputs;
  if (image >= table.batches * channels) return;
  const uint channel = image % channels;

  const uint64_t x = table.x, filters = table.filters;
  const int width = table.width, step = table.stride_x;
  const uint plane = uint(table.height * width);
  const uint x_start = (image / channels * table.groups + channel / table.group_outputs) * plane;
  const uint filter_start = channel * uint(table.filter_height * table.filter_width);
  float sums[SIDE_BY_SIDE];
  [[unroll]] for (int n = 0; n < SIDE_BY_SIDE; ++n) sums[n] = HAS_BIAS ? load_real(table.bias, TYPE, channel) : 0.0;
  for (int r = 0; r < table.filter_height; ++r) {
    const int y = row * table.stride_y + r * table.dilation_y - table.top;
    if (y < 0 || y >= table.height) continue;
    for (int c = 0; c < table.filter_width; ++c) {
      const float weight = load_real(filters, TYPE, filter_start + uint(r * table.filter_width + c));
      const int left = column * step + c * table.dilation_x - table.left;
      [[unroll]] for (int n = 0; n < SIDE_BY_SIDE; ++n) {
        const int source = left + n * step;
        if (source >= 0 && source < width) sums[n] += weight * load_real(x, TYPE, x_start + uint(y * width + source));
      }
    }
  }
  const uint place = (image * uint(table.result_height) + uint(row)) * uint(table.result_width) + uint(column);
  for (int n = 0; n < SIDE_BY_SIDE && column + n < table.result_width; ++n)
    store_real(table.y, TYPE, place + uint(n), epilogue(sums[n], place + uint(n)));
}
