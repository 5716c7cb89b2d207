// Matrix products: matmul, and gemm with its factors and its third operand. An invocation computes a block of 4 x 4
// elements, so that each loaded element is used four times.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common/extensions.glsl"
#include "products/matmul_table.glsl"
#include "common/elements.glsl"
#include "common/math.glsl"
#include "common/broadcast.glsl"

layout(constant_id = 1) const uint TYPE = 0;
layout(constant_id = 2) const bool HAS_C = false;

#include "common/real_functions.glsl"
#include "common/epilogue.glsl"

void main() {
  const uint row_blocks = (table.rows + 3) / 4, column_blocks = (table.columns + 3) / 4;
  const uint i = invocation_index();
  if (i >= row_blocks * column_blocks * table.batches) return;
  const uint column = i % column_blocks * 4, row = i / column_blocks % row_blocks * 4;
  const uint batch = i / column_blocks / row_blocks;
  const uint a_start = place_of(2, batch, table.batch_rank, table.batch_shape, table.a_batch);
  const uint b_start = place_of(2, batch, table.batch_rank, table.batch_shape, table.b_batch);
  // Rows and columns beyond the last repeat it; their results are not stored.
  const uint last_row = table.rows - 1, last_column = table.columns - 1;
  const uvec4 a_places = a_start + min(uvec4(row, row + 1, row + 2, row + 3), uvec4(last_row)) * table.a_row;
  const uvec4 b_places =
      b_start + min(uvec4(column, column + 1, column + 2, column + 3), uvec4(last_column)) * table.b_column;
  vec4 s0 = vec4(0.0), s1 = vec4(0.0), s2 = vec4(0.0), s3 = vec4(0.0);
  Floats carry = Floats(table.carry);
  const uint first = table.first, end = table.end;
  const uint64_t a_address = table.a, b_address = table.b;
  const uint a_inner = table.a_inner, b_inner = table.b_inner;
  for (uint k = first; k < end; ++k) {
    const uvec4 at_a = a_places + k * a_inner, at_b = b_places + k * b_inner;
    const vec4 b = vec4(load_real(b_address, TYPE, at_b.x), load_real(b_address, TYPE, at_b.y),
                        load_real(b_address, TYPE, at_b.z), load_real(b_address, TYPE, at_b.w));
    s0 += load_real(a_address, TYPE, at_a.x) * b;
    s1 += load_real(a_address, TYPE, at_a.y) * b;
    s2 += load_real(a_address, TYPE, at_a.z) * b;
    s3 += load_real(a_address, TYPE, at_a.w) * b;
  }
  for (uint r = 0; r < 4; ++r) {
    const vec4 sums = r == 0 ? s0 : r == 1 ? s1 : r == 2 ? s2 : s3;
    for (uint n = 0; n < 4; ++n) {
      if (row + r > last_row || column + n > last_column) continue;
      float value = n == 0 ? sums.x : n == 1 ? sums.y : n == 2 ? sums.z : sums.w;
      const uint place = batch * table.rows * table.columns + (row + r) * table.y_row + (column + n) * table.y_column;
      if (first != 0) value += carry.at[place];
      if (end != table.inner) {
        carry.at[place] = value;
        continue;
      }
      value *= table.alpha;
      if (HAS_C) value += table.beta * load_real(table.c, TYPE, (row + r) * table.c_row + (column + n) * table.c_column);
      store_real(table.y, TYPE, place, epilogue(value, place));
    }
  }
}
