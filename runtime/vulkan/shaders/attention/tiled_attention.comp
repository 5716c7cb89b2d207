// @attention by tiles: a workgroup of 128 lanes computes 32 queries, 64 keys at a time. Slices of the queries' and keys'
// features pass through shared memory, and each lane computes the scores of 4 x 4 pairs in registers; then the weights
// pass through shared memory, with slices of the values. The results so far are scaled down when a greater score appears.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common/extensions.glsl"
#include "attention/attention.glsl"

layout(constant_id = constant_value_chunks) const uint CHUNKS = 1;             // of 64 features of the values
layout(constant_id = constant_keys_adjacent) const bool KEYS_ADJACENT = false;  // neighbouring keys are neighbours in memory, not features

const uint QUERIES = 32, KEYS = 64, SLICE = 32, DEPTH = 16, WIDTH = 64, LANES = 128;
const uint COLUMNS = 16;  // lanes side by side: a lane has 4 queries, 4 keys, and 4 of each 64 features of the result
const uint LINE = SLICE / 4 + 1, WEIGHTS_LINE = KEYS / 4 + 1, VALUES_LINE = WIDTH / 4 + 1;  // padding against conflicts
const uint KEY_TILE = QUERIES * LINE, VALUE_TILE = QUERIES * WEIGHTS_LINE;
// Queries and keys; then maxima; then weights and values.
shared vec4 tiles[(QUERIES + KEYS) * LINE];

/// Four features of a token, zero beyond the last token or feature.
vec4 load_features(uint64_t address, uint start, bool exists, uint stride, uint f, uint features) {
  if (!exists || f >= features) return vec4(0.0);
  if (BY_FOUR) return load_quad(address, start + f);
  vec4 result = vec4(0.0);
  [[unroll]] for (uint i = 0; i < 4; ++i) result[i] = load_real(address, TYPE, start + min(f + i, features - 1) * stride);
  [[unroll]] for (uint i = 0; i < 4; ++i)
    if (f + i >= features) result[i] = 0.0;
  return result;
}

