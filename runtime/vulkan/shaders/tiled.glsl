// Tiled matrix products. A workgroup of 64 lanes computes 64 x 64 elements: it loads 64 x 16 elements of each operand
// into shared memory, and each lane multiplies 8 rows of one with 8 columns of the other. So an element loaded from
// global memory is used 64 times, and one from shared memory 8 times.
//
// The including shader defines what is multiplied (product.glsl).
#include "product.glsl"

const uint TILE = 64, DEPTH = 16, LANES = 64, HALF = TILE / 2;
const uint LINE = TILE + 4;  // row stride of a tile in shared memory, padded so that lanes write to different banks
const uint B_TILE = DEPTH * LINE;
shared float tiles[2 * DEPTH * LINE];

vec4 four(uint place) { return vec4(tiles[place], tiles[place + 1], tiles[place + 2], tiles[place + 3]); }
void put_four(uint place, vec4 values) {
  tiles[place] = values.x;
  tiles[place + 1] = values.y;
  tiles[place + 2] = values.z;
  tiles[place + 3] = values.w;
}

void main() {
  const Product all = product();
  const uint lane = gl_LocalInvocationID.x;
  const uint row_tiles = (all.rows + TILE - 1) / TILE, column_tiles = (all.columns + TILE - 1) / TILE;
  const uint tile = group_index();
  if (tile >= row_tiles * column_tiles * all.batches) return;
  const uint first_column = tile % column_tiles * TILE, first_row = tile / column_tiles % row_tiles * TILE;
  const uint batch = tile / column_tiles / row_tiles;
  begin(batch, first_column + lane);

  // The lane's rows and columns in the tile: four from here on, and four in the other half.
  const uint lane_row = lane / 8 * 4, lane_column = lane % 8 * 4;
  vec4 sums[16];  // by row: its two vectors of columns
  [[unroll]] for (uint i = 0; i < 16; ++i) sums[i] = vec4(0.0);
  for (uint start = 0; start < all.inner; start += DEPTH) {
    // Not unrolled: drivers would take long to compile it.
    [[dont_unroll]] for (uint i = 0; i < TILE * DEPTH / LANES; ++i) {
      const uint element = lane + i * LANES;
      const uint a_k = all.a_along_inner ? element % DEPTH : i, a_row = all.a_along_inner ? element / DEPTH : lane;
      const uint b_k = all.b_along_inner ? element % DEPTH : i, b_column = all.b_along_inner ? element / DEPTH : lane;
      float a = 0.0, b = 0.0;
      if (first_row + a_row < all.rows && start + a_k < all.inner) a = a_element(first_row + a_row, start + a_k);
      if (first_column + b_column < all.columns && start + b_k < all.inner)
        b = b_element(start + b_k, first_column + b_column);
      tiles[a_k * LINE + a_row] = a;
      tiles[B_TILE + b_k * LINE + b_column] = b;
    }
    barrier();
    [[dont_unroll]] for (uint k = 0; k < DEPTH; ++k) {
      const uint at_a = k * LINE + lane_row, at_b = B_TILE + k * LINE + lane_column;
      const vec4 a0 = four(at_a), a1 = four(at_a + HALF), b0 = four(at_b), b1 = four(at_b + HALF);
      [[unroll]] for (uint r = 0; r < 4; ++r) {
        sums[2 * r] += a0[r] * b0;
        sums[2 * r + 1] += a0[r] * b1;
        sums[8 + 2 * r] += a1[r] * b0;
        sums[8 + 2 * r + 1] += a1[r] * b1;
      }
    }
    barrier();
  }

  // Stored through shared memory, half of the rows at a time, so that neighbouring lanes store neighbouring elements.
  [[dont_unroll]] for (uint part = 0; part < 2; ++part) {
    [[unroll]] for (uint r = 0; r < 4; ++r) {
      const uint place = (lane_row + r) * TILE + lane_column;
      put_four(place, part == 0 ? sums[2 * r] : sums[8 + 2 * r]);
      put_four(place + HALF, part == 0 ? sums[2 * r + 1] : sums[8 + 2 * r + 1]);
    }
    barrier();
    [[dont_unroll]] for (uint r = 0; r < HALF; ++r) {
      const uint row = first_row + part * HALF + r, column = first_column + lane;
      if (row < all.rows && column < all.columns) store_element(batch, row, column, tiles[r * TILE + lane]);
    }
    barrier();
  }
}
