// Tiled conv2d on nchw: for each group the product of its filters (one row per output channel) with the input windows
// (one column per position of all batches). The windows are never written to memory.
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
#if defined(SUM_SPLITS)
#include "products/sum_splits.glsl"
#else
layout(constant_id = constant_load_a) const uint LOAD_A = 0;
layout(constant_id = constant_load_b) const uint LOAD_B = 0;         // pointwise: whether positions are loaded as vectors
layout(constant_id = constant_pointwise) const bool POINTWISE = false;  // a 1 x 1 filter, no padding: every window is an input element
#include "products/blocks.glsl"
#ifdef COOPERATIVE
const uint TOGETHER = 8;  // windows of a lane
#include "products/units.glsl"
#else
const uint TOGETHER = 4;
#include "products/tiled.glsl"
#endif
#endif

uint positions() { return uint(table.result_height * table.result_width); }

Product product() {
  return Product(table.group_outputs, table.group_inputs * uint(table.filter_height * table.filter_width),
                 table.batches * positions(), table.groups, true, false, table.end_channel);
}

/// Where the group's part of the image begins that a column's window is in.
uint image_of(uint group, uint column) {
  return (column / positions() * table.groups + group) * table.group_inputs * uint(table.height * table.width);
}
int top_of(uint column) {
  return int(column % positions() / uint(table.result_width)) * table.stride_y - table.top;
}
int left_of(uint column) { return int(column % positions() % uint(table.result_width)) * table.stride_x - table.left; }

#if !defined(SUM_SPLITS)
Strided filters;
uint64_t x_address;
uint plane, columns;
// The places of the first elements of the lane's windows, if they are inside of the input, and where the windows begin.
uint origins[TOGETHER];
int tops[TOGETHER], lefts[TOGETHER];
int height, width, filter_height, filter_width, dilation_y, dilation_x;

/// Along the inner axis, taps count within a channel: no division tells which one an index is.
struct Tap { uint channel; int row, column; };
Tap tap_of(uint k) {
  const uint taps = uint(table.filter_height * table.filter_width), tap = k % taps;
  return Tap(k / taps, int(tap) / table.filter_width, int(tap) % table.filter_width);
}
Tap lane_tap, distance;  // of the next block, and to the one behind it

void step(inout Tap tap, const Tap by) {
  tap.column += by.column;
  tap.row += by.row;
  if (tap.column >= filter_width) {
    tap.column -= filter_width;
    ++tap.row;
  }
  tap.channel += by.channel;
  if (tap.row >= filter_height) {
    tap.row -= filter_height;
    ++tap.channel;
  }
}

void begin(uint group, uint column, uint k, uint distance_of_blocks) {
  const uint inner = table.group_inputs * uint(table.filter_height * table.filter_width);
  filters = Strided(table.filters, group * table.group_outputs * inner, inner, 1, table.group_outputs);
  x_address = table.x;
  height = table.height;
  width = table.width;
  plane = uint(height * width);
  columns = table.batches * positions();
  filter_height = table.filter_height;
  filter_width = table.filter_width;
  dilation_y = table.dilation_y;
  dilation_x = table.dilation_x;
  [[unroll]] for (uint n = 0; n < TOGETHER; ++n) {
    // A window of a column beyond the last is outside of the input.
    tops[n] = column + n < columns ? top_of(column + n) : int(0x80000000u);
    lefts[n] = left_of(column + n);
    origins[n] = image_of(group, column + n) + uint(tops[n] * width + lefts[n]);
  }
  if (!POINTWISE) {
    lane_tap = tap_of(k);
    distance = tap_of(distance_of_blocks);
  }
}

#ifdef COOPERATIVE
uvec4 a_eight(uint row, uint k, uint end) { return load_eight(LOAD_A, filters, row, k, end); }

uvec4 b_eight(uint k, uint end, uint column) {
  uvec4 eight = uvec4(0);
  if (POINTWISE) {
    const uint place = origins[0] + k * plane;
    const uint count = k < end ? columns - min(column, columns) : 0;
    if ((LOAD_B & EIGHTS) != 0) {
      if (count != 0) eight = Quads(x_address).at[place / 8];
    } else if ((LOAD_B & VECTORS) != 0) {  // the second four may be of another image
      if (count != 0) eight.xy = Pairs(x_address).at[place / 4];
      if (count > 4) eight.zw = Pairs(x_address).at[(origins[4] + k * plane) / 4];
    } else {
      [[unroll]] for (uint n = 0; n < 8; ++n)
        if (n < count) eight[n / 2] |= load_half(x_address, origins[n] + k * plane) << (n % 2 * 16);
    }
    return eight;
  }
  if (k < end) {
    const int down = lane_tap.row * dilation_y, right = lane_tap.column * dilation_x;
    const uint way = lane_tap.channel * plane + uint(down * width + right);
    [[unroll]] for (uint n = 0; n < 8; ++n)
      if (uint(tops[n] + down) < uint(height) && uint(lefts[n] + right) < uint(width))
        eight[n / 2] |= load_half(x_address, origins[n] + way) << (n % 2 * 16);
  }
  step(lane_tap, distance);
  return eight;
}
#else
void a_block(uint row, uint k, uint end, out vec4 block[4]) { load_block(LOAD_A, TYPE, filters, row, k, end, block); }

void b_block(uint k, uint end, uint column, out vec4 block[4]) {
  Tap tap = lane_tap;
  [[unroll]] for (uint j = 0; j < 4; ++j) {
    vec4 values = vec4(0.0);
    if (k + j < end) {
      if (POINTWISE && (LOAD_B & VECTORS) != 0) {
        if (column < columns) values = load_four(x_address, TYPE, origins[0] + (k + j) * plane);
      } else if (POINTWISE) {
        [[unroll]] for (uint n = 0; n < 4; ++n)
          if (column + n < columns) values[n] = load_real(x_address, TYPE, origins[n] + (k + j) * plane);
      } else {
        const int down = tap.row * dilation_y, right = tap.column * dilation_x;
        const uint way = tap.channel * plane + uint(down * width + right);
        [[unroll]] for (uint n = 0; n < 4; ++n)
          if (uint(tops[n] + down) < uint(height) && uint(lefts[n] + right) < uint(width))
            values[n] = load_real(x_address, TYPE, origins[n] + way);
      }
    }
    block[j] = values;
    if (!POINTWISE) step(tap, Tap(0, 0, 1));
  }
  if (!POINTWISE) step(lane_tap, distance);
}
#endif
#endif

uint column_place;  // of the stored column in the first channel of the group

void begin_store(uint group, uint column) {
  column_place =
      (column / positions() * table.groups + group) * table.group_outputs * positions() + column % positions();
}

void store_element(uint group, uint row, uint column, float value) {
  if (HAS_BIAS) value += load_real(table.bias, TYPE, group * table.group_outputs + row);
  const uint place = column_place + row * positions();
  store_real(table.y, TYPE, place, epilogue(value, place));
}
