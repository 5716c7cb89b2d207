// One time step of lstm in one direction: c' = f * c + i * g, h' = o * filter(c'). The peepholes look at c.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common/extensions.glsl"

struct Table {
  uint64_t x, weight, recurrent_weight, bias, recurrent_bias, peephole;
  uint64_t old_hidden, old_cell, new_hidden, new_cell;  // scratch
  uint64_t sequence, hidden_result, cell_result;        // 0: not written in this time step
  uint batches, inputs, hidden;
  uint input_start, weight_start, recurrent_weight_start, bias_start, peephole_start, sequence_start, result_start;
  uint i, o, f, g;  // positions of the gates
};
#include "common/elements.glsl"
#include "common/math.glsl"
#include "recurrent/recurrent.glsl"

void main() {
  if (is_excess()) return;
  const uint place = own_place();
  const uint unit = place % table.hidden, batch = place / table.hidden;
  const float c = Floats(table.old_cell).at[place];
  const uint64_t h = table.old_hidden;
  const uint peephole = table.peephole_start + unit;
  const float at_i = element_or_zero(table.peephole, peephole);
  const float at_o = element_or_zero(table.peephole, peephole + table.hidden);
  const float at_f = element_or_zero(table.peephole, peephole + 2 * table.hidden);
  const float i = activated(GATE_ACTIVATION, value_of(plus_product(from_both(table.i, unit, batch, h), at_i, c)));
  const float o = activated(GATE_ACTIVATION, value_of(plus_product(from_both(table.o, unit, batch, h), at_o, c)));
  const float f = activated(GATE_ACTIVATION, value_of(plus_product(from_both(table.f, unit, batch, h), at_f, c)));
  const float g = activated(CANDIDATE_ACTIVATION, value_of(from_both(table.g, unit, batch, h)));
  const float next_cell = f * c + i * g;
  const float next_hidden = o * activated(FILTER_ACTIVATION, next_cell);
  if (!is_writer()) return;
  Floats(table.new_cell).at[place] = next_cell;
  Floats(table.new_hidden).at[place] = next_hidden;
  if (table.sequence != 0) store_real(table.sequence, TYPE, table.sequence_start + place, next_hidden);
  if (table.hidden_result != 0) store_real(table.hidden_result, TYPE, table.result_start + place, next_hidden);
  if (table.cell_result != 0) store_real(table.cell_result, TYPE, table.result_start + place, next_cell);
}
