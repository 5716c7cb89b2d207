// @attention: softmax(scale * query * key^T + mask) * value, without writing the scores to memory. A workgroup of 64
// lanes computes four queries, 64 keys at a time: each lane first the four scores of one key, then its share of the
// result's features. The sums so far are scaled down when a greater score appears.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common/extensions.glsl"

#include "attention/attention.glsl"

const uint QUERIES = 4, LANES = 64, MOST_FEATURES = 256;  // as in runtime/vulkan/kernels/attention.cpp
const uint SHARES = MOST_FEATURES / LANES;
shared vec4 query_tile[MOST_FEATURES];  // by feature, for all queries
shared vec4 weights[LANES];             // by key

/// The maximum over all lanes' scores, in every lane.
vec4 greatest_of(vec4 scores) {
  const uint lane = gl_LocalInvocationID.x;
  weights[lane] = greater(vec4(-INFINITY), scores);
  barrier();
  for (uint width = LANES / 2; width > 0; width /= 2) {
    if (lane < width) weights[lane] = greater(weights[lane], weights[lane + width]);
    barrier();
  }
  const vec4 result = weights[0];
  barrier();
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
  const uint y_start = start_of(batch, table.y_batch);
  // Lanes beyond the last query repeat it; their results are not stored.
  const uvec4 queries = min(first_query + uvec4(0, 1, 2, 3), uvec4(table.queries - 1));

  for (uint f = lane; f < table.features; f += LANES) {
    const uvec4 places = query_start + queries * uint(table.query_token) + f * uint(table.query_feature);
    query_tile[f] = vec4(load_real(table.query, TYPE, places.x), load_real(table.query, TYPE, places.y),
                         load_real(table.query, TYPE, places.z), load_real(table.query, TYPE, places.w));
  }
  barrier();

  vec4 greatest = vec4(-INFINITY), total = vec4(0.0), mixed[SHARES];
  [[unroll]] for (uint i = 0; i < SHARES; ++i) mixed[i] = vec4(0.0);
  const uint end = end_of_keys(part);
  for (uint first = first_key(part); first < end; first += LANES) {
    const uint key = first + lane;
    vec4 scores = vec4(-INFINITY);
    if (key < end) {
      vec4 sums = vec4(0.0);
      uint place = key_start + key * uint(table.key_token);
      if (BY_FOUR) {
        for (uint f = 0; f < table.features; f += 4) {
          const vec4 four = load_quad(table.key, place + f);
          sums += query_tile[f] * four.x;
          sums += query_tile[f + 1] * four.y;
          sums += query_tile[f + 2] * four.z;
          sums += query_tile[f + 3] * four.w;
        }
      } else {
        for (uint f = 0; f < table.features; ++f) {
          sums += query_tile[f] * load_real(table.key, TYPE, place);
          place += uint(table.key_feature);
        }
      }
      scores = sums * table.scale;
      if (HAS_MASK) {
        const uvec4 places = mask_start + queries * uint(table.mask_query) + key * uint(table.mask_key);
        scores += vec4(load_real(table.mask, TYPE, places.x), load_real(table.mask, TYPE, places.y),
                       load_real(table.mask, TYPE, places.z), load_real(table.mask, TYPE, places.w));
      }
    }
    const vec4 above = greater(greatest, greatest_of(scores));
    vec4 share, kept;
    for (uint q = 0; q < QUERIES; ++q) {
      share[q] = key < end ? weight(scores[q], above[q]) : 0.0;
      kept[q] = weight(greatest[q], above[q]);
    }
    greatest = above;
    weights[lane] = share;
    barrier();
    total *= kept;
    [[unroll]] for (uint i = 0; i < SHARES; ++i) mixed[i] *= kept;
    const uint count = min(LANES, end - first);
    for (uint k = 0; k < count; ++k) {
      total += weights[k];
      const uint place = value_start + (first + k) * uint(table.value_token);
      [[unroll]] for (uint i = 0; i < SHARES; ++i) {
        const uint f = lane + i * LANES;
        if (f < table.value_features)
          mixed[i] += weights[k] * load_real(table.value, TYPE, place + f * uint(table.value_feature));
      }
    }
    barrier();
  }
  [[unroll]] for (uint i = 0; i < SHARES; ++i) {
    const uint f = lane + i * LANES;
    if (f >= table.value_features) continue;
    for (uint q = 0; q < QUERIES && first_query + q < table.queries; ++q) {
      if (IN_PARTS) Floats(table.carry).at[carry_place(batch, first_query + q, part) + f] = mixed[i][q];
      else
        store_real(table.y, TYPE, y_start + (first_query + q) * uint(table.y_token) + f * uint(table.y_feature),
                   mixed[i][q] / total[q]);
    }
  }
  if (!IN_PARTS || lane >= min(QUERIES, table.queries - first_query)) return;
  const uint place = carry_place(batch, first_query + lane, part) + table.value_features;
  Floats(table.carry).at[place] = greatest[lane];
  Floats(table.carry).at[place + 1] = total[lane];
}
