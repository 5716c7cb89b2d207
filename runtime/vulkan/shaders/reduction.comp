// The ten reductions. One variant for each kind of numbers.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "extensions.glsl"

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
#include "common.glsl"
#include "kinds.glsl"
#include "math.glsl"
#include "broadcast.glsl"
#include "groups.glsl"

layout(constant_id = 1) const uint TYPE = 0;
layout(constant_id = 2) const uint OP = 0;

// In the order of the rows in kernels/reduction.cpp.
const uint L1 = 0, L2 = 1, LOG_SUM = 2, LOG_SUM_EXP = 3, MAX = 4, MEAN = 5, MIN = 6, PRODUCT = 7, SUM = 8,
           SUM_SQUARE = 9;

Wide combine(const uint how, Wide a, Wide b) {
  switch (how) {
    case MAX: return wide_is_nan(a) || a > b ? a : b;  // NaN if any element is
    case MIN: return wide_is_nan(a) || a < b ? a : b;
    case PRODUCT: return a * b;
    default: return a + b;
  }
}
Wide neutral(const uint how) {
#if defined(REAL)
  return how == MAX ? -INFINITY : how == MIN ? INFINITY : how == PRODUCT ? 1.0 : 0.0;
#elif defined(SIGNED)
  const Wide greatest = 0x7fffffffffffffffl;
  return how == MAX ? -greatest - 1 : how == MIN ? greatest : how == PRODUCT ? Wide(1) : Wide(0);
#else
  return how == MIN ? ~Wide(0) : how == PRODUCT ? Wide(1) : Wide(0);
#endif
}
Wide map(Wide x) {
  if (OP == L2 || OP == SUM_SQUARE) return x * x;
#if defined(REAL)
  if (OP == L1) return absolute(x);
#elif defined(SIGNED)
  if (OP == L1) return x < 0 ? -x : x;
#endif
  return x;
}

uint start;
Wide element(uint n) {
  return load_wide(table.x, TYPE, start + place_of(2, n, table.reduced_rank, table.reduced_shape, table.reduced_strides));
}

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
  result = fold_lanes(OP, total);
  if (first_element() != 0) return;
#ifdef REAL
  if (table.first != 0) result = combine(OP, Floats(table.carry).at[2 * row], result);
  if (table.end != table.count) {
    Floats(table.carry).at[2 * row] = result;
    return;
  }
  if (OP == L2) result = sqrt(result);
  if (OP == LOG_SUM) result = logarithm(result);
  if (OP == MEAN) result = result / float(table.count);
#else
  if (table.first != 0) result = combine(OP, Wide(Words64(table.carry).at[row]), result);
  if (table.end != table.count) {
    Words64(table.carry).at[row] = uint64_t(result);
    return;
  }
#endif
  store_wide(table.y, TYPE, row, result);
}
