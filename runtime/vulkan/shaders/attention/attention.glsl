// Shared by the shaders of @attention. Keys may be cut into parts, each of which other workgroups take; then
// attention_parts.comp combines their results.
struct Table {
  uint64_t query, key, value, mask, y;
  uint64_t carry;  // for each part of the keys of each query: the mixed values, the greatest score and the total
  uint queries, keys, features, value_features;
  int query_token, query_feature, key_token, key_feature, value_token, value_feature;  // strides
  int mask_query, mask_key, y_token, y_feature;
  float scale;
  uint batches, batch_rank;
  uint batch_shape[8];
  int query_batch[8], key_batch[8], value_batch[8], mask_batch[8], y_batch[8];
  uint parts, part_keys;
};
#include "common/elements.glsl"
#include "common/math.glsl"
#include "common/broadcast.glsl"

layout(constant_id = 1) const uint TYPE = 0;
layout(constant_id = 2) const bool HAS_MASK = false;
layout(constant_id = 3) const bool IN_PARTS = false;  // the results go to the carry

vec4 greater(vec4 a, vec4 b) {  // a NaN in b is ignored
  return vec4(b.x > a.x ? b.x : a.x, b.y > a.y ? b.y : a.y, b.z > a.z ? b.z : a.z, b.w > a.w ? b.w : a.w);
}

/// e^(x - from); 0 before the first score.
float weight(float x, float from) { return from == -INFINITY && x == from ? 0.0 : exponential(x - from); }

uint start_of(uint batch, int strides[8]) {
  return place_of(2, batch, table.batch_rank, table.batch_shape, strides);
}

/// Where the result of a part for a query begins in the carry.
uint carry_place(uint batch, uint query, uint part) {
  return ((batch * table.queries + query) * table.parts + part) * (table.value_features + 2);
}

/// The keys of a part.
uint first_key(uint part) { return part * table.part_keys; }
uint end_of_keys(uint part) { return min(table.keys, (part + 1) * table.part_keys); }

/// Whether the features of all operands that are read by features are neighbours that can be read by four.
layout(constant_id = 4) const bool BY_FOUR = false;
vec4 load_quad(uint64_t address, uint i) {
  if (TYPE == FLOAT16) {
    const uvec2 bits = Pairs(address).at[i / 4];
    return vec4(unpackHalf2x16(bits.x), unpackHalf2x16(bits.y));
  }
  return uintBitsToFloat(Quads(address).at[i / 4]);
}
