// @quantizedAdd: an invocation computes four elements.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common/extensions.glsl"

struct Table {
  uint64_t a, b, y;
  uint count;
  int a_zero_point, b_zero_point, zero_point;
  float a_scale, b_scale, scale;
};
#include "common/elements.glsl"
#include "common/math.glsl"
#include "quantized/bytes.glsl"

layout(constant_id = 1) const uint A_TYPE = INT8;
layout(constant_id = 2) const uint B_TYPE = INT8;
layout(constant_id = 3) const uint Y_TYPE = INT8;

void main() {
  const uint place = invocation_index() * 4;
  if (place >= table.count) return;
  const uint count = min(table.count - place, 4);
  const bool whole = count == 4;
  const uint a = whole ? load_bytes(table.a, true, place, 4) : load_bytes(table.a, false, place, count);
  const uint b = whole ? load_bytes(table.b, true, place, 4) : load_bytes(table.b, false, place, count);
  precise vec4 first = (numbers_of(a, A_TYPE) - float(table.a_zero_point)) * table.a_scale;
  precise vec4 second = (numbers_of(b, B_TYPE) - float(table.b_zero_point)) * table.b_scale;
  precise vec4 sum = first + second;
  uint word = 0;
  [[unroll]] for (uint i = 0; i < 4; ++i) word |= quantized(sum[i], table.scale, table.zero_point, Y_TYPE) << (8 * i);
  if (whole) store_bytes(table.y, true, place, 4, word);
  else store_bytes(table.y, false, place, count, word);
}
