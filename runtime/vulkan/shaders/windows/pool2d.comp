// averagePool2d, l2Pool2d, maxPool2d on nchw, or on tensors of this shape that are channels-last: one invocation for each element of the result. Padding is not an element.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common/extensions.glsl"

struct Table {
  uint64_t x, y, carry;  // carry: the result of earlier parts of each window, 8 bytes
  uint count;
  uint first_row, end_row, first_column, end_column;  // range of the taps inside, of this part
  uint is_first, is_last;
  uint height, width, result_height, result_width, window_height, window_width;
  uint stride_y, stride_x, dilation_y, dilation_x, top, left;
  uint channels;
};
#include "common/elements.glsl"
#include "common/kinds.glsl"
#include "common/roots.glsl"

layout(constant_id = 1) const uint TYPE = 0;
layout(constant_id = 2) const uint OP = 0;
layout(constant_id = 3) const bool CHANNELS_LAST = false;

const uint AVERAGE = 0, L2 = 1, MAX = 2;

/// The maximum of nothing: the type's lowest value.
Wide least() {
#if defined(REAL)
  return -INFINITY;
#elif defined(SIGNED)
  return TYPE == INT8 ? Wide(-128) : TYPE == INT32 ? Wide(-2147483648) : Wide(1) << 63;
#else
  return Wide(0);
#endif
}

/// The taps of a window inside of the input along one axis: their number, and the position of the first. Attributes may
/// be anything below 2^32, so positions outside take 64 bits.
struct Taps {
  uint count, first;
};
Taps taps_inside(uint position, uint stride, uint padding, uint window, uint dilation, uint size) {
  const int64_t begin = int64_t(uint64_t(position) * stride) - int64_t(uint64_t(padding));
  const int64_t step = int64_t(uint64_t(dilation)), last = int64_t(uint64_t(size)) - 1;
  const int64_t first = begin >= 0 ? int64_t(0) : (step - 1 - begin) / step;
  if (begin > last || first >= int64_t(uint64_t(window)) || begin + first * step > last) return Taps(0, 0);
  const int64_t end = min(int64_t(uint64_t(window)), (last - begin) / step + 1);
  return Taps(uint(uint64_t(end - first)), uint(uint64_t(begin + first * step)));
}

#ifdef REAL
Wide carried(uint i) { return Floats(table.carry).at[2 * i]; }
void carry(uint i, Wide total) { Floats(table.carry).at[2 * i] = total; }
#else
Wide carried(uint i) { return Wide(Words64(table.carry).at[i]); }
void carry(uint i, Wide total) { Words64(table.carry).at[i] = uint64_t(total); }
#endif

/// A window's taps of this part.
struct Window {
  uint first, row_step, column_step;  // elements of the input
  uint end_row, end_column;
};
Wide tap(Window window, uint line, uint column) {
  return load_wide(table.x, TYPE, window.first + line * window.row_step + column * window.column_step);
}

/// `total` with the taps of this part; for L2 with the squares of their products with `scale`. Long sums have steps, which
/// are added up with what the additions round off.
Wide with_taps(Window window, Wide total, Wide scale) {
  const uint most_of_step = 256;
  Wide step = Wide(0);
#ifdef REAL
  precise float lost = 0.0;
#endif
  uint of_step = 0;
  for (uint r = table.first_row; r < window.end_row; ++r)
    for (uint c = table.first_column; c < window.end_column; ++c) {
      const Wide value = tap(window, r, c);
      if (OP == MAX) {
        total = wide_is_nan(total) || total > value ? total : value;
        continue;
      }
      step += OP == L2 ? (value * scale) * (value * scale) : value;
      if (++of_step < most_of_step) continue;
#ifdef REAL
      precise float next = total + step;
      precise float added = next - total;
      precise float error = (total - (next - added)) + (step - added);
      lost += error;
      total = next;
#else
      total += step;
#endif
      step = Wide(0);
      of_step = 0;
    }
#ifdef REAL
  if (lost != 0.0 && !is_infinite(total)) step += lost;  // an infinite sum has lost nothing
#endif
  return OP == MAX ? total : total + step;
}
#ifdef REAL
/// The root of the sum of the squares of all taps until the end of this part.
float root_until(Window window, float before) {
  float sum = with_taps(window, 0.0, 1.0);
  const float scale = scale_of_squares(sqrt(sum));
  if (scale != 1.0) sum = with_taps(window, 0.0, scale);
  const float own = scaled_root(sum, scale);
  return table.is_first == 0 ? root_of_both(before, own) : own;
}
#endif

void main() {
  const uint i = invocation_index();
  if (i >= table.count) return;
  const uint channel = CHANNELS_LAST ? i % table.channels : 0, position = CHANNELS_LAST ? i / table.channels : i;
  const uint column = position % table.result_width, row = position / table.result_width % table.result_height;
  const uint plane = position / table.result_width / table.result_height;  // channels-last: an image
  const uint neighbours = CHANNELS_LAST ? table.channels : 1;              // the distance of elements of a line
  const Taps rows =
      taps_inside(row, table.stride_y, table.top, table.window_height, table.dilation_y, table.height);
  const Taps columns =
      taps_inside(column, table.stride_x, table.left, table.window_width, table.dilation_x, table.width);
  const Window window =
      Window(((plane * table.height + rows.first) * table.width + columns.first) * neighbours + channel,
             table.dilation_y * table.width * neighbours, table.dilation_x * neighbours,
             min(rows.count, table.end_row), min(columns.count, table.end_column));
  const Wide before = table.is_first == 0 ? carried(i) : OP == MAX ? least() : Wide(0);
#ifdef REAL
  Wide total = OP == L2 ? root_until(window, before) : with_taps(window, before, Wide(1));
#else
  const Wide total = with_taps(window, before, Wide(1));
#endif
  if (table.is_last == 0) {
    carry(i, total);
    return;
  }
#ifdef REAL
  const uint taps = rows.count * columns.count;
  if (OP == AVERAGE) total = taps == 0 ? 0.0 : total / float(taps);
#endif
  store_wide(table.y, TYPE, i, total);
}
