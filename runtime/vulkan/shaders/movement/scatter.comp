// scatterElements and scatterND in three passes: CLEAR forgets the writers of all places, MARK lets the last update of
// each place win, WRITE writes the winners. Places are elements, or slices of `inner` units: elements, or neighbours
// that are moved together.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common/extensions.glsl"

struct Table {
  uint64_t x, indices, updates, winners, y;
  uint count;  // CLEAR: places; MARK: updates; WRITE: units
  uint size, inner, axis_stride;
  uint rank;
  uint shape[8];   // ELEMENTS: of the indices; else of the operand
  int strides[8];  // of the operand, in places
};
#include "common/elements.glsl"
#include "common/broadcast.glsl"
#include "common/rounds.glsl"
#include "movement/indexed.glsl"
#include "movement/units.glsl"

layout(constant_id = 1) const uint SIZE = 4;  // of a unit in bytes
layout(constant_id = 2) const uint INDEX_TYPE = 2;
layout(constant_id = 3) const uint PASS = 0;
layout(constant_id = 4) const bool ELEMENTS = false;

const uint CLEAR = 0, MARK = 1, WRITE = 2;

uint place_of_update(uint n) {
  if (ELEMENTS) {
    const int index = resolve(load_integer(table.indices, INDEX_TYPE, n), int(table.size));
    return place_of(2, n, table.rank, table.shape, table.strides) + uint(index) * table.axis_stride;
  }
  uint place = 0;
  for (uint axis = 0; axis < table.rank; ++axis) {
    const int64_t index = load_integer(table.indices, INDEX_TYPE, n * table.rank + axis);
    place += uint(resolve(index, int(table.shape[axis])) * table.strides[axis]);
  }
  return place;
}

void work(uint i) {
  if (i >= table.count) return;
  Words32 winners = Words32(table.winners);
  if (PASS == CLEAR) {
    winners.at[i] = 0;
  } else if (PASS == MARK) {
    atomicMax(winners.at[place_of_update(i)], i + 1);
  } else {
    const uint place = i / table.inner, winner = winners.at[place];
    if (winner == 0) move_unit(table.y, i, table.x, i, SIZE);
    else move_unit(table.y, i, table.updates, (winner - 1) * table.inner + (i - place * table.inner), SIZE);
  }
}

void main() {
  for (uint round = 0; round < ROUNDS; ++round) work(unit_of_round(round));
}
