// softmax: exp(x - max) / sum of exp(x - max) along one axis of [outer, size, inner].
#version 460
#extension GL_GOOGLE_include_directive : require
#include "extensions.glsl"

struct Table {
  uint64_t x, y;
  uint rows, size, inner;
};
#define REAL
#include "common.glsl"
#include "kinds.glsl"
#include "math.glsl"
#include "groups.glsl"

layout(constant_id = 1) const uint TYPE = 0;

const uint MAX = 0, SUM = 1;
float combine(const uint how, float a, float b) { return how == MAX ? (is_nan(a) || a > b ? a : b) : a + b; }

void main() {
  const uint row = row_index();
  if (row >= table.rows) return;
  const uint first = row / table.inner * table.size * table.inner + row % table.inner;
  float greatest = -INFINITY;
  for (uint n = first_element(); n < table.size; n += element_step())
    greatest = combine(MAX, greatest, load_real(table.x, TYPE, first + n * table.inner));
  greatest = fold_lanes(MAX, greatest);
  float sum = 0.0;
  for (uint n = first_element(); n < table.size; n += element_step())
    sum += exponential(load_real(table.x, TYPE, first + n * table.inner) - greatest);
  sum = fold_lanes(SUM, sum);
  for (uint n = first_element(); n < table.size; n += element_step()) {
    const uint place = first + n * table.inner;
    store_real(table.y, TYPE, place, exponential(load_real(table.x, TYPE, place) - greatest) / sum);
  }
}
