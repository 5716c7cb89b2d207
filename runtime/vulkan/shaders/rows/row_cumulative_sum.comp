// cumulativeSum along an axis of [outer, size, inner] by workgroups: lanes take four neighbouring steps each, and add up
// what the lanes before them have. If rows are cut into parts, GATHER writes the sum of each part, and WRITE adds those
// before its own. Sums of reals are compensated.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common/extensions.glsl"

struct Table {
  uint64_t x, y, carry;  // carry: the sums of the parts of each row, 8 bytes each
  uint rows, size, inner;
  uint parts, part_size;
};
#include "common/elements.glsl"
#include "common/kinds.glsl"
#include "common/math.glsl"
#ifdef REAL
#define Folded Sum
const Sum nothing = Sum(0.0, 0.0);
Sum sum_of(float x) { return Sum(x, 0.0); }
float value_of_sum(Sum sum) { return value_of(sum); }
#else
#define Folded Wide
const Wide nothing = Wide(0);
Wide sum_of(Wide x) { return x; }
Wide value_of_sum(Wide sum) { return sum; }
#endif
#include "rows/row_groups.glsl"

layout(constant_id = 1) const uint TYPE = 0;
layout(constant_id = 2) const bool EXCLUSIVE = false;
layout(constant_id = 3) const bool REVERSED = false;
layout(constant_id = 4) const uint PASS = 0;

#include "rows/fours.glsl"

const uint ALL = 0, GATHER = 1, WRITE = 2;

Folded combine(const uint how, Folded a, Folded b) {
#ifdef REAL
  return plus(plus(a, b.high), b.low);
#else
  return a + b;
#endif
}

shared Folded scanned[2 * GROUP];

/// The sum of the values of the lanes before this one in its row, and that of all. All invocations must call it.
Folded sum_before(Folded value, out Folded all) {
  const uint lane = own_lane(), place = gl_LocalInvocationID.x, near = INTERLEAVED ? ROWS : 1;
  uint half_used = 0;
  for (uint width = 1; width < LANES; width *= 2) {
    scanned[half_used + place] = value;
    barrier();
    if (lane >= width) value = combine(0, scanned[half_used + place - width * near], value);
    half_used = GROUP - half_used;
  }
  scanned[half_used + place] = value;
  barrier();
  all = scanned[half_used + (INTERLEAVED ? (LANES - 1) * ROWS + own_row() : own_row() * LANES + LANES - 1)];
  Folded before = nothing;
  if (lane > 0) before = scanned[half_used + place - near];
  barrier();
  return before;
}

uint place_of_step(uint start, uint n) { return start + (REVERSED ? table.size - 1 - n : n) * table.inner; }

void load_steps(uint start, uint n, uint end, out Wide steps[4]) {
#ifdef REAL
  if (VECTORS) {
    vec4 four = vec4(0.0);
    if (n < end) four = load_four(table.x, start, 1, REVERSED ? table.size - 4 - n : n, table.size);
    [[unroll]] for (uint k = 0; k < 4; ++k) steps[k] = four[REVERSED ? 3 - k : k];
    return;
  }
#endif
  [[unroll]] for (uint k = 0; k < 4; ++k) {
    steps[k] = Wide(0);
    if (n + k < end) steps[k] = load_wide(table.x, TYPE, place_of_step(start, n + k));
  }
}

void main() {
  const uint part = group_index() % table.parts, row = group_index() / table.parts * ROWS + own_row();
  const bool exists = row < table.rows;  // other lanes take part in the sums
  const uint begin = part * table.part_size, inner = table.inner;
  const uint stop = table.size - begin > table.part_size ? begin + table.part_size : table.size;
  const uint end = exists ? stop : 0;
  const uint start = row / inner * table.size * inner + row % inner;
  Folded before = nothing;
  if (PASS == WRITE) {
    for (uint other = own_lane(); exists && other < part; other += LANES) {
      const uint place = row * table.parts + other;
#ifdef REAL
      before = combine(0, before, Sum(Floats(table.carry).at[2 * place], Floats(table.carry).at[2 * place + 1]));
#else
      before = combine(0, before, Wide(Words64(table.carry).at[place]));
#endif
    }
    before = fold(0, before);
  }
  for (uint first = begin; first < stop; first += STEP) {
    const uint n = first + 4 * own_lane();
    Wide steps[4];
    load_steps(start, n, end, steps);
    Folded own = sum_of(steps[0]);
    [[unroll]] for (uint k = 1; k < 4; ++k) own = combine(0, own, sum_of(steps[k]));
    if (PASS == GATHER) {
      before = combine(0, before, own);
      continue;
    }
    Folded all;
    Folded sum = combine(0, before, sum_before(own, all));
    before = combine(0, before, all);
    Wide results[4];
    [[unroll]] for (uint k = 0; k < 4; ++k) {
      if (EXCLUSIVE) results[k] = value_of_sum(sum);
      sum = combine(0, sum, sum_of(steps[k]));
      if (!EXCLUSIVE) results[k] = value_of_sum(sum);
    }
#ifdef REAL
    if (VECTORS) {
      if (n < end)
        store_four(table.y, start, 1, REVERSED ? table.size - 4 - n : n, table.size,
                   REVERSED ? vec4(results[3], results[2], results[1], results[0])
                            : vec4(results[0], results[1], results[2], results[3]));
      continue;
    }
#endif
    [[unroll]] for (uint k = 0; k < 4; ++k)
      if (n + k < end) store_wide(table.y, TYPE, place_of_step(start, n + k), results[k]);
  }
  if (PASS != GATHER) return;
  before = fold(0, before);
  if (!exists || own_lane() != 0) return;
  const uint place = row * table.parts + part;
#ifdef REAL
  Floats(table.carry).at[2 * place] = before.high;
  Floats(table.carry).at[2 * place + 1] = before.low;
#else
  Words64(table.carry).at[place] = uint64_t(before);
#endif
}
