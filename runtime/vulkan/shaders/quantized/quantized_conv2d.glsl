// Shared by the shaders of @quantizedConv2d, whose tensors are channels-last: their parameter table and constants, and
// how sums become results. Sums of products are exact integers; everything behind them is done as the operators that
// the call stands for say.
struct Table {
  uint64_t x, filters, bias, filter_scale, y;
  uint64_t carry;  // int32 sums of the parts of the inner axis, one for each element of the result and part
  uint part;       // of the inner axis, in words
  uint batches, channels, outputs;
  int height, width, result_height, result_width, filter_height, filter_width;
  int stride_y, stride_x, dilation_y, dilation_x, top, left;
  int zero_point, result_zero_point;
  float input_scale, result_scale;
};
#include "common/elements.glsl"
#include "common/math.glsl"
#include "quantized/bytes.glsl"

layout(constant_id = 1) const uint X_TYPE = INT8;
layout(constant_id = 2) const uint Y_TYPE = INT8;  // or FLOAT32
layout(constant_id = 3) const bool HAS_BIAS = false;
layout(constant_id = 4) const bool PACKED = false;  // the filters, see kernels/quantized/packed_filters.hpp

uint positions() { return uint(table.result_height * table.result_width); }

/// What the sum of products stands for.
float value_of(int sum, uint channel) {
  precise float scale = table.input_scale * Floats(table.filter_scale).at[channel];
  precise float value = float(sum) * scale;
  if (HAS_BIAS) value += Floats(table.bias).at[channel];
  return value;
}

/// Stores the results of four neighbouring channels at a position.
void store_results(uint position, uint channel, ivec4 sums) {
  const uint place = position * table.outputs + channel, count = min(table.outputs - channel, 4);
  uint word = 0;
  [[unroll]] for (uint i = 0; i < 4; ++i) {
    if (i >= count) continue;
    const float value = value_of(sums[i], channel + i);
    if (Y_TYPE == FLOAT32) Floats(table.y).at[place + i] = value;
    else word |= quantized(value, table.result_scale, table.result_zero_point, Y_TYPE) << (8 * i);
  }
  if (Y_TYPE == FLOAT32) return;
  if (table.outputs % 4 == 0) store_bytes(table.y, true, place, 4, word);
  else store_bytes(table.y, false, place, count, word);
}
