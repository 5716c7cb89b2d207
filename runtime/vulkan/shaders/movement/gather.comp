// gather, gatherElements, gatherND: an invocation moves units of the result. A unit is an element, or several where
// each index moves neighbours (GATHER, GATHER_ND); then all sizes and strides are in units.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common/extensions.glsl"

struct Table {
  uint64_t x, indices, y;
  uint count;
  uint size, inner, index_count;  // GATHER: of the axis; behind it; of indices. GATHER_ELEMENTS: axis size, stride
  uint rank;                      // GATHER_ELEMENTS: of the indices. GATHER_ND: axes that a row of indices fixes
  uint shape[8];                  // GATHER_ELEMENTS: of the indices. GATHER_ND: of the operand
  int strides[8];                 // of the operand
};
#include "common/elements.glsl"
#include "common/broadcast.glsl"
#include "common/rounds.glsl"
#include "movement/indexed.glsl"
#include "movement/units.glsl"

layout(constant_id = 1) const uint SIZE = 4;  // of a unit in bytes
layout(constant_id = 2) const uint INDEX_TYPE = 2;
layout(constant_id = 3) const uint MODE = 0;

const uint GATHER = 0, GATHER_ELEMENTS = 1, GATHER_ND = 2;

void move(uint i) {
  if (i >= table.count) return;
  uint source;
  if (MODE == GATHER_ELEMENTS) {
    const int index = resolve(load_integer(table.indices, INDEX_TYPE, i), int(table.size));
    WALK(source, i, table.rank, table.shape, table.strides)
    source += uint(index) * table.inner;
  } else {
    const uint slice = i / table.inner, inner = i - slice * table.inner;
    if (MODE == GATHER) {
      uint outer = 0;
      if (slice >= table.index_count) outer = slice / table.index_count;
      const uint n = slice - outer * table.index_count;
      const int index = resolve(load_integer(table.indices, INDEX_TYPE, n), int(table.size));
      source = (outer * table.size + uint(index)) * table.inner + inner;
    } else {
      source = inner;
      for (uint axis = 0; axis < table.rank; ++axis) {
        const int64_t index = load_integer(table.indices, INDEX_TYPE, slice * table.rank + axis);
        source += uint(resolve(index, int(table.shape[axis])) * table.strides[axis]);
      }
    }
  }
  move_unit(table.y, i, table.x, source, SIZE);
}

void main() {
  for (uint round = 0; round < ROUNDS; ++round) move(unit_of_round(round));
}
