// Elements of reals that a workgroup reads from memory once and keeps: each lane its first four in registers, the others
// in shared memory, as the bits that they are stored in. Included behind row_groups.glsl; requires the constant TYPE.
#include "rows/fours.glsl"

layout(constant_id = constant_kept_lines) const uint KEPT_LINES = 1;
shared uvec2 kept[KEPT_LINES * GROUP];
uvec4 kept_first;

/// Keeps the bits of a lane's `turn`-th four elements.
void keep(uint turn, uvec4 bits) {
  const uint lane = gl_LocalInvocationID.x;
  if (turn == 0) {
    kept_first = bits;
  } else if (TYPE == FLOAT16) {
    kept[(turn - 1) * GROUP + lane] = bits.xy;
  } else {
    kept[(2 * turn - 2) * GROUP + lane] = bits.xy;
    kept[(2 * turn - 1) * GROUP + lane] = bits.zw;
  }
}
vec4 kept_four(uint turn) {
  const uint lane = gl_LocalInvocationID.x;
  if (turn == 0) return four_of(kept_first);
  if (TYPE == FLOAT16) return four_of(uvec4(kept[(turn - 1) * GROUP + lane], 0, 0));
  return four_of(uvec4(kept[(2 * turn - 2) * GROUP + lane], kept[(2 * turn - 1) * GROUP + lane]));
}
