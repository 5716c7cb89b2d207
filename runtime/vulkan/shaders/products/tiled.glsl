// Tiled matrix products. A workgroup computes ROWS x COLUMNS elements: it loads DEPTH elements along the inner axis of
// each operand into shared memory, where they are multiplied by its lanes (lanes.glsl). Meanwhile the next elements are on
// their way from global memory to registers, for AHEAD times DEPTH: memory takes longer to answer than lanes to multiply.
//
// Lanes load blocks of 4 x 4 elements and turn them in registers, so that all accesses of shared memory are vectors.
// With SPLIT, workgroups share out the inner axis, and sum_splits.glsl adds their sums.
//
// The including shader defines what is multiplied (product.glsl).
#include "products/product.glsl"

layout(constant_id = constant_tile_rows) const uint ROWS = 64;
layout(constant_id = constant_tile_columns) const uint COLUMNS = 64;
layout(constant_id = constant_tile_depth) const uint DEPTH = 16;
layout(constant_id = constant_split) const bool SPLIT = false;
layout(constant_id = constant_ahead) const uint AHEAD = 1;

// It declares:
//   LANES           invocations of the workgroup
//   tiles           shared memory: DEPTH lines of A_LINE quads, then from B_TILE on DEPTH lines of B_LINE quads
//   put(place, of)  writes a quad there
//   clear_sums(), multiply(lane)  add the products of the tiles up
//   what tile.glsl needs to store them
#include "products/lanes.glsl"
#include "products/tile.glsl"

const uint INNER_BLOCKS = DEPTH / 4;
const uint A_BLOCKS = ROWS / 4 * INNER_BLOCKS, BLOCKS = A_BLOCKS + COLUMNS / 4 * INNER_BLOCKS;
const uint LOADS = BLOCKS / LANES;  // of a lane; those of the second operand are the last
const uint B_LOADS = BLOCKS - A_BLOCKS >= LANES ? (BLOCKS - A_BLOCKS) / LANES : 1;

/// Whether the lane's block `load` is of the first operand. A constant, unless the lanes of a workgroup differ.
bool is_of_a(uint load, uint lane) {
  return (load + 1) * LANES <= A_BLOCKS || (load * LANES < A_BLOCKS && load * LANES + lane < A_BLOCKS);
}
/// Block i of an operand: x is its quad of rows or columns, y its quad along the inner axis. Neighbouring lanes load
/// what is adjacent in memory.
uvec2 block_at(uint i, bool along_inner, const uint quads) {
  return along_inner ? uvec2(i / INNER_BLOCKS, i % INNER_BLOCKS) : uvec2(i % quads, i / quads);
}

void main() {
  const Product all = product();
  const uint lane = gl_LocalInvocationID.x;
  TileWork work;
  if (!begin_tile(all, work)) return;
  const uint first_row = work.first_row, first_column = work.first_column, first = work.first, end = work.end;

  // Where the lane's blocks are. Those of the second operand have the same columns.
  uvec2 at[LOADS];
  [[unroll]] for (uint i = 0; i < LOADS; ++i)
    at[i] = is_of_a(i, lane) ? block_at(i * LANES + lane, all.a_along_inner, ROWS / 4)
                             : block_at(i * LANES + lane - A_BLOCKS, all.b_along_inner, COLUMNS / 4);
  const uvec2 at_b = at[LOADS - B_LOADS];
  begin(work.batch, first_column + at_b.x * 4, first + at_b.y * 4, DEPTH / B_LOADS);

  vec4 next[AHEAD * LOADS * 4];
  clear_sums();
#define LOAD(slot, start)                                                                    \
  [[unroll]] for (uint i = 0; i < LOADS; ++i) {                                              \
    vec4 block[4];                                                                           \
    if (is_of_a(i, lane)) a_block(first_row + at[i].x * 4, (start) + at[i].y * 4, end, block); \
    else b_block((start) + at[i].y * 4, end, first_column + at[i].x * 4, block);             \
    [[unroll]] for (uint k = 0; k < 4; ++k) next[((slot) * LOADS + i) * 4 + k] = block[k];   \
  }
  [[unroll]] for (uint slot = 0; slot < AHEAD; ++slot) {
    const uint start = first + slot * DEPTH;
    if (start < end) LOAD(slot, start)
  }
  for (uint turn = first; turn < end; turn += AHEAD * DEPTH)
    [[unroll]] for (uint slot = 0; slot < AHEAD; ++slot) {
      const uint start = turn + slot * DEPTH;
      if (start >= end) break;
      barrier();  // the tiles have been multiplied
      [[unroll]] for (uint i = 0; i < LOADS; ++i) {
        const uint line = is_of_a(i, lane) ? A_LINE : B_LINE;
        const uint at_tile = (is_of_a(i, lane) ? 0 : B_TILE) + at[i].y * 4 * line + at[i].x;
        [[unroll]] for (uint k = 0; k < 4; ++k) put(at_tile + k * line, next[(slot * LOADS + i) * 4 + k]);
      }
      if (start + AHEAD * DEPTH < end) LOAD(slot, start + AHEAD * DEPTH)
      barrier();
      multiply(lane);
    }
  store_tile(all, work, lane);
}
