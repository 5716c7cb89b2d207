// The contributions of the inputs of many time steps to the gates of lstm and gru, biases included: compensated sums, of
// which a time step reads its own (recurrent.glsl). The lanes of a row compute a unit of a gate for four tokens, so that
// weights are read once for them.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common/extensions.glsl"

struct Table {
  uint64_t x, weight, bias;
  uint64_t y;  // for each token and unit a sum and its rounding error
  uint tokens, inputs, units;
  uint input_start, weight_start, bias_start;
};
#include "common/elements.glsl"
#include "common/math.glsl"
#define Folded Sum
#include "rows/row_groups.glsl"

layout(constant_id = 1) const uint TYPE = 0;
#include "rows/fours.glsl"

const uint TOGETHER = 4;  // as in kernels/recurrent.cpp

Sum combine(const uint how, Sum a, Sum b) { return plus(plus(a, b.high), b.low); }

void main() {
  const uint row = group_index() * ROWS + own_row(), inputs = table.inputs, units = table.units;
  const uint first = row / units * TOGETHER, unit = row % units;
  const bool exists = first < table.tokens;  // other lanes take part in the folds
  const uint end = exists ? inputs : 0, w = table.weight_start + unit * inputs;
  const uint last = table.tokens - 1;
  Sum sums[TOGETHER];
  [[unroll]] for (uint t = 0; t < TOGETHER; ++t) sums[t] = Sum(0.0, 0.0);
  if (own_lane() == 0 && table.bias != 0) {
    const float bias = load_real(table.bias, TYPE, table.bias_start + unit);
    [[unroll]] for (uint t = 0; t < TOGETHER; ++t) sums[t].high = bias;
  }
  for (uint n = first_of_lane(0); n < end; n += STEP) {
    const vec4 weights = load_four(table.weight, w, 1, n, end);
    [[unroll]] for (uint t = 0; t < TOGETHER; ++t) {
      const vec4 x = load_four(table.x, table.input_start + min(first + t, last) * inputs, 1, n, end);
      [[unroll]] for (uint k = 0; k < 4; ++k)
        if (is_inside(n, k, end)) sums[t] = plus_product(sums[t], weights[k], x[k]);
    }
  }
  [[unroll]] for (uint t = 0; t < TOGETHER; ++t) {
    const Sum sum = fold(0, sums[t]);
    if (own_lane() != 0 || first + t >= table.tokens) continue;
    const uint place = 2 * ((first + t) * units + unit);
    Floats(table.y).at[place] = sum.high;
    Floats(table.y).at[place + 1] = sum.low;
  }
}
