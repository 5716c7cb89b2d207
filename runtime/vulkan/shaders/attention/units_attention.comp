// @attention of float16 by matrix units (tensor cores), on devices with cooperative matrices. A workgroup computes 64
// queries, 64 keys at a time, each of its subgroups 16 queries. The queries are loaded once. Slices of 64 features of
// the keys and chunks of 64 features of the values pass through one stage of shared memory; the next one is on its way
// to registers meanwhile. The scores go through shared memory as float32, where shares in float16 replace them. When a
// greater score appears, the results so far are scaled down: divided by a fragment whose columns are all the same.
//
// Shares are SHARE times e^(score - greatest), so that small ones do not vanish in float16. A total is the sum of what
// they were rounded to, so the result is a mean with slightly other weights.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common/extensions.glsl"
#include "attention/attention.glsl"

layout(constant_id = constant_load_a) const uint LOAD_QUERIES = 0;
layout(constant_id = constant_load_b) const uint LOAD_KEYS = 0;
layout(constant_id = constant_load_values) const uint LOAD_VALUES = 0;
layout(constant_id = constant_feature_slices) const uint SLICES = 1;
layout(constant_id = constant_value_chunks) const uint CHUNKS = 1;
#include "products/blocks.glsl"

const uint SIDE = 64, SUBGROUPS = 4, ROWS = SIDE / SUBGROUPS;  // as in runtime/vulkan/kernels/attention.cpp
// The inner axis is that of the features, then that of the keys.
const bool QUERIES_ALONG = (LOAD_QUERIES & ALONG_INNER) != 0, KEYS_ALONG = (LOAD_KEYS & ALONG_INNER) != 0,
           VALUES_ALONG = (LOAD_VALUES & ALONG_INNER) != 0;

// In vectors of shared memory: the stage, then a line for each query. A line has the scores of 64 keys, later their
// shares and behind these the divisors; in the last vector is what the lanes of a line tell each other. The vector more
// of each line puts the next line into other banks.
const uint STAGE_LINE = SIDE / 8 + 1, LINE = SIDE / 4 + 1, LINES = SIDE * STAGE_LINE;
const uint DIVISORS = SIDE / 8, LAST = SIDE / 4;
#define TILES (LINES + SIDE * LINE)
#include "products/fragments.glsl"
#include "attention/attention_fragments.glsl"

struct Work { uint batch, part, first_query, end; };  // end: of the keys

// What the stage has next.
const uint VECTORS_OF_LINE = SIDE / 8, LOADS = SIDE * VECTORS_OF_LINE / LANES;
uvec4 next[LOADS];

void load(const uint how, Strided matrix, uint outer, uint k, uint end) {
  [[unroll]] for (uint i = 0; i < LOADS; ++i) {
    const uint number = i * LANES + gl_LocalInvocationID.x;
    const uint at = number % VECTORS_OF_LINE * 8, line = number / VECTORS_OF_LINE;
    next[i] = (how & ALONG_INNER) != 0 ? load_eight(how, matrix, outer + line, k + at, end)
                                       : load_eight(how, matrix, outer + at, k + line, end);
  }
}
/// After the stage has been read, and before it is.
void put() {
  barrier();
  [[unroll]] for (uint i = 0; i < LOADS; ++i) {
    const uint number = i * LANES + gl_LocalInvocationID.x;
    tiles[number / VECTORS_OF_LINE * STAGE_LINE + number % VECTORS_OF_LINE] = next[i];
  }
  barrier();
}

// A lane has a part of a line, or several lines.
const uint LANES_OF_LINE = LANES < SIDE ? 1 : LANES / SIDE, LINES_OF_LANE = LANES < SIDE ? SIDE / LANES : 1;
const uint PART = SIDE / 4 / LANES_OF_LINE;  // vectors of four scores, which are LANES_OF_LINE apart
const float SHARE = 32768.0;
vec4 own_scores[LINES_OF_LANE * PART];
float greatest[LINES_OF_LANE], total[LINES_OF_LANE];

uint lane_row(const uint number) { return gl_LocalInvocationID.x % SIDE + number * LANES; }
uint lane_part() { return LANES < SIDE ? 0 : gl_LocalInvocationID.x / SIDE; }

/// Tells the other lanes of a line a number of this one.
void tell(uint line, float number) { tiles[line + LAST][lane_part()] = floatBitsToUint(number); }
float told(uint line, uint part) { return uintBitsToFloat(tiles[line + LAST][part]); }

vec4 mask_of(uint start, uint query, uint key, uint end) {
  const uint place = start + min(query, table.queries - 1) * uint(table.mask_query);
  vec4 result;
  [[unroll]] for (uint i = 0; i < 4; ++i)
    result[i] = load_real(table.mask, TYPE, place + min(key + i, end - 1) * uint(table.mask_key));
  return result;
}

/// From the products to scores, and their maximum among those of this lane.
void take_scores(const Work work, uint mask_start, uint first) {
  [[unroll]] for (uint r = 0; r < LINES_OF_LANE; ++r) {
    const uint row = lane_row(r), line = LINES + row * LINE;
    vec4 above = vec4(greatest[r]);
    [[unroll]] for (uint i = 0; i < PART; ++i) {
      const uint four = i * LANES_OF_LINE + lane_part(), key = first + 4 * four;
      vec4 scores = uintBitsToFloat(tiles[line + four]) * table.scale;
      if (HAS_MASK) scores += mask_of(mask_start, work.first_query + row, key, work.end);
      [[unroll]] for (uint j = 0; j < 4; ++j)
        if (key + j >= work.end) scores[j] = -INFINITY;
      own_scores[r * PART + i] = scores;
      above = greater(above, scores);
    }
    tell(line, max(max(above.x, above.y), max(above.z, above.w)));
  }
}

