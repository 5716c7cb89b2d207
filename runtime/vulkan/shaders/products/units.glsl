// Tiled products of float16 by matrix units (tensor cores), on devices with cooperative matrices; sums are float32. A
// workgroup computes ROWS x COLUMNS elements, each of its subgroups a part of them, in fragments of M x N elements,
// K elements of the inner axis at a time (fragments.glsl).
//
// Tiles lie in shared memory as the operands do in memory, in vectors of eight elements: the units read either order, and
// nothing is turned. There are two stages of them: while one is multiplied, the other is filled. So there is one barrier
// for DEPTH elements. What comes next is on its way from global memory to registers for AHEAD stages: all workgroups read
// new elements at the same time, and wait for memory, not for the cache.
//
// The including shader defines what is multiplied (product.glsl), LOAD_A and LOAD_B (blocks.glsl).
#include "products/product.glsl"

layout(constant_id = constant_tile_rows) const uint ROWS = 64;
layout(constant_id = constant_tile_columns) const uint COLUMNS = 64;
layout(constant_id = constant_tile_depth) const uint DEPTH = 32;
layout(constant_id = constant_parts_down) const uint PARTS_DOWN = 2;
layout(constant_id = constant_parts_across) const uint PARTS_ACROSS = 2;
layout(constant_id = constant_split) const bool SPLIT = false;  // workgroups share out the inner axis; sum_splits.glsl adds their sums
layout(constant_id = constant_ahead) const uint AHEAD = 2;

// A tile has lines of adjacent elements. Each line has one vector more, so that the units read from different banks.
const bool A_ALONG = (LOAD_A & ALONG_INNER) != 0, B_ALONG = (LOAD_B & ALONG_INNER) != 0;
const uint A_EIGHTS = (A_ALONG ? DEPTH : ROWS) / 8, A_LINES = A_ALONG ? ROWS : DEPTH, A_LINE = A_EIGHTS + 1;
const uint B_EIGHTS = (B_ALONG ? DEPTH : COLUMNS) / 8, B_LINES = B_ALONG ? COLUMNS : DEPTH, B_LINE = B_EIGHTS + 1;
const uint B_TILE = A_LINES * A_LINE, STAGE = B_TILE + B_LINES * B_LINE;
// At last there are rows of sums, after all tiles have been multiplied.
#define TILES (2 * STAGE < M * COLUMNS / 4 ? M * COLUMNS / 4 : 2 * STAGE)
#include "products/fragments.glsl"
float result(uint place) { return uintBitsToFloat(tiles[place / 4][place % 4]); }

const uint PART_ROWS = ROWS / PARTS_DOWN, PART_COLUMNS = COLUMNS / PARTS_ACROSS;
const uint DOWN = PART_ROWS / M, ACROSS = PART_COLUMNS / N;  // fragments of a part

#ifdef EMULATED
const uint LANES = PARTS_DOWN * PARTS_ACROSS * EMULATED_SUBGROUP;

vec4 sums[DOWN * ACROSS * (N / 4)];
void clear_sums() {
  for (uint i = 0; i < DOWN * ACROSS * (N / 4); ++i) sums[i] = vec4(0.0);
}
void multiply_fragments(uint stage, uint row, uint column, uint start) {
  if (own_row() >= M) return;
  [[dont_unroll]] for (uint k = start; k < start + K; ++k)
    [[dont_unroll]] for (uint p = 0; p < DOWN; ++p) {
      const float a = element(stage, A_ALONG, A_LINE, row + p * M + own_row(), k);
      [[dont_unroll]] for (uint i = 0; i < ACROSS * (N / 4); ++i)
        sums[p * ACROSS * (N / 4) + i] += a * four_elements(stage + B_TILE, B_ALONG, B_LINE, column + i * 4, k);
    }
}
void put_fragments(uint down, uint place) {
  if (own_row() >= M) return;
  for (uint i = 0; i < PART_COLUMNS / 4; ++i)
    tiles[(place + own_row() * COLUMNS) / 4 + i] = floatBitsToUint(sums[down * ACROSS * (N / 4) + i]);
}
#else
const uint LANES = gl_WorkGroupSize.x;

