// layerNormalization and instanceNormalization: scale * (x - mean) / sqrt(variance + epsilon) + bias, where mean and
// variance are those of a row.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "extensions.glsl"

struct Table {
  uint64_t x, scale, bias, y;
  uint rows, count;  // elements of a row
  uint outer_rank, inner_rank;
  uint outer_shape[8];
  int outer_strides[8];
  uint inner_shape[8];
  int inner_strides[8];
  uint channels;  // rows are images x channels (PER_ROW)
  float epsilon;
};
#define REAL
#include "common.glsl"
#include "kinds.glsl"
#include "broadcast.glsl"
#include "groups.glsl"

layout(constant_id = 1) const uint TYPE = 0;
layout(constant_id = 2) const bool HAS_SCALE = false;
layout(constant_id = 3) const bool HAS_BIAS = false;
layout(constant_id = 4) const bool PER_ROW = false;  // one scale for a row, else one for each of its elements

float combine(const uint how, float a, float b) { return a + b; }

void main() {
  const uint row = row_index();
  if (row >= table.rows) return;
  const uint start = place_of(2, row, table.outer_rank, table.outer_shape, table.outer_strides);
  const float count = float(table.count);
  float sum = 0.0;
  for (uint n = first_element(); n < table.count; n += element_step())
    sum += load_real(table.x, TYPE, start + place_of(2, n, table.inner_rank, table.inner_shape, table.inner_strides));
  const float mean = fold_lanes(0, sum) / count;
  float rest = 0.0, squares = 0.0;
  for (uint n = first_element(); n < table.count; n += element_step()) {
    const float distance =
        load_real(table.x, TYPE, start + place_of(2, n, table.inner_rank, table.inner_shape, table.inner_strides)) - mean;
    rest += distance;
    squares += distance * distance;
  }
  // The mean was rounded; the mean of the distances from it says by how much.
  const float correction = fold_lanes(0, rest) / count;
  const float variance = fold_lanes(0, squares) / count - correction * correction;
  const float deviation = sqrt(variance + table.epsilon);
  for (uint n = first_element(); n < table.count; n += element_step()) {
    const uint place = start + place_of(2, n, table.inner_rank, table.inner_shape, table.inner_strides);
    const uint of_scale = PER_ROW ? row % table.channels : n;
    float value = ((load_real(table.x, TYPE, place) - mean) - correction) / deviation;
    if (HAS_SCALE) value *= load_real(table.scale, TYPE, of_scale);
    if (HAS_BIAS) value += load_real(table.bias, TYPE, of_scale);
    store_real(table.y, TYPE, place, value);
  }
}
