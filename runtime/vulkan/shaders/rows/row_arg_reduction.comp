// argMin and argMax along an axis of [outer, size, inner] by workgroups: the first of equal elements wins; a NaN wins
// only among NaNs. If rows are cut into parts, GATHER writes the winner of each part, and FINISH compares them.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common/extensions.glsl"

struct Table {
  uint64_t x, y, carry;  // carry: the winner of each part of each row
  uint rows, size, inner;
  uint parts, part_size;
  uint row_size;  // elements of a row of x; `size` of them, or winners, are compared
};
#include "common/elements.glsl"
#include "common/kinds.glsl"

struct Winner {
  Wide value;
  uint place;  // along the axis
};
const uint NOWHERE = ~0u;
#define Folded Winner
#include "rows/row_groups.glsl"

layout(constant_id = 1) const uint TYPE = 0;
layout(constant_id = 2) const uint RESULT_TYPE = 2;
layout(constant_id = 3) const bool GREATEST = false;
layout(constant_id = 4) const uint PASS = 0;

#include "rows/fours.glsl"

const uint ALL = 0, GATHER = 1, FINISH = 2;

bool is_better(Wide a, Wide b) { return wide_is_nan(b) ? !wide_is_nan(a) : GREATEST ? a > b : a < b; }

Winner combine(const uint how, Winner a, Winner b) {
  if (b.place == NOWHERE || (a.place != NOWHERE && is_better(a.value, b.value))) return a;
  if (a.place == NOWHERE || is_better(b.value, a.value)) return b;
  return a.place < b.place ? a : b;
}

void main() {
  const uint part = group_index() % table.parts, row = group_index() / table.parts * ROWS + own_row();
  const bool exists = row < table.rows;  // other lanes take part in the folds
  const uint begin = part * table.part_size, inner = table.inner;
  const uint stop = table.size - begin > table.part_size ? begin + table.part_size : table.size;
  const uint end = exists ? stop : 0;
  const uint start = row / inner * table.row_size * inner + row % inner;
  Winner best = Winner(Wide(0), NOWHERE);
  for (uint n = first_of_lane(begin); n < end; n += STEP) {
    uint places[4];
    Wide values[4];
    [[unroll]] for (uint k = 0; k < 4; ++k) {
      places[k] = min(n + k * GAP, end - 1);  // no branch around the load
      if (PASS == FINISH) places[k] = Words32(table.carry).at[row * table.size + places[k]];
    }
#ifdef REAL
    if (VECTORS) {
      const vec4 four = load_four(table.x, start, 1, n, end);
      [[unroll]] for (uint k = 0; k < 4; ++k) values[k] = four[k];
    }
#endif
    [[unroll]] for (uint k = 0; k < 4; ++k)
      if (!VECTORS) values[k] = load_wide(table.x, TYPE, start + places[k] * inner);
    [[unroll]] for (uint k = 0; k < 4; ++k)  // in the order of the axis; beyond the end the last element wins nothing
      if (best.place == NOWHERE || is_better(values[k], best.value)) best = Winner(values[k], places[k]);
  }
  best = fold(0, best);
  if (!exists || own_lane() != 0) return;
  if (PASS == GATHER) Words32(table.carry).at[row * table.parts + part] = best.place;
  else store_integer(table.y, RESULT_TYPE, row, int64_t(best.place));
}
