// softmax: exp(x - max) / sum of exp(x - max) along one axis of [outer, size, inner].
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common/extensions.glsl"

struct Table {
  uint64_t x, y, carry;  // carry: maximum and sum of each row, between passes and parts
  uint rows, size, inner;
  uint first, end;  // range along the axis of this part
};
#define REAL
#include "common/elements.glsl"
#include "common/kinds.glsl"
#include "common/math.glsl"
#include "rows/groups.glsl"

layout(constant_id = 1) const uint TYPE = 0;
layout(constant_id = 2) const uint PASS = 0;

const uint ALL = 0, GATHER = 1, WRITE = 2;

const uint MAX = 0, SUM = 1;
float combine(const uint how, float a, float b) { return how == MAX ? (is_nan(a) || a > b ? a : b) : a + b; }

void main() {
  const uint row = row_index();
  if (row >= table.rows) return;
  const uint first = row / table.inner * table.size * table.inner + row % table.inner;
  float greatest = -INFINITY, sum = 0.0, old = -INFINITY, old_sum = 0.0;
  if (PASS == WRITE || table.first != 0) {
    old = Floats(table.carry).at[2 * row];
    old_sum = Floats(table.carry).at[2 * row + 1];
  }
  const uint begin = first_of_part(table.first);
  if (PASS == WRITE) {
    greatest = old;
    sum = old_sum;
  } else {
    for (uint n = begin; n < table.end; n += element_step())
      greatest = combine(MAX, greatest, load_real(table.x, TYPE, first + n * table.inner));
    greatest = combine(MAX, old, fold_lanes(MAX, greatest));
    for (uint n = begin; n < table.end; n += element_step())
      sum += exponential(load_real(table.x, TYPE, first + n * table.inner) - greatest);
    sum = fold_lanes(SUM, sum);
    if (table.first != 0) sum += old_sum * exponential(old - greatest);
  }
  if (PASS == GATHER) {
    if (first_element() != 0) return;
    const bool counts = !is_infinite(greatest);  // without a finite maximum, only -infinity has been seen
    Floats(table.carry).at[2 * row] = greatest;
    Floats(table.carry).at[2 * row + 1] = counts ? sum : 0.0;
    return;
  }
  for (uint n = begin; n < table.end; n += element_step()) {
    const uint place = first + n * table.inner;
    store_real(table.y, TYPE, place, exponential(load_real(table.x, TYPE, place) - greatest) / sum);
  }
}
