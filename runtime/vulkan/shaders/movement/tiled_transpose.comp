// Transposes of matrices by tiles of 32 x 32 elements in shared memory, so that neighbouring lanes read and write
// neighbouring elements. Elements are moved as bits.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common/extensions.glsl"

struct Table {
  uint64_t x, y;
  uint rows, columns;  // of the result; rows are neighbours in the operand, columns in the result
  uint source_column, target_row;  // strides
  uint batches, batch_rank;
  uint batch_shape[8];
  int source_batch[8], target_batch[8];
};
#include "common/elements.glsl"
#include "common/broadcast.glsl"

layout(constant_id = 1) const uint SIZE = 4;

const uint SIDE = 32, LINE = SIDE + 1, LANES = 128, STEP = LANES / SIDE;
const uint WORDS = SIZE == 8 ? 2 : 1;
shared uint tile[WORDS * SIDE * LINE];

void main() {
  const uint across = gl_LocalInvocationID.x % SIDE, along = gl_LocalInvocationID.x / SIDE, group = group_index();
  const uint row_tiles = (table.rows + SIDE - 1) / SIDE, column_tiles = (table.columns + SIDE - 1) / SIDE;
  const uint batch = group / (row_tiles * column_tiles);
  if (batch >= table.batches) return;
  const uint first_column = group % column_tiles * SIDE, first_row = group / column_tiles % row_tiles * SIDE;
  const uint source = place_of(2, batch, table.batch_rank, table.batch_shape, table.source_batch);
  const uint target = place_of(2, batch, table.batch_rank, table.batch_shape, table.target_batch);
  const uint last_row = table.rows - 1, last_column = table.columns - 1;
  [[unroll]] for (uint i = 0; i < SIDE; i += STEP) {
    // Beyond the edges the last elements are read again.
    const uint row = min(first_row + across, last_row), column = min(first_column + along + i, last_column);
    const uint64_t bits = load_bits(table.x, SIZE, source + column * table.source_column + row);
    const uint place = (along + i) * LINE + across;
    tile[place] = uint(bits);
    if (SIZE == 8) tile[(WORDS - 1) * SIDE * LINE + place] = uint(bits >> 32);
  }
  barrier();
  [[unroll]] for (uint i = 0; i < SIDE; i += STEP) {
    const uint row = first_row + along + i, column = first_column + across;
    if (row > last_row || column > last_column) continue;
    const uint place = across * LINE + along + i;
    uint64_t bits = uint64_t(tile[place]);
    if (SIZE == 8) bits |= uint64_t(tile[(WORDS - 1) * SIDE * LINE + place]) << 32;
    store_bits(table.y, SIZE, target + row * table.target_row + column, bits);
  }
}
