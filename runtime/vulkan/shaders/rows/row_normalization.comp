// layerNormalization and instanceNormalization over one axis of [outer, size, inner], by workgroups that read each
// element once: scale * (x - mean) / sqrt(variance + epsilon) + bias. Rows that a workgroup cannot keep are cut into
// parts: GATHER finds mean and squares of each part, WRITE those of the row, and the results. @rmsNormalization is the
// same with a mean of 0.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common/extensions.glsl"

struct Table {
  uint64_t x, scale, bias, y;
  uint64_t carry;  // of each part of each row: its mean, what the mean lacks, and the sum of the squared distances from it
  uint rows, size, inner;
  uint parts, part_size;
  uint channels;  // rows are images x channels (PER_ROW)
  float epsilon;
};
#define Folded vec2
#include "common/elements.glsl"
#include "common/math.glsl"
#include "rows/row_groups.glsl"

layout(constant_id = 1) const uint TYPE = 0;
layout(constant_id = 2) const bool HAS_SCALE = false;
layout(constant_id = 3) const bool HAS_BIAS = false;
layout(constant_id = 4) const bool PER_ROW = false;  // one scale per row; otherwise one for each element of a row
layout(constant_id = 5) const uint PASS = 0;
layout(constant_id = 6) const bool CENTRED = true;  // otherwise the mean is 0
#include "rows/kept_rows.glsl"

const uint ALL = 0, GATHER = 1, WRITE = 2;

vec2 combine(const uint how, vec2 a, vec2 b) { return a + b; }

/// A row or a part of one. The mean was rounded; the mean of the distances from it tells by how much. A mean of 0
/// is exact.
struct Moments {
  float mean, correction, squares;
};

Moments of_parts(uint row, uint count) {
  Floats carry = Floats(table.carry);
  const float size = float(table.size);
  Moments all = Moments(0.0, 0.0, 0.0);
  vec2 sums = vec2(0.0);
  for (uint part = own_lane(); part < count; part += LANES)
    sums.x += carry.at[3 * (row * table.parts + part)] *
              (float(min(table.part_size, table.size - part * table.part_size)) / size);
  all.mean = fold(0, sums).x;
  sums = vec2(0.0);
  for (uint part = own_lane(); part < count; part += LANES) {
    const uint place = 3 * (row * table.parts + part);
    const float elements = float(min(table.part_size, table.size - part * table.part_size));
    const float distance = (carry.at[place] - all.mean) + carry.at[place + 1];
    sums += vec2(elements * distance, elements * distance * distance + carry.at[place + 2]);
  }
  sums = fold(0, sums);
  all.correction = sums.x / size;
  all.squares = sums.y - size * all.correction * all.correction;
  return all;
}

void main() {
  const uint part = group_index() % table.parts, row = group_index() / table.parts * ROWS + own_row();
  const bool exists = row < table.rows;  // other lanes take part in the folds
  const uint inner = table.inner, begin = part * table.part_size, first = first_of_lane(begin);
  const uint start = row / inner * table.size * inner + row % inner;
  const uint end = exists ? min(table.size, begin + table.part_size) : 0;
  Moments moments;
  if (PASS == WRITE) {
    moments = of_parts(row, exists ? table.parts : 0);
  } else {
    const float count = float(end - begin);
    vec4 sums = vec4(0.0);
    for (uint n = first, turn = 0; n < end; n += STEP, ++turn) {
      const uvec4 bits = load_bits_of_four(table.x, start, inner, n, end);
      keep(turn, bits);
      sums += four_of(bits);  // 0 beyond the end
    }
    moments.mean = CENTRED ? fold(0, vec2((sums.x + sums.y) + (sums.z + sums.w), 0.0)).x / count : 0.0;
    vec4 rest = vec4(0.0), squares = vec4(0.0);
    for (uint n = first, turn = 0; n < end; n += STEP, ++turn) {
      vec4 distance = kept_four(turn) - moments.mean;
      [[unroll]] for (uint k = 0; k < 4; ++k)
        if (!is_inside(n, k, end)) distance[k] = 0.0;
      rest += distance;
      squares += distance * distance;
    }
    const vec2 both =
        fold(0, vec2((rest.x + rest.y) + (rest.z + rest.w), (squares.x + squares.y) + (squares.z + squares.w)));
    moments.correction = CENTRED ? both.x / count : 0.0;
    moments.squares = CENTRED ? both.y - both.x * moments.correction : both.y;
  }
  if (PASS == GATHER) {
    if (!exists || own_lane() != 0) return;
    const uint place = 3 * (row * table.parts + part);
    Floats(table.carry).at[place] = moments.mean;
    Floats(table.carry).at[place + 1] = moments.correction;
    Floats(table.carry).at[place + 2] = moments.squares;
    return;
  }
  const float deviation = sqrt(moments.squares / float(table.size) + table.epsilon);
  float scale = 1.0, bias = 0.0;
  if (PER_ROW && HAS_SCALE) scale = load_real(table.scale, TYPE, row % table.channels);
  if (PER_ROW && HAS_BIAS) bias = load_real(table.bias, TYPE, row % table.channels);
  for (uint n = first, turn = 0; n < end; n += STEP, ++turn) {
    const vec4 x = PASS == WRITE ? load_four(table.x, start, inner, n, end) : kept_four(turn);
    vec4 y = ((x - moments.mean) - moments.correction) / deviation;
    if (HAS_SCALE) y *= PER_ROW ? vec4(scale) : load_four(table.scale, 0, 1, n, end);
    if (HAS_BIAS) y += PER_ROW ? vec4(bias) : load_four(table.bias, 0, 1, n, end);
    store_four(table.y, start, inner, n, end, y);
  }
}
