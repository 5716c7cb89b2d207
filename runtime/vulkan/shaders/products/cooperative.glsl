// Float16 matrix products with matrix units (tensor cores), for devices with cooperative matrices. A workgroup of four
// subgroups computes 64 x 64 elements of the result; each subgroup computes a quarter of them in fragments of 16 x 16,
// with float32 sums. Both operands pass through shared memory, 32 elements of the inner axis at a time.
//
// The including shader defines what is multiplied (product.glsl). With EMULATED a subgroup is 16 invocations, each of
// which keeps a row of the sums and reads the operands from shared memory, so that everything except the matrix units
// can be tested on any device.
#include "products/product.glsl"

const uint TILE = 64, PART = 32, DEPTH = 32, SIDE = 16;  // of a workgroup, a subgroup, an inner slice, a fragment
#ifdef EMULATED
#define Element float
const uint LONGER = 0;
#else
#define Element float16_t
const uint LONGER = 8;  // padding, so that lanes read from different banks
#endif
const uint A_LINE = DEPTH + LONGER, B_LINE = TILE + LONGER;
shared Element a_tile[TILE * A_LINE];
shared Element b_tile[DEPTH * B_LINE];
shared float results[TILE * TILE];

#ifdef EMULATED
#define FragmentA uint
#define FragmentB uint
struct Sums { vec4 at[SIDE / 4]; };

uint subgroup_number() { return gl_LocalInvocationID.x / SIDE; }
uint own_row() { return gl_LocalInvocationID.x % SIDE; }
Sums no_sums() { return Sums(vec4[](vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0))); }
uint load_a(uint place) { return place + own_row() * A_LINE; }
uint load_b(uint place) { return place; }
Sums multiply_add(uint a, uint b, Sums sums) {
  [[dont_unroll]] for (uint k = 0; k < SIDE; ++k)
    [[unroll]] for (uint i = 0; i < SIDE / 4; ++i) {
      const uint place = b + k * B_LINE + 4 * i;
      sums.at[i] += a_tile[a + k] * vec4(b_tile[place], b_tile[place + 1], b_tile[place + 2], b_tile[place + 3]);
    }
  return sums;
}
void store_sums(Sums sums, uint place) {
  for (uint i = 0; i < SIDE; ++i) results[place + own_row() * TILE + i] = sums.at[i / 4][i % 4];
}
#else
// Never specialised: rows and columns of the three matrices use different constants, by which the build tells the
// matrices apart (tools/khr_cooperative_matrix.hpp).
layout(constant_id = 11) const uint M = 16;
layout(constant_id = 12) const uint N = 16;
layout(constant_id = 13) const uint K = 16;
#define FragmentA fcoopmatNV<16, gl_ScopeSubgroup, M, K>
#define FragmentB fcoopmatNV<16, gl_ScopeSubgroup, K, N>
#define Sums fcoopmatNV<32, gl_ScopeSubgroup, M, N>

uint subgroup_number() { return gl_SubgroupID; }
Sums no_sums() { return Sums(0.0); }
FragmentA load_a(uint place) {
  FragmentA fragment;
  coopMatLoadNV(fragment, a_tile, place, A_LINE, false);
  return fragment;
}
FragmentB load_b(uint place) {
  FragmentB fragment;
  coopMatLoadNV(fragment, b_tile, place, B_LINE, false);
  return fragment;
}
Sums multiply_add(FragmentA a, FragmentB b, Sums sums) { return coopMatMulAddNV(a, b, sums); }
void store_sums(Sums sums, uint place) { coopMatStoreNV(sums, results, place, TILE, false); }
#endif

/// Loads the next elements of both operands into shared memory, with zeros outside of the operands.
void load_tiles(const Product all, uint first_row, uint first_column, uint start) {
  const uint lane = gl_LocalInvocationID.x, lanes = gl_WorkGroupSize.x;  // lanes: a multiple of TILE
  [[dont_unroll]] for (uint i = lane; i < TILE * DEPTH; i += lanes) {
    const uint a_k = all.a_along_inner ? i % DEPTH : i / TILE, a_row = all.a_along_inner ? i / DEPTH : i % TILE;
    const uint b_k = all.b_along_inner ? i % DEPTH : i / TILE, b_column = all.b_along_inner ? i / DEPTH : i % TILE;
    float a = 0.0, b = 0.0;
    if (first_row + a_row < all.rows && start + a_k < all.inner) a = a_element(first_row + a_row, start + a_k);
    if (first_column + b_column < all.columns && start + b_k < all.inner)
      b = b_element(start + b_k, first_column + b_column);
    a_tile[a_row * A_LINE + a_k] = Element(a);
    b_tile[b_k * B_LINE + b_column] = Element(b);
  }
}

void main() {
  const Product all = product();
  const uint lane = gl_LocalInvocationID.x;
  const uint row_tiles = (all.rows + TILE - 1) / TILE, column_tiles = (all.columns + TILE - 1) / TILE;
  const uint tile = group_index();
  if (tile >= row_tiles * column_tiles * all.batches) return;
  const uint first_column = tile % column_tiles * TILE, first_row = tile / column_tiles % row_tiles * TILE;
  const uint batch = tile / column_tiles / row_tiles;
  begin(batch, first_column + lane % TILE);

  // The subgroup's quarter: two by two fragments.
  const uint part_row = subgroup_number() / 2 * PART, part_column = subgroup_number() % 2 * PART;
  Sums s00 = no_sums(), s01 = no_sums(), s10 = no_sums(), s11 = no_sums();
  for (uint start = 0; start < all.inner; start += DEPTH) {
    load_tiles(all, first_row, first_column, start);
    barrier();
    [[dont_unroll]] for (uint k = 0; k < DEPTH; k += SIDE) {
      const FragmentA a0 = load_a(part_row * A_LINE + k), a1 = load_a((part_row + SIDE) * A_LINE + k);
      const FragmentB b0 = load_b(k * B_LINE + part_column), b1 = load_b(k * B_LINE + part_column + SIDE);
      s00 = multiply_add(a0, b0, s00);
      s01 = multiply_add(a0, b1, s01);
      s10 = multiply_add(a1, b0, s10);
      s11 = multiply_add(a1, b1, s11);
    }
    barrier();
  }

  const uint place = part_row * TILE + part_column;
  store_sums(s00, place);
  store_sums(s01, place + SIDE);
  store_sums(s10, place + SIDE * TILE);
  store_sums(s11, place + SIDE * TILE + SIDE);
  barrier();
  begin_store(batch, first_column + lane % TILE);
  [[dont_unroll]] for (uint i = lane; i < TILE * TILE; i += gl_WorkGroupSize.x) {  // one column: see load_tiles
    const uint row = first_row + i / TILE, column = first_column + i % TILE;
    if (row < all.rows && column < all.columns) store_element(batch, row, column, results[i]);
  }
}
