// Products of few rows (GEMV): a workgroup computes WIDTH columns of all rows. Its lanes lie along the columns, and
// behind them along the inner axis, so that adjacent lanes load adjacent elements of b, each once. Sums of the lanes of
// a column are added through shared memory.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common/extensions.glsl"
#include "products/matmul_table.glsl"
#include "common/elements.glsl"
#include "common/math.glsl"
#include "common/broadcast.glsl"

layout(constant_id = 1) const uint TYPE = 0;
layout(constant_id = 2) const bool HAS_C = false;
layout(constant_id = 5) const uint ROWS = 1;      // at least those of the product
layout(constant_id = 6) const uint WIDTH = 32;    // a power of two
layout(constant_id = 7) const bool SPLIT = false;  // several workgroups share out the inner axis: table.end elements each

#include "common/real_functions.glsl"
#include "common/epilogue.glsl"

const uint LANES = 128;
shared float sums[ROWS * LANES];

void main() {
  const uint column_groups = (table.columns + WIDTH - 1) / WIDTH;
  const uint splits = SPLIT ? (table.inner + table.end - 1) / table.end : 1;
  const uint group = group_index();
  if (group >= column_groups * splits * table.batches) return;
  const uint lane = gl_LocalInvocationID.x, step = LANES / WIDTH;
  const uint column = group % column_groups * WIDTH + lane % WIDTH;
  const uint split = group / column_groups % splits, batch = group / column_groups / splits;
  // Rows and columns beyond the last repeat it; their results are not stored.
  const uint b_start = place_of(2, batch, table.batch_rank, table.batch_shape, table.b_batch) +
                       min(column, table.columns - 1) * table.b_column;
  const uint a_start = place_of(2, batch, table.batch_rank, table.batch_shape, table.a_batch);
  const uint64_t a_address = table.a, b_address = table.b;
  const uint a_row = table.a_row, a_inner = table.a_inner, b_inner = table.b_inner, last_row = table.rows - 1;
  const uint first = split * table.end, end = min(first + table.end, table.inner);
  float sum[ROWS];
  [[unroll]] for (uint r = 0; r < ROWS; ++r) sum[r] = 0.0;
  for (uint k = first + lane / WIDTH; k < end; k += step) {
    const float b = load_real(b_address, TYPE, b_start + k * b_inner);
    [[unroll]] for (uint r = 0; r < ROWS; ++r)
      sum[r] += load_real(a_address, TYPE, a_start + min(r, last_row) * a_row + k * a_inner) * b;
  }
  [[unroll]] for (uint r = 0; r < ROWS; ++r) sums[r * LANES + lane] = sum[r];
  barrier();
  for (uint width = LANES / 2; width >= WIDTH; width /= 2) {
    if (lane < width)
      for (uint r = 0; r < ROWS; ++r) sums[r * LANES + lane] += sums[r * LANES + lane + width];
    barrier();
  }
  if (lane >= WIDTH || column >= table.columns) return;
  for (uint r = 0; r < table.rows; ++r) {
    float value = sums[r * LANES + lane];
    const uint place = (batch * table.rows + r) * table.columns + column;
    if (SPLIT) {
      Floats(table.carry).at[split * table.rows * table.columns * table.batches + place] = value;
      continue;
    }
    value *= table.alpha;
    if (HAS_C) value += table.beta * load_real(table.c, TYPE, r * table.c_row + column * table.c_column);
    store_real(table.y, TYPE, place, epilogue(value, place));
  }
}
