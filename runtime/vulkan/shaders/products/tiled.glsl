// Tiled matrix products. A workgroup computes ROWS x COLUMNS elements: it loads DEPTH elements along the inner axis of
// each operand into shared memory, and each lane multiplies 4 * ROW_QUADS rows with 4 * COLUMN_QUADS columns. The next
// elements are on their way from global memory to registers while it multiplies.
//
// Lanes load blocks of 4 x 4 elements and turn them in registers, so that all accesses of shared memory are vectors.
// With SPLIT, workgroups share out the inner axis, and sum_splits.glsl adds their sums.
//
// The including shader defines what is multiplied (product.glsl).
#include "products/product.glsl"

layout(constant_id = 5) const uint ROWS = 64;
layout(constant_id = 6) const uint COLUMNS = 64;
layout(constant_id = 7) const uint DEPTH = 16;
layout(constant_id = 8) const uint ROW_QUADS = 2;
layout(constant_id = 9) const uint COLUMN_QUADS = 2;
layout(constant_id = 14) const bool SPLIT = false;
layout(constant_id = 15) const uint UNROLLED = 1;  // steps of the inner loop; drivers would take long to unroll all

const uint LANE_ROWS = ROWS / (4 * ROW_QUADS), LANE_COLUMNS = COLUMNS / (4 * COLUMN_QUADS);
const uint LANES = LANE_ROWS * LANE_COLUMNS;
// Lines of a tile in shared memory, padded so that lanes write to different banks.
const uint A_LINE = ROWS / 4 + 1, B_LINE = COLUMNS / 4 + 1, B_TILE = DEPTH * A_LINE;
const uint INNER_BLOCKS = DEPTH / 4;
const uint A_BLOCKS = ROWS / 4 * INNER_BLOCKS, BLOCKS = A_BLOCKS + COLUMNS / 4 * INNER_BLOCKS;
const uint LOADS = BLOCKS / LANES;  // of a lane; those of the second operand are the last
const uint STORED = COLUMNS < LANES ? COLUMNS : LANES;  // columns that the lanes store at a time
const uint B_LOADS = BLOCKS - A_BLOCKS >= LANES ? (BLOCKS - A_BLOCKS) / LANES : 1;
shared vec4 tiles[DEPTH * (A_LINE + B_LINE)];

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
  const uint row_tiles = (all.rows + ROWS - 1) / ROWS, column_tiles = (all.columns + COLUMNS - 1) / COLUMNS;
  const uint splits = SPLIT ? (all.inner + all.part - 1) / all.part : 1;
  const uint tile = group_index();
  if (tile >= row_tiles * column_tiles * all.batches * splits) return;
  const uint first_column = tile % column_tiles * COLUMNS, first_row = tile / column_tiles % row_tiles * ROWS;
  const uint batch = tile / column_tiles / row_tiles % all.batches;
  const uint split = SPLIT ? tile / column_tiles / row_tiles / all.batches : 0;
  const uint first = SPLIT ? split * all.part : 0, end = SPLIT ? min(first + all.part, all.inner) : all.inner;

  // Where the lane's blocks are. Those of the second operand have the same columns.
  uvec2 at[LOADS];
  [[unroll]] for (uint i = 0; i < LOADS; ++i)
    at[i] = is_of_a(i, lane) ? block_at(i * LANES + lane, all.a_along_inner, ROWS / 4)
                             : block_at(i * LANES + lane - A_BLOCKS, all.b_along_inner, COLUMNS / 4);
  const uvec2 at_b = at[LOADS - B_LOADS];
  begin(batch, first_column + at_b.x * 4, first + at_b.y * 4, DEPTH / B_LOADS);

  vec4 next[LOADS * 4];
  vec4 sums[4 * ROW_QUADS * COLUMN_QUADS];
  [[unroll]] for (uint i = 0; i < 4 * ROW_QUADS * COLUMN_QUADS; ++i) sums[i] = vec4(0.0);
  const uint lane_row = lane / LANE_COLUMNS, lane_column = lane % LANE_COLUMNS;
  // In the first turn nothing is multiplied yet, in the last one nothing is loaded.
  for (uint start = first; start < end + DEPTH; start += DEPTH) {
    if (start < end) {
      [[unroll]] for (uint i = 0; i < LOADS; ++i) {
        vec4 block[4];
        if (is_of_a(i, lane)) a_block(first_row + at[i].x * 4, start + at[i].y * 4, end, block);
        else b_block(start + at[i].y * 4, end, first_column + at[i].x * 4, block);
        [[unroll]] for (uint k = 0; k < 4; ++k) next[i * 4 + k] = block[k];
      }
    }
    if (start != first) {
      [[dont_unroll]] for (uint from = 0; from < DEPTH; from += UNROLLED)
        [[unroll]] for (uint u = 0; u < UNROLLED; ++u) {
          const uint k = from + u;
          vec4 a[ROW_QUADS], b[COLUMN_QUADS];
          [[unroll]] for (uint q = 0; q < ROW_QUADS; ++q) a[q] = tiles[k * A_LINE + lane_row + q * LANE_ROWS];
          [[unroll]] for (uint q = 0; q < COLUMN_QUADS; ++q)
            b[q] = tiles[B_TILE + k * B_LINE + lane_column + q * LANE_COLUMNS];
          [[unroll]] for (uint p = 0; p < ROW_QUADS; ++p)
            [[unroll]] for (uint r = 0; r < 4; ++r)
              [[unroll]] for (uint q = 0; q < COLUMN_QUADS; ++q)
                sums[(p * 4 + r) * COLUMN_QUADS + q] += a[p][r] * b[q];
        }
    }
    barrier();  // the tiles have been multiplied
    if (start < end) {
      [[unroll]] for (uint i = 0; i < LOADS; ++i) {
        const uint line = is_of_a(i, lane) ? A_LINE : B_LINE;
        const uint place = (is_of_a(i, lane) ? 0 : B_TILE) + at[i].y * 4 * line + at[i].x;
        [[unroll]] for (uint k = 0; k < 4; ++k) tiles[place + k * line] = next[i * 4 + k];
      }
    }
    barrier();
  }

  // Stored through shared memory, so that neighbouring lanes store neighbouring elements: in each turn one row of every
  // lane.
  const uint own_column = first_column + lane % STORED;
  if (STORED == COLUMNS) begin_store(batch, own_column);
  [[dont_unroll]] for (uint turn = 0; turn < 4 * ROW_QUADS; ++turn) {
    vec4 line[COLUMN_QUADS];
    [[unroll]] for (uint q = 0; q < COLUMN_QUADS; ++q) {
      line[q] = sums[q];
      [[unroll]] for (uint r = 1; r < 4 * ROW_QUADS; ++r) line[q] = r == turn ? sums[r * COLUMN_QUADS + q] : line[q];
    }
    barrier();
    [[unroll]] for (uint q = 0; q < COLUMN_QUADS; ++q)
      tiles[lane_row * (COLUMNS / 4) + lane_column + q * LANE_COLUMNS] = line[q];
    barrier();
    [[dont_unroll]] for (uint part = 0; part < COLUMNS; part += STORED) {
      const uint column = own_column + part;
      if (column >= all.columns) break;
      if (STORED != COLUMNS) begin_store(batch, column);
      [[dont_unroll]] for (uint i = lane / STORED; i < LANE_ROWS; i += LANES / STORED) {
        const uint row = first_row + turn / 4 * (ROWS / ROW_QUADS) + i * 4 + turn % 4;
        if (row >= all.rows) break;
        const uint place = i * COLUMNS + part + lane % STORED;
        const float value = tiles[place / 4][place % 4];
        if (SPLIT)
          Floats(table.carry).at[((split * all.batches + batch) * all.rows + row) * all.columns + column] = value;
        else store_element(batch, row, column, value);
      }
    }
  }
}
