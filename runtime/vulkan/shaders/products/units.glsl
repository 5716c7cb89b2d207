// Matrix units (tensor cores) multiply the tiles of tiled.glsl, on devices with cooperative matrices: float16 with sums in
// float32. Each subgroup computes a part of the tile in fragments of M x N elements, K elements of the inner axis at a
// time. The device says which fragments its units have (Profile::fragment), when the pipeline is made.
//
// With EMULATED a subgroup is 16 invocations, each of which keeps a row of the sums, so that everything but the matrix
// units can be tested on any device.
layout(constant_id = 8) const uint PARTS_DOWN = 2;
layout(constant_id = 9) const uint PARTS_ACROSS = 2;
// Rows and columns of the three kinds of matrices have different constants, by which the build tells them apart
// (tools/khr_cooperative_matrix.hpp).
layout(constant_id = 11) const uint M = 16;
layout(constant_id = 12) const uint N = 16;
layout(constant_id = 13) const uint K = 16;

const uint PART_ROWS = ROWS / PARTS_DOWN, PART_COLUMNS = COLUMNS / PARTS_ACROSS;
const uint DOWN = PART_ROWS / M, ACROSS = PART_COLUMNS / N;  // fragments of a part
const uint A_LINE = ROWS / 4 + 2, B_LINE = COLUMNS / 4 + 2;  // padded for the banks; each begins at 16 bytes
const uint B_TILE = DEPTH * A_LINE;
shared float results[M * COLUMNS];

#ifdef EMULATED
const uint LANES = PARTS_DOWN * PARTS_ACROSS * 16;
shared vec4 tiles[DEPTH * (A_LINE + B_LINE)];
void put(uint place, vec4 quad) { tiles[place] = quad; }

uint subgroup_number() { return gl_LocalInvocationID.x / 16; }
uint own_row() { return gl_LocalInvocationID.x % 16; }

vec4 sums[DOWN * ACROSS * (N / 4)];
void clear_sums() {
  for (uint i = 0; i < DOWN * ACROSS * (N / 4); ++i) sums[i] = vec4(0.0);
}
void multiply_fragments(uint a_quads, uint b_quads) {
  if (own_row() >= M) return;
  [[dont_unroll]] for (uint k = 0; k < K; ++k)
    [[dont_unroll]] for (uint p = 0; p < DOWN; ++p) {
      const uint row = p * M + own_row();
      const float a = tiles[a_quads + k * A_LINE + row / 4][row % 4];
      [[dont_unroll]] for (uint i = 0; i < ACROSS * (N / 4); ++i)
        sums[p * ACROSS * (N / 4) + i] += a * tiles[b_quads + k * B_LINE + i];
    }
}
void put_fragments(uint down, uint place) {
  if (own_row() >= M) return;
  for (uint i = 0; i < PART_COLUMNS; ++i)
    results[place + own_row() * COLUMNS + i] = sums[down * ACROSS * (N / 4) + i / 4][i % 4];
}
#else
const uint LANES = gl_WorkGroupSize.x;
shared uvec2 tiles[DEPTH * (A_LINE + B_LINE)];
void put(uint place, f16vec4 quad) { tiles[place] = uvec2(packFloat2x16(quad.xy), packFloat2x16(quad.zw)); }

uint subgroup_number() { return gl_SubgroupID; }

fcoopmatNV<32, gl_ScopeSubgroup, M, N> sums[DOWN * ACROSS];
void clear_sums() {
  [[unroll]] for (uint i = 0; i < DOWN * ACROSS; ++i) sums[i] = fcoopmatNV<32, gl_ScopeSubgroup, M, N>(0.0);
}
void multiply_fragments(uint a_quads, uint b_quads) {
  fcoopmatNV<16, gl_ScopeSubgroup, M, K> a[DOWN];  // by columns in the tile
  [[unroll]] for (uint p = 0; p < DOWN; ++p) coopMatLoadNV(a[p], tiles, a_quads + p * (M / 4), A_LINE, true);
  [[unroll]] for (uint q = 0; q < ACROSS; ++q) {
    fcoopmatNV<16, gl_ScopeSubgroup, K, N> b;
    coopMatLoadNV(b, tiles, b_quads + q * (N / 4), B_LINE, false);
    [[unroll]] for (uint p = 0; p < DOWN; ++p)
      sums[p * ACROSS + q] = coopMatMulAddNV(a[p], b, sums[p * ACROSS + q]);
  }
}
void put_fragments(uint down, uint place) {
  [[unroll]] for (uint p = 0; p < DOWN; ++p)
    if (p == down) {
      [[unroll]] for (uint q = 0; q < ACROSS; ++q)
        coopMatStoreNV(sums[p * ACROSS + q], results, place + q * N, COLUMNS, false);
    }
}
#endif

uint part_row() { return subgroup_number() / PARTS_ACROSS; }
uint part_column() { return subgroup_number() % PARTS_ACROSS; }

void multiply(uint lane) {
  const uint a = part_row() * (PART_ROWS / 4), b = B_TILE + part_column() * (PART_COLUMNS / 4);
  [[dont_unroll]] for (uint k = 0; k < DEPTH; k += K) multiply_fragments(a + k * A_LINE, b + k * B_LINE);
}

// In each turn a row of fragments, of the parts that are side by side.
const uint TURNS = DOWN * PARTS_DOWN, TURN_ROWS = M;
uint row_of(uint turn, uint i) { return turn / DOWN * PART_ROWS + turn % DOWN * M + i; }
void put_results(uint turn, uint lane) {
  if (part_row() == turn / DOWN) put_fragments(turn % DOWN, part_column() * PART_COLUMNS);
}
float result(uint place) { return results[place]; }
