// One time step of gru in one direction: h' = z * h + (1 - z) * n. If the reset gate acts on the hidden state before
// the product, computing that state is a separate pass.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common/extensions.glsl"

struct Table {
  uint64_t x, weight, recurrent_weight, bias, recurrent_bias;
  uint64_t old_hidden, new_hidden, reset_hidden;  // scratch
  uint64_t sequence, hidden_result;               // 0: not written in this time step
  uint batches, inputs, hidden;
  uint input_start, weight_start, recurrent_weight_start, bias_start, sequence_start, result_start;
  uint z, r, n;  // positions of the gates
};
#include "common/elements.glsl"
#include "common/math.glsl"
#include "recurrent/recurrent.glsl"

layout(constant_id = 5) const uint PASS = 0;
const uint RESET_AFTER = 0, RESET = 1, AFTER_RESET = 2;

void main() {
  if (is_excess()) return;
  const uint place = own_place();
  const uint unit = place % table.hidden, batch = place / table.hidden;
  const uint64_t state = table.old_hidden;
  const float h = Floats(state).at[place];
  float r = 1.0;
  if (PASS != AFTER_RESET)
    r = activated(GATE_ACTIVATION, value_of(from_both(table.r, unit, batch, state)));
  if (PASS == RESET) {
    if (is_writer()) Floats(table.reset_hidden).at[place] = r * h;
    return;
  }
  const float z =
      activated(GATE_ACTIVATION, value_of(from_both(table.z, unit, batch, state)));
  const float recurrent = value_of(from_hidden(table.n, unit, batch, PASS == AFTER_RESET ? table.reset_hidden : state));
  const float n =
      activated(CANDIDATE_ACTIVATION, value_of(plus_product(from_input(table.n, unit, batch), r, recurrent)));
  const float next = z * h + (1.0 - z) * n;
  if (!is_writer()) return;
  Floats(table.new_hidden).at[place] = next;
  if (table.sequence != 0) store_real(table.sequence, TYPE, table.sequence_start + place, next);
  if (table.hidden_result != 0) store_real(table.hidden_result, TYPE, table.result_start + place, next);
}