SumFragment sums[DOWN * ACROSS];
void clear_sums() {
  [[unroll]] for (uint i = 0; i < DOWN * ACROSS; ++i) sums[i] = SumFragment(0.0);
}
void multiply_fragments(uint stage, uint row, uint column, uint k) {
  FirstFragment a[DOWN];
  [[unroll]] for (uint p = 0; p < DOWN; ++p) {
    LOAD_FIRST(a[p], stage, A_ALONG, A_LINE, row + p * M, k);
  }
  [[unroll]] for (uint q = 0; q < ACROSS; ++q) {
    SecondFragment b;
    LOAD_SECOND(b, stage + B_TILE, B_ALONG, B_LINE, column + q * N, k);
    [[unroll]] for (uint p = 0; p < DOWN; ++p)
      sums[p * ACROSS + q] = coopMatMulAddNV(a[p], b, sums[p * ACROSS + q]);
  }
}
void put_fragments(uint down, uint place) {
  [[unroll]] for (uint p = 0; p < DOWN; ++p)
    if (p == down) {
      [[unroll]] for (uint q = 0; q < ACROSS; ++q)
        coopMatStoreNV(sums[p * ACROSS + q], tiles, (place + q * N) / 4, COLUMNS / 4, false);
    }
}
#endif

uint part_row() { return subgroup_number() / PARTS_ACROSS; }
uint part_column() { return subgroup_number() % PARTS_ACROSS; }

// A lane loads these vectors of a tile, those of the second operand at the same columns if they are not along the inner
// axis. Where a tile has fewer than there are lanes, the others load nothing.
const uint A_COUNT = A_EIGHTS * A_LINES, A_LOADS = (A_COUNT + LANES - 1) / LANES;
const uint B_COUNT = B_EIGHTS * B_LINES, B_LOADS = (B_COUNT + LANES - 1) / LANES;
uvec4 next_a[AHEAD * A_LOADS], next_b[AHEAD * B_LOADS];

void load(const uint slot, uint lane, uint first_row, uint first_column, uint start, uint end) {
  [[unroll]] for (uint i = 0; i < A_LOADS; ++i) {
    const uint number = i * LANES + lane, at = number % A_EIGHTS * 8, line = number / A_EIGHTS;
    if (A_COUNT % LANES != 0 && number >= A_COUNT) continue;
    next_a[slot * A_LOADS + i] = A_ALONG ? a_eight(first_row + line, start + at, end) : a_eight(first_row + at, start + line, end);
  }
  [[unroll]] for (uint i = 0; i < B_LOADS; ++i) {
    const uint number = i * LANES + lane, at = number % B_EIGHTS * 8, line = number / B_EIGHTS;
    if (B_COUNT % LANES != 0 && number >= B_COUNT) continue;
    next_b[slot * B_LOADS + i] = B_ALONG ? b_eight(start + at, end, first_column + line) : b_eight(start + line, end, first_column + at);
  }
}
void put(const uint slot, uint lane, uint stage) {
  [[unroll]] for (uint i = 0; i < A_LOADS; ++i) {
    const uint number = i * LANES + lane;
    if (A_COUNT % LANES == 0 || number < A_COUNT)
      tiles[stage + number / A_EIGHTS * A_LINE + number % A_EIGHTS] = next_a[slot * A_LOADS + i];
  }
  [[unroll]] for (uint i = 0; i < B_LOADS; ++i) {
    const uint number = i * LANES + lane;
    if (B_COUNT % LANES == 0 || number < B_COUNT)
      tiles[stage + B_TILE + number / B_EIGHTS * B_LINE + number % B_EIGHTS] = next_b[slot * B_LOADS + i];
  }
}

// In each turn a row of fragments is stored, of the parts that are side by side.
const uint TURNS = DOWN * PARTS_DOWN, TURN_ROWS = M;
uint row_of(uint turn, uint i) { return turn / DOWN * PART_ROWS + turn % DOWN * M + i; }
void put_results(uint turn, uint lane) {
  if (part_row() == turn / DOWN) put_fragments(turn % DOWN, part_column() * PART_COLUMNS);
}
#include "products/tile.glsl"

void main() {
  const Product all = product();
  const uint lane = gl_LocalInvocationID.x;
  TileWork work;
  if (!begin_tile(all, work)) return;
  const uint first_row = work.first_row, first_column = work.first_column, first = work.first, end = work.end;

  begin(work.batch, first_column + lane % B_EIGHTS * 8, first + lane / B_EIGHTS, DEPTH / B_LOADS);
  clear_sums();
  [[unroll]] for (uint slot = 0; slot < AHEAD; ++slot)
    load(slot, lane, first_row, first_column, first + slot * DEPTH, end);
  uint stage = 0;
  for (uint turn = first; turn < end; turn += AHEAD * DEPTH)
    [[unroll]] for (uint slot = 0; slot < AHEAD; ++slot) {
      const uint start = turn + slot * DEPTH;
      if (start >= end) break;
      put(slot, lane, stage);
      if (start + AHEAD * DEPTH < end) load(slot, lane, first_row, first_column, start + AHEAD * DEPTH, end);
      barrier();
      [[dont_unroll]] for (uint k = 0; k < DEPTH; k += K)
        multiply_fragments(stage, part_row() * PART_ROWS, part_column() * PART_COLUMNS, k);
      stage = STAGE - stage;
    }
  store_tile(all, work, lane);
}
