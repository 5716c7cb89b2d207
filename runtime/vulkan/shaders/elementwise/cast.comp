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

layout(constant_id = 1) const uint FROM = 0;
layout(constant_id = 2) const uint TO = 0;

const bool FROM_REAL = FROM == FLOAT32 || FROM == FLOAT16, TO_REAL = TO == FLOAT32 || TO == FLOAT16;
const bool PACKED = TO == INT4 || TO == UINT4;

int64_t integer_at(uint i) {
  if (FROM_REAL) return truncated(load_real(table.x, FROM, i), TO);
  return load_integer(table.x, FROM, i);
}

void main() {
  const uint i = invocation_index();
  if (PACKED) {
    if (2 * i >= table.count) return;
    const int64_t low = integer_at(2 * i) & 0xf;
    const int64_t high = 2 * i + 1 < table.count ? integer_at(2 * i + 1) & 0xf : int64_t(0);
    store_integer(table.y, TO, i, low | (high << 4));
    return;
  }
  if (i >= table.count) return;
  if (!TO_REAL) store_integer(table.y, TO, i, integer_at(i));
  else if (FROM_REAL) store_real(table.y, TO, i, load_real(table.x, FROM, i));
  else if (FROM == UINT64) store_real(table.y, TO, i, float(uint64_t(load_integer(table.x, FROM, i))));
  else store_real(table.y, TO, i, float(load_integer(table.x, FROM, i)));
}
