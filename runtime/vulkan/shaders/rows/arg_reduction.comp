// argMin and argMax along an axis of [outer, size, inner]: the first of equal elements wins; a NaN wins only among
// NaNs.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common/extensions.glsl"

struct Table {
  uint64_t x, y, carry;  // carry: the winner of each row, between parts
  uint rows, size, inner;
  uint first, end;  // range along the axis of this part
};
#include "common/elements.glsl"
#include "common/kinds.glsl"

layout(constant_id = 1) const uint TYPE = 0;
layout(constant_id = 2) const uint RESULT_TYPE = 2;
layout(constant_id = 3) const bool GREATEST = false;

void main() {
  const uint row = invocation_index();
  if (row >= table.rows) return;
  const uint first = row / table.inner * table.size * table.inner + row % table.inner;
  uint winner = 0;
  if (table.first != 0) winner = Words32(table.carry).at[row];
  Wide best = load_wide(table.x, TYPE, first + winner * table.inner);
  for (uint n = table.first; n < table.end; ++n) {
    const Wide value = load_wide(table.x, TYPE, first + n * table.inner);
    const bool better = wide_is_nan(best) ? !wide_is_nan(value) : GREATEST ? value > best : value < best;
    if (!better) continue;
    best = value;
    winner = n;
  }
  if (table.end != table.size) Words32(table.carry).at[row] = winner;
  else store_integer(table.y, RESULT_TYPE, row, int64_t(winner));
}
