// Tiled conv2d on nchw: for each group the product of its filters (one row per output channel) with the input windows
// (one column per position of all batches). The windows are never written to memory.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "extensions.glsl"
#include "conv2d_table.glsl"
#include "common.glsl"
#include "math.glsl"
#include "broadcast.glsl"

layout(constant_id = 1) const uint TYPE = 0;
layout(constant_id = 2) const bool HAS_BIAS = false;

#include "real_functions.glsl"
#include "epilogue.glsl"
#ifdef COOPERATIVE
#include "cooperative.glsl"
#else
#include "tiled.glsl"
#endif

uint64_t x_address, filters_address;
uint inner, taps, filter_width, filter_start, plane, image_start;
int top, left, height, width, dilation_y, dilation_x;  // top and left of the lane's window

uint positions() { return uint(table.result_height * table.result_width); }

Product product() {
  return Product(table.group_outputs, table.group_inputs * uint(table.filter_height * table.filter_width),
                 table.batches * positions(), table.groups, true, false);
}

void begin(uint group, uint lane_column) {
  x_address = table.x;
  filters_address = table.filters;
  taps = uint(table.filter_height * table.filter_width);
  filter_width = uint(table.filter_width);
  inner = table.group_inputs * taps;
  filter_start = group * table.group_outputs * inner;
  height = table.height;
  width = table.width;
  plane = uint(height * width);
  dilation_y = table.dilation_y;
  dilation_x = table.dilation_x;
  const uint batch = lane_column / positions(), position = lane_column % positions();
  image_start = (batch * table.groups + group) * table.group_inputs * plane;
  top = int(position / uint(table.result_width)) * table.stride_y - table.top;
  left = int(position % uint(table.result_width)) * table.stride_x - table.left;
}

float a_element(uint row, uint k) { return load_real(filters_address, TYPE, filter_start + row * inner + k); }

float b_element(uint k, uint column) {
  const uint channel = k / taps, tap = k % taps;
  const int y = top + int(tap / filter_width) * dilation_y, x = left + int(tap % filter_width) * dilation_x;
  if (y < 0 || y >= height || x < 0 || x >= width) return 0.0;
  return load_real(x_address, TYPE, image_start + channel * plane + uint(y * width + x));
}

void store_element(uint group, uint row, uint column, float value) {
  const uint channel = group * table.group_outputs + row;
  if (HAS_BIAS) value += load_real(table.bias, TYPE, channel);
  const uint batch = column / positions(), position = column % positions();
  const uint place = (batch * table.groups * table.group_outputs + channel) * positions() + position;
  store_real(table.y, TYPE, place, epilogue(value, place));
}
