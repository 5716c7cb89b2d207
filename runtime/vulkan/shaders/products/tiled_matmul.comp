// Tiled matmul and gemm.
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
#if defined(SUM_SPLITS)
#include "products/sum_splits.glsl"
#else
layout(constant_id = constant_load_a) const uint LOAD_A = 0;
layout(constant_id = constant_load_b) const uint LOAD_B = 0;
#include "products/blocks.glsl"
#ifdef COOPERATIVE
#include "products/units.glsl"
#else
#include "products/tiled.glsl"
#endif
#endif

Product product() {
  return Product(table.rows, table.inner, table.columns, table.batches, table.a_inner == 1, table.b_column != 1,
                 table.end);
}

#if !defined(SUM_SPLITS)
Strided a_matrix, b_matrix;

void begin(uint batch, uint column, uint k, uint step) {
  a_matrix = Strided(table.a, place_of(2, batch, table.batch_rank, table.batch_shape, table.a_batch), table.a_row,
                     table.a_inner, table.rows);
  b_matrix = Strided(table.b, place_of(2, batch, table.batch_rank, table.batch_shape, table.b_batch), table.b_column,
                     table.b_inner, table.columns);
}

#ifdef COOPERATIVE
uvec4 a_eight(uint row, uint k, uint end) { return load_eight(LOAD_A, a_matrix, row, k, end); }
uvec4 b_eight(uint k, uint end, uint column) { return load_eight(LOAD_B, b_matrix, column, k, end); }
#else
void a_block(uint row, uint k, uint end, out vec4 block[4]) { load_block(LOAD_A, TYPE, a_matrix, row, k, end, block); }
void b_block(uint k, uint end, uint column, out vec4 block[4]) {
  load_block(LOAD_B, TYPE, b_matrix, column, k, end, block);
}
#endif
#endif

void begin_store(uint batch, uint column) {}

void store_element(uint batch, uint row, uint column, float value) {
  value *= table.alpha;
  if (HAS_C) value += table.beta * load_real(table.c, TYPE, row * table.c_row + column * table.c_column);
  const uint place = batch * table.rows * table.columns + row * table.y_row + column * table.y_column;
  store_real(table.y, TYPE, place, epilogue(value, place));
}
