// conv2d on nchw with oihw filters, and convTranspose2d with iohw filters, which gathers what each input element would
// spread. An invocation computes four channels at four neighbouring columns, so that each loaded element is used four
// times.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common/extensions.glsl"
#include "products/conv2d_table.glsl"
#include "common/elements.glsl"
#include "common/math.glsl"
#include "common/broadcast.glsl"

layout(constant_id = 1) const uint TYPE = 0;
layout(constant_id = 2) const bool HAS_BIAS = false;
layout(constant_id = 3) const bool TRANSPOSED = false;
layout(constant_id = 4) const bool WIDE = false;

#include "common/real_functions.glsl"
#include "common/epilogue.glsl"

/// The input row or column that a tap reads; -1: none. Strides, dilations and padding may be anything below 2^32; WIDE
/// is set when positions may reach 2^31.
int source_of(int position, int tap, int stride, int dilation, int padding, int size) {
  if (WIDE) {
    const int64_t wide_stride = int64_t(uint64_t(uint(stride))), wide_padding = int64_t(uint64_t(uint(padding)));
    const int64_t way = int64_t(tap) * int64_t(uint64_t(uint(dilation)));
    int64_t source;
    if (TRANSPOSED) {
      const int64_t spread = int64_t(position) + wide_padding - way;
      if (spread < 0 || spread % wide_stride != 0) return -1;
      source = spread / wide_stride;
    } else {
      source = int64_t(position) * wide_stride + way - wide_padding;
    }
    return source >= 0 && source < int64_t(size) ? int(source) : -1;
  }
  if (!TRANSPOSED) {
    const int source = position * stride + tap * dilation - padding;
    return source >= 0 && source < size ? source : -1;
  }
  const int spread = position + padding - tap * dilation;
  if (spread < 0 || spread % stride != 0) return -1;
  const int source = spread / stride;
  return source < size ? source : -1;
}

void main() {
  const uint column_blocks = (uint(table.result_width) + 3) / 4, channel_blocks = (table.group_outputs + 3) / 4;
  const uint i = invocation_index();
  uint rest = i;
  const int column = int(rest % column_blocks * 4);
  rest /= column_blocks;
  const int row = int(rest % uint(table.result_height));
  rest /= uint(table.result_height);
  const uint channel = rest % channel_blocks * 4;  // within the group
  rest /= channel_blocks;
  const uint group = rest % table.groups, batch = rest / table.groups;
  if (batch >= table.batches) return;

  const uint taps = uint(table.filter_height * table.filter_width);
  const uint filter_step = TRANSPOSED ? taps : table.group_inputs * taps;          // distance between output channels
  const uint input_step = TRANSPOSED ? table.group_outputs * taps : taps;          // distance between input channels
  const uint filter_start = TRANSPOSED ? group * table.group_inputs * input_step : group * table.group_outputs * filter_step;
  const uvec4 filters =
      filter_start + min(channel + uvec4(0, 1, 2, 3), uvec4(table.group_outputs - 1)) * filter_step;
  const uint plane = uint(table.height * table.width);
  const uint input_start = (batch * table.groups + group) * table.group_inputs * plane;

  vec4 s0 = vec4(0.0), s1 = vec4(0.0), s2 = vec4(0.0), s3 = vec4(0.0);
  for (int r = int(table.first_row); r < int(table.end_row); ++r) {
    const int y = source_of(row, r, table.stride_y, table.dilation_y, table.top, table.height);
    if (y < 0) continue;
    for (int c = 0; c < table.filter_width; ++c) {
      ivec4 x;
      for (int n = 0; n < 4; ++n)
        x[n] = source_of(column + n, c, table.stride_x, table.dilation_x, table.left, table.width);
      const bvec4 outside = lessThan(x, ivec4(0));
      if (all(outside)) continue;
      uvec4 at_x = input_start + table.first_channel * plane + uint(y * table.width) + uvec4(max(x, ivec4(0)));
      uvec4 at_filter = filters + table.first_channel * input_step + uint(r * table.filter_width + c);
      for (uint k = table.first_channel; k < table.end_channel; ++k) {
        vec4 values = vec4(load_real(table.x, TYPE, at_x.x), load_real(table.x, TYPE, at_x.y),
                           load_real(table.x, TYPE, at_x.z), load_real(table.x, TYPE, at_x.w));
        // Nothing is multiplied outside of the input, because an infinite weight times 0 is NaN.
        s0 += mix(load_real(table.filters, TYPE, at_filter.x) * values, vec4(0.0), outside);
        s1 += mix(load_real(table.filters, TYPE, at_filter.y) * values, vec4(0.0), outside);
        s2 += mix(load_real(table.filters, TYPE, at_filter.z) * values, vec4(0.0), outside);
        s3 += mix(load_real(table.filters, TYPE, at_filter.w) * values, vec4(0.0), outside);
        at_x += plane;
        at_filter += input_step;
      }
    }
  }
  for (uint m = 0; m < 4 && channel + m < table.group_outputs; ++m) {
    const vec4 sums = m == 0 ? s0 : m == 1 ? s1 : m == 2 ? s2 : s3;
    const uint output_channel = group * table.group_outputs + channel + m;
    const float bias = HAS_BIAS && table.is_last != 0 ? load_real(table.bias, TYPE, output_channel) : 0.0;
    const uint place =
        ((batch * table.groups * table.group_outputs + output_channel) * uint(table.result_height) + uint(row)) *
            uint(table.result_width) + uint(column);
    for (uint n = 0; n < 4 && column + int(n) < table.result_width; ++n) {
      float value = bias + (n == 0 ? sums.x : n == 1 ? sums.y : n == 2 ? sums.z : sums.w);
      if (table.is_first == 0) value += Floats(table.carry).at[place + n];
      if (table.is_last == 0) Floats(table.carry).at[place + n] = value;
      else store_real(table.y, TYPE, place + n, epilogue(value, place + n));
    }
  }
}
