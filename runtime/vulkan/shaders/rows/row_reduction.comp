// The ten reductions by workgroups. If rows are cut into parts, GATHER writes the result of each part, and FINISH
// combines them. One variant for each kind of numbers.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common/extensions.glsl"

struct Table {
  uint64_t x, y, carry;  // carry: the results of the parts of each row, 8 bytes each
  uint rows, size, inner;
  uint parts, part_size;
  uint count;  // elements of a result
  // WALK: more than one axis is reduced, and those between them are not.
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
#define Folded Wide
#include "rows/row_groups.glsl"

layout(constant_id = 1) const uint TYPE = 0;
layout(constant_id = 2) const uint OP = 0;
layout(constant_id = 3) const uint PASS = 0;
layout(constant_id = 4) const bool WALK = false;

#include "rows/fours.glsl"
#include "rows/reductions.glsl"

const uint ALL = 0, GATHER = 1, FINISH = 2;

uint start_of(uint row) {
  if (WALK) return place_of(2, row, table.kept_rank, table.kept_shape, table.kept_strides);
  return row / table.inner * table.size * table.inner + row % table.inner;
}
uint place_in_row(uint n) {
  if (WALK) return place_of(2, n, table.reduced_rank, table.reduced_shape, table.reduced_strides);
  return n * table.inner;
}

/// An element of the row, or the result of a part.
Wide element(uint start, uint n) {
#ifdef REAL
  if (PASS == FINISH) return Floats(table.carry).at[2 * (start + n)];
#else
  if (PASS == FINISH) return Wide(Words64(table.carry).at[start + n]);
#endif
  return load_wide(table.x, TYPE, start + place_in_row(n));
}

/// The four elements that a lane takes from `n` on; `missing` beyond the end.
void load_elements(uint start, uint n, uint end, Wide missing, out Wide elements[4]) {
#ifdef REAL
  if (PASS != FINISH && VECTORS) {
    const vec4 four = load_four(table.x, start + place_in_row(n), 1, 0, end);
    [[unroll]] for (uint k = 0; k < 4; ++k) elements[k] = map(four[k]);
    return;
  }
#endif
  [[unroll]] for (uint k = 0; k < 4; ++k) {
    const Wide one = element(start, min(n + k * GAP, end - 1));  // no branch around the load
    elements[k] = PASS == FINISH && OP != L2 ? one : map(one);     // the parts of L2 are roots
  }
  [[unroll]] for (uint k = 0; k < 4; ++k)
    if (!is_inside(n, k, end)) elements[k] = missing;
}

/// A lane's share. Sums are made in blocks, and combined, so that rounding errors do not grow with the length.
Wide share(uint start, uint first, uint end) {
  const uint block = 16 * STEP;
  Wide total = neutral(OP);
  for (uint n = first; n < end;) {
    Wide elements[4], sums[4];
    [[unroll]] for (uint k = 0; k < 4; ++k) sums[k] = neutral(OP);
    const uint stop = end - n > block ? n + block : end;
    for (; n < stop; n += STEP) {
      load_elements(start, n, end, neutral(OP), elements);
      [[unroll]] for (uint k = 0; k < 4; ++k) sums[k] = combine(OP, sums[k], elements[k]);
    }
    total = combine(OP, total, combine(OP, combine(OP, sums[0], sums[1]), combine(OP, sums[2], sums[3])));
  }
  return total;
}

#ifdef REAL
/// The root of the sum of the squares of the row's elements. `sum`: those of this lane.
float fold_root(float sum, uint start, uint first, uint end) {
  float scale = scale_of_squares(sqrt(sum));
  if (scale != 1.0) {
    sum = 0.0;
    for (uint n = first; n < end; n += STEP)
      for (uint k = 0; k < 4; ++k)
        if (is_inside(n, k, end)) sum += scaled_square(element(start, n + k * GAP), scale);
  }
  const float own = scaled_root(sum, scale);
  if (LANES == 1) return own;
  scale = scale_of_squares(fold(MAX, own));
  return scaled_root(fold(SUM, scaled_square(own, scale)), scale);
}

/// Maximum of a lane's elements, and the sum of e^(element - maximum). While elements are read, the sum is of
/// e^(element - near) with a number near the maximum, so that it is scaled seldom.
void exponential_share(uint start, uint first, uint end, out float greatest, out float sum) {
  const float far = 16.0;
  greatest = -INFINITY;
  float near = -INFINITY;
  vec4 sums = vec4(0.0);
  if (PASS == FINISH) {
    for (uint n = first; n < end; n += STEP)
      for (uint k = 0; k < 4; ++k)
        if (is_inside(n, k, end)) greatest = combine(MAX, greatest, Floats(table.carry).at[2 * (start + n + k * GAP)]);
    for (uint n = first; n < end; n += STEP)
      for (uint k = 0; k < 4; ++k)
        if (is_inside(n, k, end)) {
          const uint place = 2 * (start + n + k * GAP);
          if (Floats(table.carry).at[place] != -INFINITY)
            sums[k] += Floats(table.carry).at[place + 1] * exponential(Floats(table.carry).at[place] - greatest);
        }
  } else {
    for (uint n = first; n < end; n += STEP) {
      Wide elements[4];
      load_elements(start, n, end, -INFINITY, elements);
      greatest = combine(MAX, greatest, combine(MAX, combine(MAX, elements[0], elements[1]), combine(MAX, elements[2], elements[3])));
      if (is_nan(greatest) || greatest > near + far) {
        if (near != -INFINITY) sums *= exponential(near - greatest);
        near = greatest;
      }
      if (near != -INFINITY)
        [[unroll]] for (uint k = 0; k < 4; ++k) sums[k] += exponential(elements[k] - near);
    }
  }
  sum = (sums.x + sums.y) + (sums.z + sums.w);
  if (PASS != FINISH && near != greatest) sum *= exponential(near - greatest);
}
#endif

void main() {
  const uint part = group_index() % table.parts, row = group_index() / table.parts * ROWS + own_row();
  const bool exists = row < table.rows;  // other lanes take part in the folds
  const uint begin = part * table.part_size;
  const uint stop = table.size - begin > table.part_size ? begin + table.part_size : table.size;
  const uint start = PASS == FINISH ? row * table.size : start_of(row), end = exists ? stop : 0;
  const uint place = row * table.parts + part;
  const bool writes = exists && own_lane() == 0;
#ifdef REAL
  if (OP == LOG_SUM_EXP) {
    float greatest, sum;
    exponential_share(start, first_of_lane(begin), end, greatest, sum);
    const float own = greatest;
    greatest = fold(MAX, greatest);
    sum = fold(SUM, own == -INFINITY ? 0.0 : sum * exponential(own - greatest));
    if (!writes) return;
    if (PASS == GATHER) {
      Floats(table.carry).at[2 * place] = greatest;
      Floats(table.carry).at[2 * place + 1] = sum;
    } else {
      store_wide(table.y, TYPE, row,
                 is_nan(greatest) || is_infinite(greatest) ? greatest : greatest + logarithm(sum));
    }
    return;
  }
#endif
  const uint first = first_of_lane(begin);
#ifdef REAL
  const Wide total = share(start, first, end), result = OP == L2 ? fold_root(total, start, first, end) : fold(OP, total);
#else
  const Wide result = fold(OP, share(start, first, end));
#endif
  if (!writes) return;
  if (PASS == GATHER) {
#ifdef REAL
    Floats(table.carry).at[2 * place] = result;
#else
    Words64(table.carry).at[place] = uint64_t(result);
#endif
    return;
  }
  store_wide(table.y, TYPE, row, finished(result, table.count));
}
