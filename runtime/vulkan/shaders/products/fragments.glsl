// Fragments: what a subgroup's matrix units multiply at once, M x K by K x N elements of float16, added to M x N of
// float32. The device says which fragments its units have (Profile::fragment), when the pipeline is made.
//
// Factors lie in shared memory, `tiles`: lines of elements that are adjacent in memory, in vectors of eight. Lines of
// either matrix are along the inner axis or across it, for the units read either order.
//
// With EMULATED a subgroup is 16 invocations, each of which has a row of a fragment, so that everything but the matrix
// units can be tested on any device.
//
// The including shader defines TILES, the size of `tiles` in vectors.

// Rows and columns of the three kinds of matrices have different constants, by which the build tells them apart
// (tools/khr_cooperative_matrix.hpp).
layout(constant_id = constant_fragment_rows) const uint M = 16;
layout(constant_id = constant_fragment_columns) const uint N = 16;
layout(constant_id = constant_fragment_inner) const uint K = 16;

shared uvec4 tiles[TILES];

#ifdef EMULATED
const uint EMULATED_SUBGROUP = 16;
uint subgroup_number() { return gl_LocalInvocationID.x / EMULATED_SUBGROUP; }
uint own_row() { return gl_LocalInvocationID.x % EMULATED_SUBGROUP; }

/// An element of a matrix whose lines, of `line` vectors, begin at `tile`. `outer`: its row in the first matrix, its
/// column in the second one.
float element(uint tile, const bool along_inner, const uint line, uint outer, uint k) {
  const uint place = along_inner ? k : outer;
  const uint word = tiles[tile + (along_inner ? outer : k) * line + place / 8][place % 8 / 2];
  return unpackHalf2x16(word)[place % 2];
}
/// Four from `outer` on. Without a loop, since some drivers end long ones.
vec4 four_elements(uint tile, const bool along_inner, const uint line, uint outer, uint k) {
  return vec4(element(tile, along_inner, line, outer, k), element(tile, along_inner, line, outer + 1, k),
              element(tile, along_inner, line, outer + 2, k), element(tile, along_inner, line, outer + 3, k));
}
#else
uint subgroup_number() { return gl_SubgroupID; }

#define FirstFragment fcoopmatNV<16, gl_ScopeSubgroup, M, K>
#define SecondFragment fcoopmatNV<16, gl_ScopeSubgroup, K, N>
#define SumFragment fcoopmatNV<32, gl_ScopeSubgroup, M, N>

// Load a fragment of a matrix whose lines, of `line` vectors, begin at `tile`. `outer`: its first row or column.
#define LOAD_FIRST(fragment, tile, along_inner, line, outer, k)                                           \
  if (along_inner) coopMatLoadNV(fragment, tiles, (tile) + (outer) * (line) + (k) / 8, line, false);      \
  else coopMatLoadNV(fragment, tiles, (tile) + (k) * (line) + (outer) / 8, line, true)
#define LOAD_SECOND(fragment, tile, along_inner, line, outer, k)                                          \
  if (along_inner) coopMatLoadNV(fragment, tiles, (tile) + (outer) * (line) + (k) / 8, line, true);       \
  else coopMatLoadNV(fragment, tiles, (tile) + (k) * (line) + (outer) / 8, line, false)
#endif
