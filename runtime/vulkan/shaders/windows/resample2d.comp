// resample2d: output o is at c = (o + 1/2) * in / out - 1/2, clamped to the input. The coordinate is a fraction of
// integers, so that rounding never decides which element is nearest.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common/extensions.glsl"

struct Table {
  uint64_t x, y;
  uint count;
  uint shape[4];  // of the result
  uint size[4];   // of the operand
};
#define REAL
#include "common/elements.glsl"
#include "common/rounds.glsl"
#include "common/math.glsl"

layout(constant_id = 1) const uint TYPE = 0;
layout(constant_id = 2) const bool LINEAR = false;
layout(constant_id = 3) const uint FIRST_AXIS = 2;
layout(constant_id = 4) const uint SECOND_AXIS = 3;

const bool INTEGER = TYPE == INT8 || TYPE == UINT8;

float element(uint place) {
  if (INTEGER) return float(load_integer(table.x, TYPE, place));
  return load_real(table.x, TYPE, place);
}

/// The two elements along an axis, and the weight of the second.
void sample_axis(uint position, uint size, uint result_size, out uint low, out uint high, out float weight) {
  const int64_t denominator = 2 * int64_t(result_size);
  const int64_t numerator = clamp((2 * int64_t(position) + 1) * int64_t(size) - int64_t(result_size), int64_t(0),
                                  denominator * (int64_t(size) - 1));
  if (!LINEAR) {
    low = high = uint((numerator + denominator / 2 - 1) / denominator);
    weight = 0.0;
    return;
  }
  const int64_t rest = numerator % denominator;
  low = uint(numerator / denominator);
  high = low + (rest != 0 ? 1 : 0);
  weight = float(rest) / float(denominator);
}

/// Does not read elements with weight 0: a position exactly on a finite element stays finite next to an infinite one.
float blend(float low, float high, float weight) { return weight == 0.0 ? low : low * (1.0 - weight) + high * weight; }

void resample(uint i) {
  if (i >= table.count) return;
  uint places[4] = uint[](0u, 0u, 0u, 0u);  // both axes low, the first high, the second high, both high
  float weights[2] = float[](0.0, 0.0);
  uint rest = i, stride = 1;
  for (uint axis = 4; axis-- > 0;) {
    const uint position = rest % table.shape[axis];
    rest /= table.shape[axis];
    uint low = position, high = position;
    if (axis == FIRST_AXIS || axis == SECOND_AXIS) {
      float weight;
      sample_axis(position, table.size[axis], table.shape[axis], low, high, weight);
      weights[axis == FIRST_AXIS ? 0 : 1] = weight;
    }
    const bool is_first = axis == FIRST_AXIS, is_second = axis == SECOND_AXIS;
    places[0] += low * stride;
    places[1] += (is_first ? high : low) * stride;
    places[2] += (is_second ? high : low) * stride;
    places[3] += (is_first || is_second ? high : low) * stride;
    stride *= table.size[axis];
  }
  const float low = blend(element(places[0]), element(places[2]), weights[1]);
  const float high = blend(element(places[1]), element(places[3]), weights[1]);
  const float value = blend(low, high, weights[0]);
  if (INTEGER) store_integer(table.y, TYPE, i, int64_t(round_even(value)));
  else store_real(table.y, TYPE, i, value);
}

void main() {
  for (uint round = 0; round < ROUNDS; ++round) resample(unit_of_round(round));
}
