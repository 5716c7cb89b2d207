// averagePool2d, l2Pool2d, maxPool2d on nchw: one invocation for each element of the result. Padding is no element.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "extensions.glsl"

struct Table {
  uint64_t x, y;
  uint count;
  int height, width, result_height, result_width, window_height, window_width;
  int stride_y, stride_x, dilation_y, dilation_x, top, left;
};
#include "common.glsl"
#include "kinds.glsl"

layout(constant_id = 1) const uint TYPE = 0;
layout(constant_id = 2) const uint OP = 0;

const uint AVERAGE = 0, L2 = 1, MAX = 2;

/// What a maximum of nothing is: the type's least value.
Wide least() {
#if defined(REAL)
  return -INFINITY;
#elif defined(SIGNED)
  return TYPE == INT8 ? Wide(-128) : TYPE == INT32 ? Wide(-2147483648) : Wide(1) << 63;
#else
  return Wide(0);
#endif
}

/// The taps k of 0..count-1 for which begin + k * dilation lies in 0..size-1.
ivec2 taps_inside(int count, int dilation, int begin, int size) {
  const int first = begin >= 0 ? 0 : (-begin + dilation - 1) / dilation;
  const int end = begin >= size ? 0 : min(count, (size - 1 - begin) / dilation + 1);
  return ivec2(first, max(first, end));
}

void main() {
  const uint i = invocation_index();
  if (i >= table.count) return;
  const int column = int(i) % table.result_width, row = int(i) / table.result_width % table.result_height;
  const int plane = int(i) / table.result_width / table.result_height;
  const int y = row * table.stride_y - table.top, x = column * table.stride_x - table.left;
  const ivec2 rows = taps_inside(table.window_height, table.dilation_y, y, table.height);
  const ivec2 columns = taps_inside(table.window_width, table.dilation_x, x, table.width);
  Wide total = OP == MAX ? least() : Wide(0);
  for (int r = rows.x; r < rows.y; ++r)
    for (int c = columns.x; c < columns.y; ++c) {
      const int place = (plane * table.height + y + r * table.dilation_y) * table.width + x + c * table.dilation_x;
      const Wide value = load_wide(table.x, TYPE, uint(place));
      if (OP == MAX) total = wide_is_nan(total) || total > value ? total : value;
      else total += OP == L2 ? value * value : value;
    }
#ifdef REAL
  if (OP == L2) total = sqrt(total);
  const int taps = (rows.y - rows.x) * (columns.y - columns.x);
  if (OP == AVERAGE) total = taps == 0 ? 0.0 : total / float(taps);
#endif
  store_wide(table.y, TYPE, i, total);
}
