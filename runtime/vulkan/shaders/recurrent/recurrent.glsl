// Shared by the time steps of lstm and gru: one invocation for each unit of each batch, or with HOISTED the lanes of a
// row (row_groups.glsl), after all contributions of the input have been computed (recurrent_input.comp). The state is
// float32 in scratch memory; each time step reads one of two copies and writes the other.
layout(constant_id = 1) const uint TYPE = 0;
layout(constant_id = 2) const uint GATE_ACTIVATION = 1;
layout(constant_id = 3) const uint CANDIDATE_ACTIVATION = 2;
layout(constant_id = 4) const uint FILTER_ACTIVATION = 2;

const uint RELU = 0, SIGMOID = 1, TANH = 2;

float activated(const uint activation, float x) {
  if (activation == RELU) return x <= 0.0 ? 0.0 : x;
  if (activation == SIGMOID) return logistic(x);
  return hyperbolic_tangent(x);
}

/// An element of an operand that may be absent.
float element_or_zero(uint64_t address, uint i) {
  if (address == 0) return 0.0;
  return load_real(address, TYPE, i);
}

/// The contributions of the input and of the hidden state to a unit of a gate, biases included. Large terms may cancel.
#ifdef HOISTED
#define Folded Sum
#include "rows/row_groups.glsl"
#include "rows/fours.glsl"

Sum combine(const uint how, Sum a, Sum b) { return plus(plus(a, b.high), b.low); }

/// The unit of a batch that the invocation computes; excess ones repeat the last.
uint own_place() { return min(group_index() * ROWS + own_row(), table.batches * table.hidden - 1); }
bool is_excess() { return false; }
bool is_writer() { return own_lane() == 0 && group_index() * ROWS + own_row() < table.batches * table.hidden; }

Sum from_input(uint gate, uint unit, uint batch) {  // `x` holds sums here, `inputs` of them for each batch
  const uint place = 2 * (table.input_start + batch * table.inputs + gate * table.hidden + unit);
  return Sum(Floats(table.x).at[place], Floats(table.x).at[place + 1]);
}
Sum from_hidden(uint gate, uint unit, uint batch, uint64_t state) {
  const uint row = gate * table.hidden + unit, hidden = table.hidden;
  const uint w = table.recurrent_weight_start + row * hidden, h = batch * hidden;
  Sum sum = Sum(own_lane() == 0 ? element_or_zero(table.recurrent_bias, table.bias_start + row) : 0.0, 0.0);
  for (uint n = first_of_lane(0); n < hidden; n += STEP) {
    const vec4 weights = load_four(table.recurrent_weight, w, 1, n, hidden);
    vec4 values;
    [[unroll]] for (uint k = 0; k < 4; ++k) values[k] = Floats(state).at[h + min(n + k * GAP, hidden - 1)];
    [[unroll]] for (uint k = 0; k < 4; ++k)
      if (is_inside(n, k, hidden)) sum = plus_product(sum, weights[k], values[k]);
  }
  return fold(0, sum);
}
#else
uint own_place() { return invocation_index(); }
bool is_excess() { return invocation_index() >= table.batches * table.hidden; }
bool is_writer() { return true; }

Sum from_input(uint gate, uint unit, uint batch) {
  const uint row = gate * table.hidden + unit;
  Sum sum = Sum(element_or_zero(table.bias, table.bias_start + row), 0.0);
  const uint w = table.weight_start + row * table.inputs, x = table.input_start + batch * table.inputs;
  for (uint i = 0; i < table.inputs; ++i)
    sum = plus_product(sum, load_real(table.weight, TYPE, w + i), load_real(table.x, TYPE, x + i));
  return sum;
}
Sum from_hidden(uint gate, uint unit, uint batch, uint64_t state) {
  const uint row = gate * table.hidden + unit;
  Sum sum = Sum(element_or_zero(table.recurrent_bias, table.bias_start + row), 0.0);
  const uint w = table.recurrent_weight_start + row * table.hidden, h = batch * table.hidden;
  for (uint i = 0; i < table.hidden; ++i)
    sum = plus_product(sum, load_real(table.recurrent_weight, TYPE, w + i), Floats(state).at[h + i]);
  return sum;
}
#endif
Sum from_both(uint gate, uint unit, uint batch, uint64_t state) {
  const Sum own = from_input(gate, unit, batch), recurrent = from_hidden(gate, unit, batch, state);
  return plus(plus(own, recurrent.high), recurrent.low);
}
