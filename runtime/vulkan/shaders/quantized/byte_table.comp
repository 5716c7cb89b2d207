// @byteTable: an invocation looks up four elements.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common/extensions.glsl"

struct Table {
  uint64_t x, entries, y;
  uint count;
};
#include "common/elements.glsl"
#include "common/math.glsl"
#include "quantized/bytes.glsl"

void main() {
  const uint place = invocation_index() * 4;
  if (place >= table.count) return;
  const uint count = min(table.count - place, 4);
  const bool whole = count == 4;
  const uint word = whole ? load_bytes(table.x, true, place, 4) : load_bytes(table.x, false, place, count);
  uint result = 0;
  [[unroll]] for (uint i = 0; i < 4; ++i)
    result |= uint(Words8(table.entries).at[(word >> (8 * i)) & 0xffu]) << (8 * i);
  if (whole) store_bytes(table.y, true, place, 4, result);
  else store_bytes(table.y, false, place, count, result);
}
