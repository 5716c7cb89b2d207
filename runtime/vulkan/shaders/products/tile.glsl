// How a workgroup of a tiled product begins and ends: which tile it computes, and how the sums are stored. Included behind
// what differs, with lanes and with matrix units:
//   ROWS, COLUMNS, SPLIT, LANES
//   TURNS, TURN_ROWS, put_results(turn, lane), result(place), row_of(turn, i)
//                   pass the sums through shared memory, TURN_ROWS rows at a time, the i-th of which is row_of(turn, i)

/// A tile, and the part of the inner axis that the workgroup takes.
struct TileWork { uint first_row, first_column, batch, split, first, end; };

/// Workgroups that run at the same time share rows and columns of operands: they go down some tiles before they go on to
/// the next column. False: there is no such tile.
bool begin_tile(const Product all, out TileWork work) {
  const uint row_tiles = (all.rows + ROWS - 1) / ROWS, column_tiles = (all.columns + COLUMNS - 1) / COLUMNS;
  const uint tiles_of_batch = row_tiles * column_tiles, splits = SPLIT ? (all.inner + all.part - 1) / all.part : 1;
  const uint number = group_index();
  if (number >= tiles_of_batch * all.batches * splits) return false;
  const uint tile = number % tiles_of_batch, band_rows = 8;
  const uint band = tile / (band_rows * column_tiles) * band_rows, rest = tile % (band_rows * column_tiles);
  const uint rows = min(band_rows, row_tiles - band);
  work.first_row = (band + rest % rows) * ROWS;
  work.first_column = rest / rows * COLUMNS;
  work.batch = number / tiles_of_batch % all.batches;
  work.split = SPLIT ? number / tiles_of_batch / all.batches : 0;
  work.first = SPLIT ? work.split * all.part : 0;
  work.end = SPLIT ? min(work.first + all.part, all.inner) : all.inner;
  return true;
}

const uint STORED = COLUMNS < LANES ? COLUMNS : LANES;  // columns that the lanes store at a time

/// Through shared memory, so that neighbouring lanes store neighbouring elements.
void store_tile(const Product all, const TileWork work, uint lane) {
  const uint own_column = work.first_column + lane % STORED;
  if (STORED == COLUMNS) begin_store(work.batch, own_column);
  [[dont_unroll]] for (uint turn = 0; turn < TURNS; ++turn) {
    barrier();
    put_results(turn, lane);
    barrier();
    [[dont_unroll]] for (uint part = 0; part < COLUMNS; part += STORED) {
      const uint column = own_column + part;
      if (column >= all.columns) break;
      if (STORED != COLUMNS) begin_store(work.batch, column);
      [[dont_unroll]] for (uint i = lane / STORED; i < TURN_ROWS; i += LANES / STORED) {
        const uint row = work.first_row + row_of(turn, i);
        if (row >= all.rows) break;
        const float value = result(i * COLUMNS + part + lane % STORED);
        const uint place = ((work.split * all.batches + work.batch) * all.rows + row) * all.columns + column;
        if (SPLIT) Floats(table.carry).at[place] = value;
        else store_element(work.batch, row, column, value);
      }
    }
  }
}
