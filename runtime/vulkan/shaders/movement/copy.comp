// Movement: every element of the result is an element of the operand or a constant. Elements are moved as bits.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common/extensions.glsl"

struct Table {
  uint64_t x, y;
  uint count, rank;
  uint shape[8];  // of the walk: the result, or the operand that is copied into a part of it
  int source_strides[8], target_strides[8];
  int source_start, target_start;
  uint size[8];  // of the operand (TILE, PAD_*)
  int before[8];  // padding
  int diagonal;
  uint unused;
  uint64_t value;  // of the border
};
#include "common/elements.glsl"
#include "common/rounds.glsl"
#include "movement/units.glsl"

layout(constant_id = 1) const uint SIZE = 4;  // of an element in bytes; 16: several elements that are moved together
layout(constant_id = 2) const uint MODE = 0;

const uint STRIDED = 0, TILE = 1, PAD_CONSTANT = 2, PAD_EDGE = 3, PAD_REFLECTION = 4, UPPER = 5, LOWER = 6;

void move(uint i) {
  if (i >= table.count) return;
  int source = table.source_start, target = table.target_start;
  bool is_border = false;
  int last = 0, before_last = 0;
  uint rest = i;
  const uint rank = table.rank;
  for (uint axis = rank; axis-- > 0;) {
    const uint extent = table.shape[axis];
    uint outer = 0;
    if (axis != 0) outer = rest / extent;
    int position = int(rest - outer * extent);
    rest = outer;
    target += position * table.target_strides[axis];
    const int size = int(table.size[axis]);
    if (MODE == TILE) position %= size;
    if (MODE == PAD_CONSTANT || MODE == PAD_EDGE || MODE == PAD_REFLECTION) position -= table.before[axis];
    if (MODE == PAD_CONSTANT) is_border = is_border || position < 0 || position >= size;
    if (MODE == PAD_EDGE) position = clamp(position, 0, size - 1);
    if (MODE == PAD_REFLECTION) position = position < 0 ? -position : position >= size ? 2 * (size - 1) - position : position;
    if (axis + 1 == rank) last = position;
    if (axis + 2 == rank) before_last = position;
    source += position * table.source_strides[axis];
  }
  if (MODE == UPPER) is_border = last - before_last < table.diagonal;
  if (MODE == LOWER) is_border = last - before_last > table.diagonal;
  if (is_border) store_bits(table.y, SIZE, uint(target), table.value);
  else move_unit(table.y, uint(target), table.x, uint(source), SIZE);
}

void main() {
  for (uint round = 0; round < ROUNDS; ++round) move(unit_of_round(round));
}
