// The results of @attention from those of the parts of its keys: one invocation for each feature of each query.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common/extensions.glsl"
#include "attention/attention.glsl"

void main() {
  const uint i = invocation_index(), width = table.value_features;
  if (i >= table.batches * table.queries * width) return;
  const uint feature = i % width, query = i / width % table.queries, batch = i / width / table.queries;
  Floats carry = Floats(table.carry);
  float greatest = -INFINITY, mixed = 0.0, total = 0.0;
  for (uint part = 0; part < table.parts; ++part) {
    const float score = carry.at[carry_place(batch, query, part) + width];
    if (score > greatest) greatest = score;
  }
  for (uint part = 0; part < table.parts; ++part) {
    const uint place = carry_place(batch, query, part);
    const float share = weight(carry.at[place + width], greatest);
    // A part without weight says nothing; one with a total of NaN has scores that are not numbers.
    mixed += share * carry.at[place + feature];
    total += share * carry.at[place + width + 1];
  }
  const uint start = start_of(batch, table.y_batch);
  store_real(table.y, TYPE, start + query * uint(table.y_token) + feature * uint(table.y_feature), mixed / total);
}
