// gather, gatherElements, gatherND: one invocation for each element of the result.
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
#include "movement/indexed.glsl"

layout(constant_id = 1) const uint SIZE = 4;
layout(constant_id = 2) const uint INDEX_TYPE = 2;
layout(constant_id = 3) const uint MODE = 0;

const uint GATHER = 0, GATHER_ELEMENTS = 1, GATHER_ND = 2;

void main() {
  const uint i = invocation_index();
  if (i >= table.count) return;
  uint source;
  if (MODE == GATHER) {
    const uint inner = i % table.inner, n = i / table.inner % table.index_count;
    const uint outer = i / table.inner / table.index_count;
    const int index = resolve(load_integer(table.indices, INDEX_TYPE, n), int(table.size));
    source = (outer * table.size + uint(index)) * table.inner + inner;
  } else if (MODE == GATHER_ELEMENTS) {
    const int index = resolve(load_integer(table.indices, INDEX_TYPE, i), int(table.size));
    source = place_of(2, i, table.rank, table.shape, table.strides) + uint(index) * table.inner;
  } else {
    const uint n = i / table.inner;
    source = i % table.inner;
    for (uint axis = 0; axis < table.rank; ++axis) {
      const int64_t index = load_integer(table.indices, INDEX_TYPE, n * table.rank + axis);
      source += uint(resolve(index, int(table.shape[axis])) * table.strides[axis]);
    }
  }
  store_bits(table.y, SIZE, i, load_bits(table.x, SIZE, source));
}
