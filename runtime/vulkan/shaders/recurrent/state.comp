// The initial state of a recurrent network as float32: its operand, or zeros.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common/extensions.glsl"

struct Table {
  uint64_t x, y;
  uint count, start;
};
#include "common/elements.glsl"

layout(constant_id = 1) const uint TYPE = 0;

void main() {
  const uint i = invocation_index();
  if (i >= table.count) return;
  float value = 0.0;
  if (table.x != 0) value = load_real(table.x, TYPE, table.start + i);
  Floats(table.y).at[i] = value;
}
