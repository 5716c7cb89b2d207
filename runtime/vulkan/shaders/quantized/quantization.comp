// quantizeLinear: roundEven(x / scale) + zeroPoint, saturated. dequantizeLinear: (x - zeroPoint) * scale. Each element
// of scale and zeroPoint applies to a block of the operand. Where two results share a byte, one invocation writes both.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common/extensions.glsl"

struct Table {
  uint64_t x, scale, zero_point, y;
  uint count, rank;
  uint shape[8], block[8];  // in the order of the result in memory
  int x_strides[8], scale_strides[8], zero_strides[8];
};
#include "common/elements.glsl"
#include "common/rounds.glsl"
#include "common/math.glsl"
#include "common/convert.glsl"

layout(constant_id = 1) const uint TYPE = 0;     // of x (dequantize) or of y (quantize)
layout(constant_id = 2) const uint SCALE_TYPE = 0;
layout(constant_id = 3) const bool QUANTIZE = false;
layout(constant_id = 4) const bool REORDERS = false;  // x lies in another order than the result

const bool PACKED = TYPE == INT4 || TYPE == UINT4;

/// Where the operands of element i of the result are.
struct Places { uint x, scale, zero_point; };
Places places_of(uint i) {
  Places places = Places(REORDERS ? 0 : i, 0, 0);
  for (uint axis = table.rank; axis-- > 0;) {
    const uint index = i % table.shape[axis], block = index / table.block[axis];
    if (REORDERS) places.x += index * uint(table.x_strides[axis]);
    places.scale += block * uint(table.scale_strides[axis]);
    places.zero_point += block * uint(table.zero_strides[axis]);
    i /= table.shape[axis];
  }
  return places;
}

int64_t quantized(uint i) {
  const Places at = places_of(i);
  // A quotient that is a bit off is rounded to another number where it lies halfway.
  const float number = quotient(load_real(table.x, SCALE_TYPE, at.x), load_real(table.scale, SCALE_TYPE, at.scale));
  if (is_nan(number)) return int64_t(0);
  const int64_t whole = int64_t(clamp(round_even(number), -1.0e15, 1.0e15));
  return clamp(whole + load_integer(table.zero_point, TYPE, at.zero_point), int64_t(least_of(TYPE)), greatest_of(TYPE));
}

void compute(uint i) {
  if (QUANTIZE && PACKED) {
    if (i >= (table.count + 1) / 2) return;
    const int64_t low = quantized(2 * i) & 0xf;
    const int64_t high = 2 * i + 1 < table.count ? quantized(2 * i + 1) & 0xf : int64_t(0);
    store_integer(table.y, TYPE, i, low | (high << 4));
    return;
  }
  if (i >= table.count) return;
  if (QUANTIZE) {
    store_integer(table.y, TYPE, i, quantized(i));
    return;
  }
  const Places at = places_of(i);
  const int64_t difference = load_integer(table.x, TYPE, at.x) - load_integer(table.zero_point, TYPE, at.zero_point);
  store_real(table.y, SCALE_TYPE, i, float(difference) * load_real(table.scale, SCALE_TYPE, at.scale));
}

void main() {
  for (uint round = 0; round < ROUNDS; ++round) compute(unit_of_round(round));
}
