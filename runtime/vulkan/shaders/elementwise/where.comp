// where: elements of two operands, selected by a third one; all three broadcast.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common/extensions.glsl"

struct Table {
  uint64_t condition, a, b, y;
  uint count, rank;
  uint shape[8];
  int condition_strides[8], a_strides[8], b_strides[8];
};
#include "common/elements.glsl"
#include "common/broadcast.glsl"

layout(constant_id = 1) const uint SIZE = 4;
layout(constant_id = 2) const uint CONDITION_FORM = 0;
layout(constant_id = 3) const uint A_FORM = 0;
layout(constant_id = 4) const uint B_FORM = 0;

void main() {
  const uint i = invocation_index();
  if (i >= table.count) return;
  const uint place = place_of(CONDITION_FORM, i, table.rank, table.shape, table.condition_strides);
  uint64_t bits;
  if (uint(Words8(table.condition).at[place]) != 0)
    bits = load_bits(table.a, SIZE, place_of(A_FORM, i, table.rank, table.shape, table.a_strides));
  else
    bits = load_bits(table.b, SIZE, place_of(B_FORM, i, table.rank, table.shape, table.b_strides));
  store_bits(table.y, SIZE, i, bits);
}
