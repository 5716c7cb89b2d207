// layerNormalization and instanceNormalization: scale * (x - mean) / sqrt(variance + epsilon) + bias, with the mean and
// variance of a row. @rmsNormalization is the same with a mean of 0.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common/extensions.glsl"

struct Table {
  uint64_t x, scale, bias, y;
  uint64_t carry;    // for each row: the sum, then the sums of the distances from the mean and of their squares
  uint rows, count;  // number of rows; elements of a row
  uint first, end;   // range within a row of this part
  uint outer_rank, inner_rank;
  uint outer_shape[8];
  int outer_strides[8];
  uint inner_shape[8];
  int inner_strides[8];
  uint channels;  // rows are images x channels (PER_ROW)
  float epsilon;
};
#define REAL
#include "common/elements.glsl"
#include "common/kinds.glsl"
#include "common/broadcast.glsl"
#include "rows/groups.glsl"

layout(constant_id = 1) const uint TYPE = 0;
layout(constant_id = 2) const bool HAS_SCALE = false;
layout(constant_id = 3) const bool HAS_BIAS = false;
layout(constant_id = 4) const bool PER_ROW = false;  // one scale per row; otherwise one for each element of a row
layout(constant_id = 5) const uint PASS = 0;
layout(constant_id = 6) const bool CENTRED = true;  // otherwise the mean is 0

const uint ALL = 0, GATHER_SUM = 1, GATHER_SQUARES = 2, WRITE = 3;

float combine(const uint how, float a, float b) { return a + b; }

float element(uint start, uint n) {
  return load_real(table.x, TYPE, start + place_of(2, n, table.inner_rank, table.inner_shape, table.inner_strides));
}

void main() {
  const uint row = row_index();
  if (row >= table.rows) return;
  const uint start = place_of(2, row, table.outer_rank, table.outer_shape, table.outer_strides);
  const float count = float(table.count);
  Floats carry = Floats(table.carry);
  float sum = 0.0, rest = 0.0, squares = 0.0;
  if (CENTRED && (PASS == ALL || PASS == GATHER_SUM)) {
    for (uint n = first_of_part(table.first); n < table.end; n += element_step()) sum += element(start, n);
    sum = fold_lanes(0, sum);
  }
  if (PASS == GATHER_SUM) {
    if (first_element() == 0) carry.at[3 * row] = table.first == 0 ? sum : carry.at[3 * row] + sum;
    return;
  }
  if (CENTRED && PASS != ALL) sum = carry.at[3 * row];
  const float mean = sum / count;
  if (PASS == ALL || PASS == GATHER_SQUARES) {
    for (uint n = first_of_part(table.first); n < table.end; n += element_step()) {
      const float distance = element(start, n) - mean;
      rest += distance;
      squares += distance * distance;
    }
    rest = fold_lanes(0, rest);
    squares = fold_lanes(0, squares);
  }
  if (PASS == GATHER_SQUARES) {
    if (first_element() != 0) return;
    carry.at[3 * row + 1] = table.first == 0 ? rest : carry.at[3 * row + 1] + rest;
    carry.at[3 * row + 2] = table.first == 0 ? squares : carry.at[3 * row + 2] + squares;
    return;
  }
  if (PASS == WRITE) {
    rest = carry.at[3 * row + 1];
    squares = carry.at[3 * row + 2];
  }
  // The mean was rounded; the mean of the distances from it tells by how much.
  const float correction = CENTRED ? rest / count : 0.0;
  const float variance = squares / count - correction * correction;
  const float deviation = sqrt(variance + table.epsilon);
  for (uint n = first_of_part(table.first); n < table.end; n += element_step()) {
    const uint place = start + place_of(2, n, table.inner_rank, table.inner_shape, table.inner_strides);
    const uint of_scale = PER_ROW ? row % table.channels : n;
    float value = ((load_real(table.x, TYPE, place) - mean) - correction) / deviation;
    if (HAS_SCALE) value *= load_real(table.scale, TYPE, of_scale);
    if (HAS_BIAS) value += load_real(table.bias, TYPE, of_scale);
    store_real(table.y, TYPE, place, value);
  }
}
