// The products of attention by matrix units (units_attention.comp). A subgroup has ROWS of a workgroup's queries. Its
// fragments of the queries, of the scores and of the mixed values stay in registers; keys and values come through the
// stage, a square of shared memory, and the shares of the keys from the lines of the scores.
const uint DOWN = ROWS / M;  // fragments of a subgroup, below each other
uint own_line() { return LINES + subgroup_number() * ROWS * LINE; }

#ifdef EMULATED
const uint LANES = SUBGROUPS * EMULATED_SUBGROUP;
const uint FOURS = SIDE / 4;  // of a row

vec4 queries[DOWN * SLICES * FOURS], scores[DOWN * FOURS], mixed[DOWN * CHUNKS * FOURS];

void clear_scores() {
  for (uint i = 0; i < DOWN * FOURS; ++i) scores[i] = vec4(0.0);
}
void clear_mixed() {
  for (uint i = 0; i < DOWN * CHUNKS * FOURS; ++i) mixed[i] = vec4(0.0);
}
void keep_queries(const uint slice) {
  if (own_row() >= M) return;
  const uint first = subgroup_number() * ROWS + own_row();
  for (uint i = 0; i < DOWN * SIDE; ++i) {
    const uint p = i / SIDE, f = i % SIDE;
    queries[(p * SLICES + slice) * FOURS + f / 4][f % 4] = element(0, QUERIES_ALONG, STAGE_LINE, first + p * M, f);
  }
}
void multiply_keys(const uint slice, uint features) {
  if (own_row() >= M) return;
  [[dont_unroll]] for (uint k = 0; k < min(features, SIDE); ++k)
    [[dont_unroll]] for (uint p = 0; p < DOWN; ++p) {
      const float a = queries[(p * SLICES + slice) * FOURS + k / 4][k % 4];
      [[dont_unroll]] for (uint i = 0; i < FOURS; i += 2) {
        scores[p * FOURS + i] += a * four_elements(0, KEYS_ALONG, STAGE_LINE, 4 * i, k);
        scores[p * FOURS + i + 1] += a * four_elements(0, KEYS_ALONG, STAGE_LINE, 4 * i + 4, k);
      }
    }
}
void put_scores() {
  if (own_row() >= M) return;
  for (uint i = 0; i < DOWN * FOURS; ++i)
    tiles[own_line() + (i / FOURS * M + own_row()) * LINE + i % FOURS] = floatBitsToUint(scores[i]);
}
void divide_mixed() {
  if (own_row() >= M) return;
  for (uint i = 0; i < DOWN * CHUNKS * FOURS; ++i)
    mixed[i] /= uintBitsToFloat(tiles[own_line() + (i / (CHUNKS * FOURS) * M + own_row()) * LINE + DIVISORS].x);
}
void multiply_values(const uint chunk, uint keys, uint features) {
  if (own_row() >= M) return;
  [[dont_unroll]] for (uint k = 0; k < min(keys, SIDE); ++k)
    [[dont_unroll]] for (uint p = 0; p < DOWN; ++p) {
      const float a = element(own_line(), true, LINE, p * M + own_row(), k);
      [[dont_unroll]] for (uint i = 0; i < FOURS && 4 * i < features; i += 2) {
        const uint sum = (p * CHUNKS + chunk) * FOURS + i;
        mixed[sum] += a * four_elements(0, VALUES_ALONG, STAGE_LINE, 4 * i, k);
        mixed[sum + 1] += a * four_elements(0, VALUES_ALONG, STAGE_LINE, 4 * i + 4, k);
      }
    }
}
void put_mixed(const uint chunk) {
  if (own_row() >= M) return;
  for (uint i = 0; i < DOWN * FOURS; ++i)
    tiles[own_line() + (i / FOURS * M + own_row()) * LINE + i % FOURS] =
        floatBitsToUint(mixed[(i / FOURS * CHUNKS + chunk) * FOURS + i % FOURS]);
}
#else
const uint LANES = gl_WorkGroupSize.x;
const uint ACROSS = SIDE / N, DEEP = SIDE / K;  // fragments of a side

