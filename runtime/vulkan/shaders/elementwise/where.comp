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
#include "elementwise/operands.glsl"

layout(constant_id = 1) const uint SIZE = 4;
layout(constant_id = 2) const uint CONDITION_FORM = 0;
layout(constant_id = 3) const uint A_FORM = 0;
layout(constant_id = 4) const uint B_FORM = 0;

PLACES_IN_OPERAND(places_in_condition, CONDITION_FORM, table.condition_strides)
PLACES_IN_OPERAND(places_in_a, A_FORM, table.a_strides)
PLACES_IN_OPERAND(places_in_b, B_FORM, table.b_strides)

uvec4 load_bits_of_four(uint64_t address, const uint size, const uint form, uvec4 places, bool whole) {
  if (is_four(form, whole)) return load_four(address, size, places.x);
  uvec4 bits = uvec4(uint(load_bits(address, size, places.x)));
  if (is_one(form)) return bits;
  [[unroll]] for (uint k = 1; k < 4; ++k) bits[k] = uint(load_bits(address, size, places[k]));
  return bits;
}

void select_four(uint first) {
  const bool whole = are_whole(first);
  const uvec4 condition = load_bits_of_four(table.condition, 1, CONDITION_FORM, places_in_condition(first), whole);
  const uvec4 a = load_bits_of_four(table.a, SIZE, A_FORM, places_in_a(first), whole);
  const uvec4 b = load_bits_of_four(table.b, SIZE, B_FORM, places_in_b(first), whole);
  const uvec4 y = mix(b, a, notEqual(condition, uvec4(0)));
  if (whole) {
    store_four(table.y, SIZE, first, y);
    return;
  }
  [[unroll]] for (uint k = 0; k < 4; ++k)
    if (first + k < table.count) store_bits(table.y, SIZE, first + k, uint64_t(y[k]));
}

void select_one(uint i) {
  uint64_t bits;
  if (uint(Words8(table.condition).at[places_in_condition(i).x]) != 0)
    bits = load_bits(table.a, SIZE, places_in_a(i).x);
  else
    bits = load_bits(table.b, SIZE, places_in_b(i).x);
  store_bits(table.y, SIZE, i, bits);
}

void main() {
  for (uint round = 0; round < ROUNDS; ++round) {
    const uint first = unit_of_round(round) * LANE_ELEMENTS;
    if (first >= table.count) return;
    if (LANE_ELEMENTS == 4) select_four(first);
    else select_one(first);
  }
}
