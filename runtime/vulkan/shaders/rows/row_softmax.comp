// softmax: exp(x - max) / sum of exp(x - max) along one axis of [outer, size, inner], by workgroups that read each element
// once. Rows that a workgroup cannot keep are cut into parts: GATHER finds maximum and sum of each part, WRITE those of
// the row, and the results.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common/extensions.glsl"

struct Table {
  uint64_t x, y, carry;  // carry: maximum and sum of each part of each row
  uint rows, size, inner;
  uint parts, part_size;
};
#define Folded float
#include "common/elements.glsl"
#include "common/math.glsl"
#include "rows/row_groups.glsl"

layout(constant_id = 1) const uint TYPE = 0;
layout(constant_id = 2) const uint PASS = 0;
#include "rows/kept_rows.glsl"

const uint ALL = 0, GATHER = 1, WRITE = 2;

const uint MAX = 0, SUM = 1;
float combine(const uint how, float a, float b) { return how == MAX ? (is_nan(a) || a > b ? a : b) : a + b; }

/// Maximum and sum of a row from those of its parts. Parts of nothing but -infinity have the sum 0.
void fold_parts(uint row, uint count, out float greatest, out float sum) {
  Floats carry = Floats(table.carry);
  greatest = -INFINITY;
  sum = 0.0;
  for (uint part = own_lane(); part < count; part += LANES)
    greatest = combine(MAX, greatest, carry.at[2 * (row * table.parts + part)]);
  greatest = fold(MAX, greatest);
  for (uint part = own_lane(); part < count; part += LANES) {
    const uint place = 2 * (row * table.parts + part);
    sum += carry.at[place + 1] * exponential(carry.at[place] - greatest);
  }
  sum = fold(SUM, sum);
}

void main() {
  const uint part = group_index() % table.parts, row = group_index() / table.parts * ROWS + own_row();
  const bool exists = row < table.rows;  // other lanes take part in the folds
  const uint inner = table.inner, begin = part * table.part_size, first = first_of_lane(begin);
  const uint start = row / inner * table.size * inner + row % inner;
  const uint end = exists ? min(table.size, begin + table.part_size) : 0;
  float greatest = -INFINITY, sum = 0.0;
  if (PASS == WRITE) {
    fold_parts(row, exists ? table.parts : 0, greatest, sum);
  } else {
    for (uint n = first, turn = 0; n < end; n += STEP, ++turn) {
      const uvec4 bits = load_bits_of_four(table.x, start, inner, n, end);
      keep(turn, bits);
      const vec4 x = four_of(bits);
      [[unroll]] for (uint k = 0; k < 4; ++k)
        if (is_inside(n, k, end)) greatest = combine(MAX, greatest, x[k]);
    }
    greatest = fold(MAX, greatest);
    vec4 sums = vec4(0.0);
    for (uint n = first, turn = 0; n < end; n += STEP, ++turn) {
      const vec4 x = kept_four(turn);
      [[unroll]] for (uint k = 0; k < 4; ++k)
        if (is_inside(n, k, end)) sums[k] += exponential(x[k] - greatest);
    }
    sum = fold(SUM, (sums.x + sums.y) + (sums.z + sums.w));
  }
  if (PASS == GATHER) {
    if (!exists || own_lane() != 0) return;
    const uint place = 2 * (row * table.parts + part);
    Floats(table.carry).at[place] = greatest;
    Floats(table.carry).at[place + 1] = greatest == -INFINITY ? 0.0 : sum;
    return;
  }
  for (uint n = first, turn = 0; n < end; n += STEP, ++turn) {
    const vec4 x = PASS == WRITE ? load_four(table.x, start, inner, n, end) : kept_four(turn);
    vec4 y;
    [[unroll]] for (uint k = 0; k < 4; ++k) y[k] = exponential(x[k] - greatest) / sum;
    store_four(table.y, start, inner, n, end, y);
  }
}
