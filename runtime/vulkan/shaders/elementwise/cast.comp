// cast between any two types. Where two elements share a byte of the result, an invocation writes both.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common/extensions.glsl"

struct Table {
  uint64_t x, y;
  uint count;  // elements
};
#include "common/elements.glsl"
#include "common/convert.glsl"
#include "common/fours.glsl"
#include "common/rounds.glsl"

layout(constant_id = 1) const uint FROM = 0;
layout(constant_id = 2) const uint TO = 0;

const bool FROM_REAL = FROM == FLOAT32 || FROM == FLOAT16, TO_REAL = TO == FLOAT32 || TO == FLOAT16;
const bool PACKED = TO == INT4 || TO == UINT4;

int64_t integer_at(uint i) {
  if (FROM_REAL) return truncated(load_real(table.x, FROM, i), TO);
  return load_integer(table.x, FROM, i);
}

/// Of types of 8, 16 or 32 bits.
uint converted(uint bits) {
  if (FROM_REAL && TO_REAL) return bits_of_real(TO, real_of(FROM, bits));
  if (FROM_REAL) return uint(uint64_t(truncated(real_of(FROM, bits), TO)));
  if (TO_REAL) return bits_of_real(TO, float(integer_of(FROM, bits)));
  return uint(uint64_t(integer_of(FROM, bits)));
}

/// Writes two elements.
void convert_pair(uint i) {
  if (i >= (table.count + 1) / 2) return;
  const int64_t low = integer_at(2 * i) & 0xf;
  const int64_t high = 2 * i + 1 < table.count ? integer_at(2 * i + 1) & 0xf : int64_t(0);
  store_integer(table.y, TO, i, low | (high << 4));
}

void convert_one(uint i) {
  if (!TO_REAL) store_integer(table.y, TO, i, integer_at(i));
  else if (FROM_REAL) store_real(table.y, TO, i, load_real(table.x, FROM, i));
  else if (FROM == UINT64) store_real(table.y, TO, i, float(uint64_t(load_integer(table.x, FROM, i))));
  else store_real(table.y, TO, i, float(load_integer(table.x, FROM, i)));
}

void convert(uint first) {
  if (first >= table.count) return;
  if (LANE_ELEMENTS == 4 && first + 4 <= table.count) {
    uvec4 bits = load_four(table.x, size_of(FROM), first);
    [[unroll]] for (uint k = 0; k < 4; ++k) bits[k] = converted(bits[k]);
    store_four(table.y, size_of(TO), first, bits);
    return;
  }
  for (uint k = 0; k < LANE_ELEMENTS; ++k)
    if (first + k < table.count) convert_one(first + k);
}

void main() {
  for (uint round = 0; round < ROUNDS; ++round) {
    const uint unit = unit_of_round(round);
    if (PACKED) convert_pair(unit);
    else convert(unit * LANE_ELEMENTS);
  }
}