FirstFragment queries[DOWN * SLICES * DEEP];
SumFragment scores[DOWN * ACROSS], mixed[DOWN * CHUNKS * ACROSS];

void clear_scores() {
  [[unroll]] for (uint i = 0; i < DOWN * ACROSS; ++i) scores[i] = SumFragment(0.0);
}
void clear_mixed() {
  [[unroll]] for (uint i = 0; i < DOWN * CHUNKS * ACROSS; ++i) mixed[i] = SumFragment(0.0);
}
void keep_queries(const uint slice) {
  const uint first = subgroup_number() * ROWS;
  [[unroll]] for (uint p = 0; p < DOWN; ++p)
    [[unroll]] for (uint k = 0; k < DEEP; ++k) {
      FirstFragment a;
      LOAD_FIRST(a, 0, QUERIES_ALONG, STAGE_LINE, first + p * M, k * K);
      queries[(p * SLICES + slice) * DEEP + k] = a;
    }
}
void multiply_keys(const uint slice, uint features) {
  [[unroll]] for (uint k = 0; k < DEEP; ++k) {
    if (k * K >= features) continue;
    [[unroll]] for (uint q = 0; q < ACROSS; ++q) {
      SecondFragment b;
      LOAD_SECOND(b, 0, KEYS_ALONG, STAGE_LINE, q * N, k * K);
      [[unroll]] for (uint p = 0; p < DOWN; ++p)
        scores[p * ACROSS + q] =
            coopMatMulAddNV(queries[(p * SLICES + slice) * DEEP + k], b, scores[p * ACROSS + q]);
    }
  }
}
void put_scores() {
  [[unroll]] for (uint i = 0; i < DOWN * ACROSS; ++i)
    coopMatStoreNV(scores[i], tiles, own_line() + i / ACROSS * M * LINE + i % ACROSS * (N / 4), LINE, false);
}
void divide_mixed() {
  [[unroll]] for (uint p = 0; p < DOWN; ++p) {
    SumFragment divisors;
    coopMatLoadNV(divisors, tiles, own_line() + p * M * LINE + DIVISORS, LINE, false);
    [[unroll]] for (uint i = 0; i < CHUNKS * ACROSS; ++i)
      mixed[p * CHUNKS * ACROSS + i] = mixed[p * CHUNKS * ACROSS + i] / divisors;
  }
}
void multiply_values(const uint chunk, uint keys, uint features) {
  [[unroll]] for (uint k = 0; k < DEEP; ++k) {
    if (k * K >= keys) continue;
    FirstFragment a[DOWN];
    [[unroll]] for (uint p = 0; p < DOWN; ++p)
      coopMatLoadNV(a[p], tiles, own_line() + p * M * LINE + k * K / 8, LINE, false);
    [[unroll]] for (uint q = 0; q < ACROSS; ++q) {
      if (q * N >= features) continue;
      SecondFragment b;
      LOAD_SECOND(b, 0, VALUES_ALONG, STAGE_LINE, q * N, k * K);
      [[unroll]] for (uint p = 0; p < DOWN; ++p) {
        const uint sum = (p * CHUNKS + chunk) * ACROSS + q;
        mixed[sum] = coopMatMulAddNV(a[p], b, mixed[sum]);
      }
    }
  }
}
void put_mixed(const uint chunk) {
  [[unroll]] for (uint i = 0; i < DOWN * ACROSS; ++i)
    coopMatStoreNV(mixed[(i / ACROSS * CHUNKS + chunk) * ACROSS + i % ACROSS], tiles,
                   own_line() + i / ACROSS * M * LINE + i % ACROSS * (N / 4), LINE, false);
}
#endif
