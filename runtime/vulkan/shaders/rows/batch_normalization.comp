// batchNormalization: scale * (x - mean) / sqrt(variance + epsilon) + bias along an axis of [outer, channels, inner].
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common/extensions.glsl"

struct Table {
  uint64_t x, mean, variance, scale, bias, y;
  uint count, channels, inner;
  float epsilon;
};
#include "common/elements.glsl"
#include "common/rounds.glsl"

layout(constant_id = 1) const uint TYPE = 0;
layout(constant_id = 2) const bool HAS_SCALE = false;
layout(constant_id = 3) const bool HAS_BIAS = false;

void normalize(uint i) {
  if (i >= table.count) return;
  const uint channel = i / table.inner % table.channels;
  const float deviation = sqrt(load_real(table.variance, TYPE, channel) + table.epsilon);
  float value = (load_real(table.x, TYPE, i) - load_real(table.mean, TYPE, channel)) / deviation;
  if (HAS_SCALE) value *= load_real(table.scale, TYPE, channel);
  if (HAS_BIAS) value += load_real(table.bias, TYPE, channel);
  store_real(table.y, TYPE, i, value);
}

void main() {
  for (uint round = 0; round < ROUNDS; ++round) normalize(unit_of_round(round));
}