/// From scores to shares, with which the totals grow, and to what the results so far are divided by.
void put_shares() {
  [[unroll]] for (uint r = 0; r < LINES_OF_LANE; ++r) {
    const uint line = LINES + lane_row(r) * LINE;
    float above = told(line, 0);
    [[unroll]] for (uint i = 1; i < LANES_OF_LINE; ++i) above = max(above, told(line, i));
    const float kept = weight(greatest[r], above);
    greatest[r] = above;
    total[r] *= kept;
    [[unroll]] for (uint i = 0; i < PART; ++i) {
      const uint four = i * LANES_OF_LINE + lane_part();
      const vec4 scores = own_scores[r * PART + i];
      [[unroll]] for (uint j = 0; j < 2; ++j) {
        const uint pair = half_bits(SHARE * weight(scores[2 * j], above)) |
                          half_bits(SHARE * weight(scores[2 * j + 1], above)) << 16;
        const vec2 shares = unpackHalf2x16(pair);
        total[r] += shares.x + shares.y;
        tiles[line + four / 2][four % 2 * 2 + j] = pair;
      }
    }
    const float divisor = kept == 0.0 ? INFINITY : 1.0 / kept;
    for (uint i = lane_part(); i < N / 4; i += LANES_OF_LINE)
      tiles[line + DIVISORS + i] = uvec4(floatBitsToUint(divisor));
  }
}

float total_of(uint line) {
  float sum = told(line, 0);
  [[unroll]] for (uint i = 1; i < LANES_OF_LINE; ++i) sum += told(line, i);
  return sum;
}

/// Through shared memory, so that neighbouring lanes store neighbouring features.
void store_chunk(const Work work, const uint chunk, uint y_start) {
  barrier();
  put_mixed(chunk);
  barrier();
  [[dont_unroll]] for (uint i = gl_LocalInvocationID.x; i < SIDE * SIDE; i += LANES) {
    const uint row = i / SIDE, query = work.first_query + row, at = i % SIDE, f = chunk * SIDE + at;
    if (query >= table.queries || f >= table.value_features) continue;
    const uint line = LINES + row * LINE;
    const float value = uintBitsToFloat(tiles[line + at / 4][at % 4]);
    if (IN_PARTS) Floats(table.carry).at[carry_place(work.batch, query, work.part) + f] = value;
    else
      store_real(table.y, TYPE, y_start + query * uint(table.y_token) + f * uint(table.y_feature),
                 value / total_of(line));
  }
}

void store_results(const Work work) {
  const uint y_start = start_of(work.batch, table.y_batch);
  [[unroll]] for (uint r = 0; r < LINES_OF_LANE; ++r) tell(LINES + lane_row(r) * LINE, total[r]);
  [[unroll]] for (uint chunk = 0; chunk < CHUNKS; ++chunk) store_chunk(work, chunk, y_start);
  if (!IN_PARTS || lane_part() != 0) return;
  [[unroll]] for (uint r = 0; r < LINES_OF_LANE; ++r) {
    const uint row = lane_row(r), query = work.first_query + row;
    if (query >= table.queries) continue;
    const uint place = carry_place(work.batch, query, work.part) + table.value_features;
    Floats(table.carry).at[place] = greatest[r];
    Floats(table.carry).at[place + 1] = total_of(LINES + row * LINE);
  }
}

void load_queries(const Work work) {
  const Strided matrix = Strided(table.query, start_of(work.batch, table.query_batch), uint(table.query_token),
                                 uint(table.query_feature), table.queries);
  [[unroll]] for (uint slice = 0; slice < SLICES; ++slice) {
    load(LOAD_QUERIES, matrix, work.first_query, slice * SIDE, table.features);
    put();
    keep_queries(slice);
  }
}

void main() {
  const uint group = group_index(), blocks = (table.queries + SIDE - 1) / SIDE, block = group / table.parts;
  const uint part = group % table.parts;
  const Work work = Work(block / blocks, part, block % blocks * SIDE, end_of_keys(part));
  if (work.batch >= table.batches) return;
  const Strided keys = Strided(table.key, start_of(work.batch, table.key_batch), uint(table.key_token),
                               uint(table.key_feature), work.end);
  const Strided values = Strided(table.value, start_of(work.batch, table.value_batch), uint(table.value_feature),
                                 uint(table.value_token), table.value_features);
  const uint mask_start = start_of(work.batch, table.mask_batch);

  load_queries(work);
  [[unroll]] for (uint r = 0; r < LINES_OF_LANE; ++r) greatest[r] = -INFINITY, total[r] = 0.0;
  clear_mixed();
  load(LOAD_KEYS, keys, first_key(part), 0, table.features);
  for (uint first = first_key(part); first < work.end; first += SIDE) {
    clear_scores();
    [[unroll]] for (uint slice = 0; slice < SLICES; ++slice) {
      put();
      if (slice + 1 < SLICES) load(LOAD_KEYS, keys, first, (slice + 1) * SIDE, table.features);
      else load(LOAD_VALUES, values, 0, first, work.end);
      multiply_keys(slice, table.features - slice * SIDE);
    }
    put_scores();
    barrier();
    take_scores(work, mask_start, first);
    barrier();
    put_shares();
    [[unroll]] for (uint chunk = 0; chunk < CHUNKS; ++chunk) {
      put();
      if (chunk + 1 < CHUNKS) load(LOAD_VALUES, values, (chunk + 1) * SIDE, first, work.end);
      else if (first + SIDE < work.end) load(LOAD_KEYS, keys, first + SIDE, 0, table.features);
      if (chunk == 0) divide_mixed();
      multiply_values(chunk, work.end - first, table.value_features - chunk * SIDE);
    }
  }
  store_results(work);
}
