// The ten reductions. One variant for each kind of numbers.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common/extensions.glsl"

struct Table {
  uint64_t x, y, carry;  // carry: the result of earlier parts of each row, 8 bytes
  uint rows, count;      // number of results; elements of each
  uint first, end;       // range within the elements of a result, of this part
  uint kept_rank, reduced_rank;
  uint kept_shape[8];
  int kept_strides[8];
  uint reduced_shape[8];
  int reduced_strides[8];
};
#include "common/elements.glsl"
#include "common/kinds.glsl"
#include "common/math.glsl"
#include "common/broadcast.glsl"
#include "common/roots.glsl"
#include "rows/groups.glsl"

layout(constant_id = 1) const uint TYPE = 0;
layout(constant_id = 2) const uint OP = 0;

#include "rows/reductions.glsl"

uint start;
Wide element(uint n) {
  return load_wide(table.x, TYPE, start + place_of(2, n, table.reduced_rank, table.reduced_shape, table.reduced_strides));
}

#ifdef REAL
/// The root of the sum of the squares of the row's elements. `sum`: those of this invocation.
float fold_root(float sum) {
  float scale = scale_of_squares(sqrt(sum));
  if (scale != 1.0) {
    sum = 0.0;
    for (uint n = first_of_part(table.first); n < table.end; n += element_step()) sum += scaled_square(element(n), scale);
  }
  const float own = scaled_root(sum, scale);
  if (!TOGETHER) return own;
  scale = scale_of_squares(fold_lanes(MAX, own));
  return scaled_root(fold_lanes(SUM, scaled_square(own, scale)), scale);
}
#endif

void main() {
  const uint row = row_index();
  if (row >= table.rows) return;
  start = place_of(2, row, table.kept_rank, table.kept_shape, table.kept_strides);
  Wide result;
#ifdef REAL
  if (OP == LOG_SUM_EXP) {
    float greatest = -INFINITY, sum = 0.0, old = -INFINITY, old_sum = 0.0;
    if (table.first != 0) {
      old = Floats(table.carry).at[2 * row];
      old_sum = Floats(table.carry).at[2 * row + 1];
    }
    for (uint n = first_of_part(table.first); n < table.end; n += element_step())
      greatest = combine(MAX, greatest, element(n));
    greatest = combine(MAX, old, fold_lanes(MAX, greatest));
    result = greatest;
    if (!is_nan(greatest) && !is_infinite(greatest)) {
      for (uint n = first_of_part(table.first); n < table.end; n += element_step())
        sum += exponential(element(n) - greatest);
      sum = fold_lanes(SUM, sum) + old_sum * exponential(old - greatest);
      result = greatest + logarithm(sum);
    }
    if (first_element() != 0) return;
    if (table.end == table.count) {
      store_wide(table.y, TYPE, row, result);
    } else {
      Floats(table.carry).at[2 * row] = greatest;
      Floats(table.carry).at[2 * row + 1] = sum;
    }
    return;
  }
#endif
  Wide total = neutral(OP);
  for (uint n = first_of_part(table.first); n < table.end; n += element_step()) total = combine(OP, total, map(element(n)));
#ifdef REAL
  result = OP == L2 ? fold_root(total) : fold_lanes(OP, total);
#else
  result = fold_lanes(OP, total);
#endif
  if (first_element() != 0) return;
#ifdef REAL
  if (table.first != 0) {
    const float before = Floats(table.carry).at[2 * row];
    result = OP == L2 ? root_of_both(before, result) : combine(OP, before, result);
  }
  if (table.end != table.count) {
    Floats(table.carry).at[2 * row] = result;
    return;
  }
#else
  if (table.first != 0) result = combine(OP, Wide(Words64(table.carry).at[row]), result);
  if (table.end != table.count) {
    Words64(table.carry).at[row] = uint64_t(result);
    return;
  }
#endif
  store_wide(table.y, TYPE, row, finished(result, table.count));
}
