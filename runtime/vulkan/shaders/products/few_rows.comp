// Products of few rows (GEMV): a workgroup computes some columns of all rows. Adjacent lanes load adjacent elements of b,
// four at once where they may, each once: WIDTH lanes lie across the columns, the others along the inner axis, or the
// other way about where b is transposed. Sums of the lanes of a column are added through shared memory.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common/extensions.glsl"
#include "products/matmul_table.glsl"
#include "common/elements.glsl"
#include "common/math.glsl"
#include "common/broadcast.glsl"

layout(constant_id = 1) const uint TYPE = 0;
layout(constant_id = 2) const bool HAS_C = false;
layout(constant_id = 5) const uint ROWS = 1;       // at least those of the product
layout(constant_id = 6) const uint WIDTH = 32;     // a power of two
layout(constant_id = 7) const bool SPLIT = false;  // several workgroups share out the inner axis: table.end elements each
layout(constant_id = 16) const uint LOAD_A = 0;    // blocks.glsl
layout(constant_id = 17) const uint LOAD_B = 0;

#include "common/real_functions.glsl"
#include "common/epilogue.glsl"
#include "products/blocks.glsl"

const uint LANES = 128;
const bool FOURS = (LOAD_B & VECTORS) != 0, ALONG = (LOAD_B & ALONG_INNER) != 0;
const uint OWN = FOURS && !ALONG ? 4 : 1;      // columns of a lane
const uint TOGETHER = FOURS && ALONG ? 4 : 1;  // elements of the inner axis that a lane loads at once
const uint STEP = LANES / WIDTH * TOGETHER;
const uint UNROLLED = 4;  // loads on their way at the same time
shared float sums[ROWS * OWN * LANES];

uint a_start, b_start;

/// One or four elements of a column or line of b from k on.
vec4 load_b(uint k) {
  const uint place = b_start + k * table.b_inner;
  return FOURS ? load_four(table.b, TYPE, place) : vec4(load_real(table.b, TYPE, place), 0.0, 0.0, 0.0);
}
/// What they are multiplied with in a row.
vec4 load_a(uint row, uint k) {
  const uint place = a_start + row * table.a_row + k * table.a_inner;
  if (TOGETHER == 1) return vec4(load_real(table.a, TYPE, place));
  if (LOAD_A == (VECTORS | ALONG_INNER)) return load_four(table.a, TYPE, place);
  vec4 four;
  [[unroll]] for (uint i = 0; i < 4; ++i) four[i] = load_real(table.a, TYPE, place + i * table.a_inner);
  return four;
}

void main() {
  const uint column_groups = (table.columns + WIDTH * OWN - 1) / (WIDTH * OWN);
  const uint splits = SPLIT ? (table.inner + table.end - 1) / table.end : 1;
  const uint group = group_index();
  if (group >= column_groups * splits * table.batches) return;
  const uint lane = gl_LocalInvocationID.x;
  const uint across = ALONG ? lane / (LANES / WIDTH) : lane % WIDTH;
  const uint along = ALONG ? lane % (LANES / WIDTH) : lane / WIDTH;
  const uint first_column = group % column_groups * WIDTH * OWN;
  const uint split = group / column_groups % splits, batch = group / column_groups / splits;
  // Rows and columns beyond the last repeat it; their results are not stored.
  b_start = place_of(2, batch, table.batch_rank, table.batch_shape, table.b_batch) +
            min(first_column + across * OWN, table.columns - OWN) * table.b_column;
  a_start = place_of(2, batch, table.batch_rank, table.batch_shape, table.a_batch);
  const uint first = split * table.end, end = min(first + table.end, table.inner);
  vec4 sum[ROWS];
  [[unroll]] for (uint r = 0; r < ROWS; ++r) sum[r] = vec4(0.0);
  for (uint from = first + along * TOGETHER; from < end; from += STEP * UNROLLED) {
    vec4 b[UNROLLED];
    [[unroll]] for (uint u = 0; u < UNROLLED; ++u) {
      b[u] = vec4(0.0);
      if (from + u * STEP < end) b[u] = load_b(from + u * STEP);
    }
    [[unroll]] for (uint u = 0; u < UNROLLED; ++u)
      if (from + u * STEP < end)
        [[unroll]] for (uint r = 0; r < ROWS; ++r) sum[r] += load_a(min(r, table.rows - 1), from + u * STEP) * b[u];
  }
  const uint place_of_lane = along * WIDTH + across;
  [[unroll]] for (uint r = 0; r < ROWS; ++r) {
    if (TOGETHER == 4) sum[r].x += sum[r].y + (sum[r].z + sum[r].w);
    [[unroll]] for (uint i = 0; i < OWN; ++i) sums[(r * OWN + i) * LANES + place_of_lane] = sum[r][i];
  }
  barrier();
  for (uint width = LANES / 2; width >= WIDTH; width /= 2) {
    if (lane < width)
      [[unroll]] for (uint i = 0; i < ROWS * OWN; ++i) sums[i * LANES + lane] += sums[i * LANES + lane + width];
    barrier();
  }
  for (uint i = lane; i < table.rows * WIDTH * OWN; i += LANES) {
    const uint r = i / (WIDTH * OWN), own = i % (WIDTH * OWN), column = first_column + own;
    if (column >= table.columns) continue;
    float value = sums[(r * OWN + own % OWN) * LANES + own / OWN];
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
