// For measurements: products of matrix units in registers and nothing else, to find out how many a device does.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common/extensions.glsl"

struct Table {
  uint64_t y;
  uint turns;
};
#include "common/elements.glsl"

// The device's fragments, numbered as in units.glsl.
layout(constant_id = constant_fragment_rows) const uint M = 16;
layout(constant_id = constant_fragment_columns) const uint N = 16;
layout(constant_id = constant_fragment_inner) const uint K = 16;

const uint DOWN = 2, ACROSS = 4;  // of a subgroup
const uint SUBGROUPS = 4;
const uint A_WORDS = M * K / 2, B_WORDS = K * N / 2;  // of a fragment, two elements each
shared uint factors[DOWN * A_WORDS + ACROSS * B_WORDS];
shared float results[SUBGROUPS * M * N];

void main() {
  const uint lane = gl_LocalInvocationID.x, lanes = gl_WorkGroupSize.x;
  // Units may take less power, and so less time, for zeros and for equal numbers. These are between 0.5 and 1, or -1.
  for (uint i = lane; i < DOWN * A_WORDS + ACROSS * B_WORDS; i += lanes)
    factors[i] = ((i * 2654435761u) & 0x83ff83ffu) | 0x38003800u;
  barrier();
  fcoopmatNV<16, gl_ScopeSubgroup, M, K> a[DOWN];
  fcoopmatNV<16, gl_ScopeSubgroup, K, N> b[ACROSS];
  fcoopmatNV<32, gl_ScopeSubgroup, M, N> sums[DOWN * ACROSS];
  [[unroll]] for (uint p = 0; p < DOWN; ++p) coopMatLoadNV(a[p], factors, p * A_WORDS, K / 2, false);
  [[unroll]] for (uint q = 0; q < ACROSS; ++q) coopMatLoadNV(b[q], factors, DOWN * A_WORDS + q * B_WORDS, N / 2, false);
  [[unroll]] for (uint i = 0; i < DOWN * ACROSS; ++i) sums[i] = fcoopmatNV<32, gl_ScopeSubgroup, M, N>(0.0);
  [[dont_unroll]] for (uint turn = 0; turn < table.turns; ++turn)
    [[unroll]] for (uint q = 0; q < ACROSS; ++q)
      [[unroll]] for (uint p = 0; p < DOWN; ++p)
        sums[p * ACROSS + q] = coopMatMulAddNV(a[p], b[q], sums[p * ACROSS + q]);
  float all = 0.0;
  [[unroll]] for (uint i = 0; i < DOWN * ACROSS; ++i) {
    coopMatStoreNV(sums[i], results, gl_SubgroupID * M * N, N, false);
    barrier();
    all += results[lane % (SUBGROUPS * M * N)];
    barrier();
  }
  store_real(table.y, FLOAT32, invocation_index(), all);
}
