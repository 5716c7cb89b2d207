// Shared by the time steps of lstm and gru: one invocation for each unit of each batch. The state is float32 in scratch
// memory; each time step reads one of two copies and writes the other.
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
Sum from_both(uint gate, uint unit, uint batch, uint64_t state) {
  const Sum own = from_input(gate, unit, batch), recurrent = from_hidden(gate, unit, batch, state);
  return plus(plus(own, recurrent.high), recurrent.low);
}
