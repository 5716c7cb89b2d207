// Products of few rows (GEMV), and of few columns, which are mirrored: a workgroup computes some columns of all rows.
// Adjacent lanes load adjacent elements of b, four at once where they may, each once: WIDTH lanes lie across the columns,
// the others along the inner axis, or the other way about where b is transposed. Sums of the lanes of a column are added
// through shared memory.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common/extensions.glsl"
#include "products/matmul_table.glsl"
#include "common/elements.glsl"
#include "common/math.glsl"
#include "common/broadcast.glsl"

layout(constant_id = 1) const uint TYPE = 0;
layout(constant_id = 2) const bool HAS_C = false;
layout(constant_id = constant_tile_rows) const uint ROWS = 1;       // at least those of the product
layout(constant_id = constant_few_rows_width) const uint WIDTH = 32;     // a power of two
layout(constant_id = constant_split) const bool SPLIT = false;  // several workgroups share out the inner axis: table.end elements each
layout(constant_id = constant_load_a) const uint LOAD_A = 0;    // blocks.glsl
layout(constant_id = constant_load_b) const uint LOAD_B = 0;

#include "common/real_functions.glsl"
#include "common/epilogue.glsl"
#include "products/blocks.glsl"

const uint LANES = gl_WorkGroupSize.x;
const bool FOURS = (LOAD_B & VECTORS) != 0, ALONG = (LOAD_B & ALONG_INNER) != 0;
const uint OWN = FOURS && !ALONG ? 4 : 1;  // columns of a lane
const uint STEP = LANES / WIDTH * 4;       // a lane takes four elements of the inner axis at a time
const uint UNROLLED = ROWS > 2 ? 2 : ALONG ? 4 : 2;
const uint LOADS = ALONG ? UNROLLED : UNROLLED * 4;  // on their way at the same time
shared float sums[ROWS * OWN * LANES];

uint a_start, b_start;

/// Four elements from `place` on along the inner axis, or those of them before `end`.
vec4 four_along(uint64_t address, const bool whole, uint place, uint step, uint k, uint end) {
  vec4 four = vec4(0.0);
  if (whole) {
    if (k < end) four = load_four(address, TYPE, place);
    return four;
  }
  [[unroll]] for (uint i = 0; i < 4; ++i)
    if (k + i < end) four[i] = load_real(address, TYPE, place + i * step);
  return four;
}
/// What a lane's columns have at k, or what its column has from k on.
vec4 load_b(uint k, uint end) {
  const uint place = b_start + k * table.b_inner;
  if (ALONG) return four_along(table.b, FOURS, place, table.b_inner, k, end);
  if (k >= end) return vec4(0.0);
  return FOURS ? load_four(table.b, TYPE, place) : vec4(load_real(table.b, TYPE, place), 0.0, 0.0, 0.0);
}
vec4 load_a(uint row, uint k, uint end) {
  const bool whole = (LOAD_A & (VECTORS | ALONG_INNER)) == (VECTORS | ALONG_INNER);
  return four_along(table.a, whole, a_start + row * table.a_row + k * table.a_inner, table.a_inner, k, end);
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
  for (uint from = first + along * 4; from < end; from += STEP * UNROLLED) {
    vec4 b[LOADS];
    [[unroll]] for (uint i = 0; i < LOADS; ++i) b[i] = load_b(ALONG ? from + i * STEP : from + i / 4 * STEP + i % 4, end);
    [[unroll]] for (uint u = 0; u < UNROLLED; ++u)
      [[unroll]] for (uint r = 0; r < ROWS; ++r) {
        const vec4 a = load_a(min(r, table.rows - 1), from + u * STEP, end);
        if (ALONG) sum[r] += a * b[u];
        else
          [[unroll]] for (uint i = 0; i < 4; ++i) sum[r] += a[i] * b[u * 4 + i];
      }
  }
  const uint place_of_lane = along * WIDTH + across;
  [[unroll]] for (uint r = 0; r < ROWS; ++r) {
    if (ALONG) sum[r].x += sum[r].y + (sum[r].z + sum[r].w);
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
    const uint elements = table.rows * table.columns;
    if (SPLIT) {
      Floats(table.carry).at[(split * table.batches + batch) * elements + r * table.columns + column] = value;
      continue;
    }
    value *= table.alpha;
    if (HAS_C) value += table.beta * load_real(table.c, TYPE, r * table.c_row + column * table.c_column);
    const uint place = batch * elements + r * table.y_row + column * table.y_column;
    store_real(table.y, TYPE, place, epilogue(value, place));
  }
}
