// Lanes multiply the tiles of tiled.glsl in float32: each one 4 * ROW_QUADS rows with 4 * COLUMN_QUADS columns.
layout(constant_id = constant_row_quads) const uint ROW_QUADS = 2;
layout(constant_id = constant_column_quads) const uint COLUMN_QUADS = 2;
layout(constant_id = constant_unrolled) const uint UNROLLED = 1;  // steps of the inner loop; drivers would take long to unroll all

const uint LANE_ROWS = ROWS / (4 * ROW_QUADS), LANE_COLUMNS = COLUMNS / (4 * COLUMN_QUADS);
const uint LANES = LANE_ROWS * LANE_COLUMNS;
const uint A_LINE = ROWS / 4 + 1, B_LINE = COLUMNS / 4 + 1;  // padded so that lanes write to different banks
const uint B_TILE = DEPTH * A_LINE;
shared vec4 tiles[DEPTH * (A_LINE + B_LINE)];
vec4 sums[4 * ROW_QUADS * COLUMN_QUADS];

void clear_sums() {
  [[unroll]] for (uint i = 0; i < 4 * ROW_QUADS * COLUMN_QUADS; ++i) sums[i] = vec4(0.0);
}
void put(uint place, vec4 quad) { tiles[place] = quad; }

void multiply(uint lane) {
  const uint lane_row = lane / LANE_COLUMNS, lane_column = lane % LANE_COLUMNS;
  [[dont_unroll]] for (uint from = 0; from < DEPTH; from += UNROLLED)
    [[unroll]] for (uint u = 0; u < UNROLLED; ++u) {
      const uint k = from + u;
      vec4 a[ROW_QUADS], b[COLUMN_QUADS];
      [[unroll]] for (uint q = 0; q < ROW_QUADS; ++q) a[q] = tiles[k * A_LINE + lane_row + q * LANE_ROWS];
      [[unroll]] for (uint q = 0; q < COLUMN_QUADS; ++q)
        b[q] = tiles[B_TILE + k * B_LINE + lane_column + q * LANE_COLUMNS];
      [[unroll]] for (uint p = 0; p < ROW_QUADS; ++p)
        [[unroll]] for (uint r = 0; r < 4; ++r)
          [[unroll]] for (uint q = 0; q < COLUMN_QUADS; ++q)
            sums[(p * 4 + r) * COLUMN_QUADS + q] = fma(vec4(a[p][r]), b[q], sums[(p * 4 + r) * COLUMN_QUADS + q]);
    }
}

// In each turn one row of every lane.
const uint TURNS = 4 * ROW_QUADS, TURN_ROWS = LANE_ROWS;
uint row_of(uint turn, uint i) { return turn / 4 * (ROWS / ROW_QUADS) + i * 4 + turn % 4; }
void put_results(uint turn, uint lane) {
  [[unroll]] for (uint q = 0; q < COLUMN_QUADS; ++q) {
    vec4 line = sums[q];
    [[unroll]] for (uint r = 1; r < TURNS; ++r) line = r == turn ? sums[r * COLUMN_QUADS + q] : line;
    tiles[lane / LANE_COLUMNS * (COLUMNS / 4) + lane % LANE_COLUMNS + q * LANE_COLUMNS] = line;
  }
}
float result(uint place) { return tiles[place / 4][place % 4]; }