void main() {
  const uint lane = gl_LocalInvocationID.x, group = group_index();
  const uint blocks = (table.queries + QUERIES - 1) / QUERIES;
  const uint part = group % table.parts, block = group / table.parts;
  const uint batch = block / blocks, first_query = block % blocks * QUERIES;
  if (batch >= table.batches) return;
  const uint query_start = start_of(batch, table.query_batch), key_start = start_of(batch, table.key_batch);
  const uint value_start = start_of(batch, table.value_batch), mask_start = start_of(batch, table.mask_batch);
  const uint query_token = table.query_token, key_token = table.key_token, value_token = table.value_token;
  const uint features = table.features, value_features = table.value_features, queries = table.queries;
  const uint row = lane / COLUMNS * 4, column = lane % COLUMNS;

  vec4 greatest = vec4(-INFINITY), total = vec4(0.0), mixed[4 * CHUNKS];
  [[unroll]] for (uint i = 0; i < 4 * CHUNKS; ++i) mixed[i] = vec4(0.0);
  const uint end = end_of_keys(part);
  for (uint first = first_key(part); first < end; first += KEYS) {
    // By query of the lane: the scores of its keys, which are COLUMNS apart.
    vec4 scores[4] = vec4[](vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0));
    for (uint slice = 0; slice < features; slice += SLICE) {
      [[dont_unroll]] for (uint i = lane; i < QUERIES * SLICE / 4; i += LANES) {
        const uint query = first_query + i / (SLICE / 4), f = i % (SLICE / 4);
        tiles[i / (SLICE / 4) * LINE + f] =
            load_features(table.query, query_start + query * query_token, query < queries, table.query_feature,
                          slice + 4 * f, features);
      }
      [[dont_unroll]] for (uint i = lane; i < KEYS * SLICE / 4; i += LANES) {
        const uint k = KEYS_ADJACENT ? i % KEYS : i / (SLICE / 4), f = KEYS_ADJACENT ? i / KEYS : i % (SLICE / 4);
        const uint key = first + k;
        tiles[KEY_TILE + k * LINE + f] = load_features(table.key, key_start + key * key_token, key < end,
                                                       table.key_feature, slice + 4 * f, features);
      }
      barrier();
      [[dont_unroll]] for (uint f = 0; f < SLICE / 4; ++f) {
        vec4 keys[4];
        [[unroll]] for (uint k = 0; k < 4; ++k) keys[k] = tiles[KEY_TILE + (column + k * COLUMNS) * LINE + f];
        [[unroll]] for (uint q = 0; q < 4; ++q) {
          const vec4 query = tiles[(row + q) * LINE + f];
          [[unroll]] for (uint k = 0; k < 4; ++k) scores[q][k] += dot(query, keys[k]);
        }
      }
      barrier();
    }
    [[unroll]] for (uint q = 0; q < 4; ++q) {
      scores[q] *= table.scale;
      if (HAS_MASK) {
        const uint place = mask_start + min(first_query + row + q, queries - 1) * uint(table.mask_query);
        [[unroll]] for (uint k = 0; k < 4; ++k)
          scores[q][k] += load_real(table.mask, TYPE,
                                    place + min(first + column + k * COLUMNS, end - 1) * uint(table.mask_key));
      }
      [[unroll]] for (uint k = 0; k < 4; ++k)
        if (first + column + k * COLUMNS >= end) scores[q][k] = -INFINITY;
    }

    // The greatest score of each query, by the lanes side by side.
    vec4 above = greatest;
    [[unroll]] for (uint k = 0; k < 4; ++k)
      above = greater(above, vec4(scores[0][k], scores[1][k], scores[2][k], scores[3][k]));
    tiles[column * (QUERIES / 4) + lane / COLUMNS] = above;
    barrier();
    [[unroll]] for (uint i = 0; i < COLUMNS; ++i)
      above = greater(above, tiles[i * (QUERIES / 4) + lane / COLUMNS]);
    barrier();
    vec4 kept;
    [[unroll]] for (uint q = 0; q < 4; ++q) kept[q] = weight(greatest[q], above[q]);
    greatest = above;
    total *= kept;
    [[unroll]] for (uint i = 0; i < 4 * CHUNKS; ++i) mixed[i] *= kept[i % 4];
    [[dont_unroll]] for (uint q = 0; q < 4; ++q) {
      const uint line = (row + q) * WEIGHTS_LINE;
      [[unroll]] for (uint k = 0; k < 4; ++k) {
        const uint key = column + k * COLUMNS;
        const float share = first + key < end ? weight(scores[q][k], above[q]) : 0.0;
        total[q] += share;
        tiles[line + key / 4][key % 4] = share;
      }
    }
    [[unroll]] for (uint chunk = 0; chunk < CHUNKS; ++chunk) {
      [[dont_unroll]] for (uint slice = 0; slice < KEYS; slice += DEPTH) {
        [[dont_unroll]] for (uint i = lane; i < DEPTH * WIDTH / 4; i += LANES) {
          const uint key = first + slice + i / (WIDTH / 4), f = i % (WIDTH / 4);
          tiles[VALUE_TILE + i / (WIDTH / 4) * VALUES_LINE + f] =
              load_features(table.value, value_start + key * value_token, key < end, table.value_feature,
                            chunk * WIDTH + 4 * f, value_features);
        }
        barrier();
        [[dont_unroll]] for (uint k = 0; k < DEPTH; k += 4) {
          vec4 values[4];
          [[unroll]] for (uint i = 0; i < 4; ++i) values[i] = tiles[VALUE_TILE + (k + i) * VALUES_LINE + column];
          [[unroll]] for (uint q = 0; q < 4; ++q) {
            const vec4 shares = tiles[(row + q) * WEIGHTS_LINE + (slice + k) / 4];
            mixed[4 * chunk + q] +=
                shares.x * values[0] + shares.y * values[1] + shares.z * values[2] + shares.w * values[3];
          }
        }
        barrier();
      }
    }
  }

  // The lanes side by side have shares of the totals.
  tiles[column * (QUERIES / 4) + lane / COLUMNS] = total;
  barrier();
  total = vec4(0.0);
  [[unroll]] for (uint i = 0; i < COLUMNS; ++i) total += tiles[i * (QUERIES / 4) + lane / COLUMNS];
  const uint y_start = start_of(batch, table.y_batch);
  [[unroll]] for (uint q = 0; q < 4; ++q) {
    const uint query = first_query + row + q;
    if (query >= queries) continue;
    [[unroll]] for (uint i = 0; i < 4 * CHUNKS; ++i) {
      const uint f = i / 4 * WIDTH + 4 * column + i % 4;
      if (f >= value_features) continue;
      const float value = mixed[i / 4 * 4 + q][i % 4];
      if (IN_PARTS) Floats(table.carry).at[carry_place(batch, query, part) + f] = value;
      else
        store_real(table.y, TYPE, y_start + query * uint(table.y_token) + f * uint(table.y_feature), value / total[q]);
    }
    if (IN_PARTS && column == 0) {
      const uint place = carry_place(batch, query, part) + value_features;
      Floats(table.carry).at[place] = greatest[q];
      Floats(table.carry).at[place + 1] = total[q];
    }
  }
}
