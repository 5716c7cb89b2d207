// cumulativeSum along an axis of [outer, size, inner]: one invocation for each line. Sums of reals are compensated.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common/extensions.glsl"

struct Table {
  uint64_t x, y, carry;  // carry: two float32 or one integer per line, between parts
  uint rows, size, inner;
  uint first, end;  // range along the axis of this part
};
#include "common/elements.glsl"
#include "common/kinds.glsl"

layout(constant_id = 1) const uint TYPE = 0;
layout(constant_id = 2) const bool EXCLUSIVE = false;
layout(constant_id = 3) const bool REVERSED = false;

void main() {
  const uint row = invocation_index();
  if (row >= table.rows) return;
  const uint first = row / table.inner * table.size * table.inner + row % table.inner;
  precise Wide sum = Wide(0);
#ifdef REAL
  precise float error = 0.0;
  if (table.first != 0) {
    sum = Floats(table.carry).at[2 * row];
    error = Floats(table.carry).at[2 * row + 1];
  }
#else
  if (table.first != 0) sum = Wide(Words64(table.carry).at[row]);
#endif
  for (uint step = table.first; step < table.end; ++step) {
    const uint place = first + (REVERSED ? table.size - 1 - step : step) * table.inner;
    const Wide value = load_wide(table.x, TYPE, place);
    Wide before = sum;
#ifdef REAL
    before = is_infinite(sum) || is_nan(sum) ? sum : sum + error;
    precise float next = sum + value;
    precise float part = next - sum;
    error += (sum - (next - part)) + (value - part);
    sum = next;
    const float after = is_infinite(sum) || is_nan(sum) ? sum : sum + error;
#else
    sum += value;
    const Wide after = sum;
#endif
    store_wide(table.y, TYPE, place, EXCLUSIVE ? before : after);
  }
  if (table.end == table.size) return;
#ifdef REAL
  Floats(table.carry).at[2 * row] = sum;
  Floats(table.carry).at[2 * row + 1] = error;
#else
  Words64(table.carry).at[row] = uint64_t(sum);
#endif
}
