// Products of tiles of bfloat16 for one instruction set; included by tile_product.cpp, see its header.
#include <cstddef>
#include <cstdint>
#include <hwy/highway.h>
#include <limits>

#undef HWY_TARGET_STR
#define HWY_TARGET_STR HWY_TARGET_STR_AVX3 ",amx-tile,amx-bf16"

// clang-format off
#include "runtime/cpu/simd/native.inl.hpp"
#include "runtime/cpu/simd/product/tile_splits.inl.hpp"
#include "schema/round_up.hpp"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace webnn::runtime::simd::HWY_NAMESPACE {
namespace tile_product {

/// What a register of tiles is: `config` of the processor's manual.
struct alignas(64) TileShapes {
  std::uint8_t palette = 1, start_row = 0, reserved[14] = {};
  std::uint16_t bytes_of_line[16] = {};
  std::uint8_t lines[16] = {};
};

// Numbers of tile registers must be literals: 0 to 3 are sums, 4 and 5 tiles of rows, 6 and 7 tiles of columns.
#define LOAD_ROWS(part)                              \
  _tile_loadd(4, a + (part)*tile_bytes, line_bytes); \
  if constexpr (row_tiles == 2) _tile_loadd(5, a_second + (part)*tile_bytes, line_bytes)
#define LOAD_COLUMNS(part)                           \
  _tile_loadd(6, b + (part)*tile_bytes, line_bytes); \
  if constexpr (column_tiles == 2) _tile_loadd(7, b_second + (part)*tile_bytes, line_bytes)
#define ADD_PRODUCTS()                                                        \
  _tile_dpbf16ps(0, 4, 6);                                                    \
  if constexpr (column_tiles == 2) _tile_dpbf16ps(1, 4, 7);                   \
  if constexpr (row_tiles == 2) _tile_dpbf16ps(2, 5, 6);                      \
  if constexpr (row_tiles == 2 && column_tiles == 2) _tile_dpbf16ps(3, 5, 7); \
  meanwhile.go_on()

/// The sums of up to two tiles of rows with up to two panels: [row tile][panel][lines][tile_columns]. Each product of parts
/// but the first loads the tiles of one side only.
template <std::size_t row_tiles, std::size_t column_tiles>
HWY_INLINE void multiply_tiles(const std::uint8_t* a, const std::uint8_t* a_second, const std::uint8_t* b,
                               std::size_t steps, Meanwhile& meanwhile, float* sums) {
  _tile_zero(0);
  if constexpr (column_tiles == 2) _tile_zero(1);
  if constexpr (row_tiles == 2) _tile_zero(2);
  if constexpr (row_tiles == 2 && column_tiles == 2) _tile_zero(3);
  const std::uint8_t* b_second = b + steps * step_bytes;
  for (std::size_t step = 0; step < steps; ++step) {
    LOAD_ROWS(0);
    LOAD_COLUMNS(2);
    ADD_PRODUCTS();
    LOAD_COLUMNS(1);
    ADD_PRODUCTS();
    LOAD_ROWS(1);
    ADD_PRODUCTS();
    LOAD_COLUMNS(0);
    ADD_PRODUCTS();
    LOAD_ROWS(2);
    ADD_PRODUCTS();
    LOAD_ROWS(0);
    ADD_PRODUCTS();
    a += step_bytes;
    b += step_bytes;
    a_second += step_bytes;
    b_second += step_bytes;
  }
  _tile_stored(0, sums, line_bytes);
  if constexpr (column_tiles == 2) _tile_stored(1, sums + tile_sums, line_bytes);
  if constexpr (row_tiles == 2) _tile_stored(2, sums + 2 * tile_sums, line_bytes);
  if constexpr (row_tiles == 2 && column_tiles == 2) _tile_stored(3, sums + 3 * tile_sums, line_bytes);
}
#undef LOAD_ROWS
#undef LOAD_COLUMNS
#undef ADD_PRODUCTS

/// What becomes of the sums of a part: they are kept, added to those of the parts before, or written with these.
struct Place {
  bool is_first, is_last;              // of the parts of a chunk
  bool is_first_chunk, is_last_chunk;  // of the chunks of the run
};

/// Computes some rows of a panel with vectors.
inline void multiply_with_vectors(const PanelRun& run, std::size_t panel, std::size_t row, std::size_t rows) {
  PanelRun part = run;
  const float* first = nullptr;
  if (run.address_step != 0) {
    part.addresses += row;
  } else {
    first = run.addresses[0] + row * run.row_step;
    part.addresses = &first;
  }
  part.rows = rows;
  part.panels += panel;
  part.panel_count = 1;
  part.b += panel * run.taps * run.depth * tile_columns;
  part.y += row * run.columns;
  run.multiply(part);
}

/// Writes the sums of a tile of `rows` rows to the output; `before` has those of the parts before, or is null. Rows with a
/// sum that is not finite are computed with vectors. They are all of a row and a panel, however the work is divided.
HWY_INLINE void write_sums(const PanelRun& run, std::size_t panel_index, const Place& place, std::size_t row,
                           std::size_t rows, const float* sums, const float* before) {
  const Float d;
  const ProductPanel& panel = run.panels[panel_index];
  const float unlimited = std::numeric_limits<float>::infinity();
  const V low = hn::Set(d, place.is_last_chunk ? run.low : -unlimited),
          high = hn::Set(d, place.is_last_chunk ? run.high : unlimited);
  const V back = hn::Set(d, inverse_scale), zero = hn::Zero(d);
  const std::size_t columns = run.columns;
  const auto mask = hn::FirstN(d, panel.columns);
  const bool has_bias = place.is_first_chunk && run.bias != nullptr;
  const V bias = has_bias ? hn::MaskedLoad(mask, d, run.bias + panel.column) : zero;
  float* y = run.y + row * columns + panel.column;
  std::uint32_t not_finite = 0;  // bit r: row r
  for (std::size_t r = 0; r < rows; ++r, y += columns) {
    V sum = hn::Load(d, sums + r * tile_columns);
    if (before != nullptr) sum = hn::Add(sum, hn::Load(d, before + r * tile_columns));
    sum = hn::MulAdd(sum, back, place.is_first_chunk ? bias : hn::MaskedLoad(mask, d, y));
    not_finite |= std::uint32_t{!hn::AllTrue(d, hn::Eq(hn::Mul(sum, zero), zero))} << r;
    hn::BlendedStore(lesser_of(high, greater_of(low, sum)), mask, d, y);
  }
  if (not_finite == 0 || !place.is_last_chunk) return;
  for (std::size_t r = 0; r < rows;) {
    std::size_t end = r;
    while (end < rows && (not_finite >> end & 1) != 0) ++end;
    if (end > r) multiply_with_vectors(run, panel_index, row + r, end - r);
    r = end + 1;
  }
}

/// The tiles of a chunk's rows: `of_tile` rows each, with the products of the whole chunk.
struct RowTiles {
  const std::uint8_t* tiles;
  std::size_t count, of_tile, bytes;  // bytes: of all steps of a tile
};

/// Up to two tiles of rows from tile `i` on with up to two panels, for `steps` steps from byte `offset` of the tiles on.
/// `all` has their sums of the parts before.
template <std::size_t row_tiles, std::size_t column_tiles>
void multiply_block(const PanelRun& run, std::size_t panel, const Place& place, const RowTiles& rows, std::size_t i,
                    std::size_t offset, const std::uint8_t* b, std::size_t steps, Meanwhile& meanwhile,
                    float* HWY_RESTRICT all) {
  const std::uint8_t* const a = rows.tiles + i * rows.bytes + offset;
  if (place.is_first && !place.is_last) {
    multiply_tiles<row_tiles, column_tiles>(a, a + rows.bytes, b, steps, meanwhile, all);
    return;
  }
  alignas(64) float sums[block_sums];
  multiply_tiles<row_tiles, column_tiles>(a, a + rows.bytes, b, steps, meanwhile, sums);
  if (!place.is_last) {
    const Float d;
    for (std::size_t at = 0; at < 2 * row_tiles * tile_sums; at += tile_columns)
      hn::Store(hn::Add(hn::Load(d, sums + at), hn::Load(d, all + at)), d, all + at);
    return;
  }
  for (std::size_t r = 0; r < row_tiles; ++r) {
    const std::size_t first = (i + r) * rows.of_tile;
    const std::size_t count = first < run.rows ? HWY_MIN(rows.of_tile, run.rows - first) : 0;
    for (std::size_t j = 0; j < column_tiles; ++j) {
      const std::size_t tile = (2 * r + j) * tile_sums;
      write_sums(run, panel + j, place, first, count, sums + tile, place.is_first ? nullptr : all + tile);
    }
  }
}

/// The registers of the unit for tiles of so many rows.
HWY_INLINE void configure(std::size_t rows) {
  TileShapes shapes;
  for (std::size_t i = 0; i < 8; ++i) {
    shapes.bytes_of_line[i] = line_bytes;
    shapes.lines[i] = i < 6 ? std::uint8_t(rows) : lines;
  }
  _tile_loadconfig(&shapes);
}

/// Multiplies the panels of a chunk with its rows, two after another: rows stay in the L2 cache, parts of two panels in the
/// L1 cache.
class ChunkProduct {
 public:
  ChunkProduct(const PanelRun& run, const Range& chunk, const RowTiles& rows, std::uint8_t* a, std::uint8_t* b,
               float* sums)
      : run_(run),
        chunk_(chunk),
        rows_(rows),
        parts_(schema::div_up(chunk.count, tile_products)),
        pairs_(schema::div_up(run.panel_count, 2)),
        a_(a),
        b_{b, b + 2 * tile_products / products_of_tile * step_bytes},
        sums_(sums) {}

  HWY_INLINE void multiply(bool is_first_chunk, bool is_last_chunk) {
    panels_at(0, b_[0]).finish();
    rows_at(0, 0).finish();
    for (std::size_t at = 0; at < parts_ * pairs_; ++at) {
      const Range part = part_of(chunk_, at % parts_, parts_);
      const Place place{at % parts_ == 0, at % parts_ + 1 == parts_, is_first_chunk, is_last_chunk};
      meanwhile_.panels = panels_at(at + 1, b_[(at + 1) % 2]);
      const std::size_t blocks = schema::div_up(rows_.count, 2), turns = 6 * part.steps() * blocks;
      meanwhile_.panel_lines = schema::div_up(meanwhile_.panels.size(), turns);
      for (std::size_t i = 0; i < blocks; ++i) {
        if (at < parts_) meanwhile_.rows = i + 1 < blocks ? rows_at(at, i + 1) : rows_at(at + 1, 0);
        multiply_tiles_at(at, i, part, place);
        meanwhile_.rows.finish();
      }
      meanwhile_.panels.finish();
    }
  }

 private:
  static HWY_INLINE std::size_t offset_of(const Range& chunk, const Range& part) {
    return (part.begin - chunk.begin) / products_of_tile * step_bytes;
  }
  HWY_INLINE const float* panel_at(std::size_t at) const {
    return run_.b + at / parts_ * 2 * run_.taps * run_.depth * tile_columns +
           part_of(chunk_, at % parts_, parts_).begin * tile_columns;
  }
  /// The parts of two panels, counted one after another.
  HWY_INLINE PanelSplit panels_at(std::size_t at, std::uint8_t* to) const {
    if (at >= parts_ * pairs_) return {};
    const float* const from = panel_at(at);
    const std::size_t ahead = at + 1 < parts_ * pairs_ ? std::size_t(panel_at(at + 1) - from) : 0;
    const std::size_t panels = HWY_MIN(run_.panel_count - at / parts_ * 2, 2);
    return {from, panels, run_.taps * run_.depth * tile_columns, part_of(chunk_, at % parts_, parts_), ahead, to};
  }
  /// The part of two tiles of rows.
  HWY_INLINE RowSplit rows_at(std::size_t part_index, std::size_t block) const {
    if (part_index >= parts_) return {};
    const Range part = part_of(chunk_, part_index, parts_);
    const std::size_t first = 2 * block, tiles = HWY_MIN(rows_.count - first, 2);
    return {run_,       part,          first * rows_.of_tile,
            tiles,      rows_.of_tile, a_ + first * rows_.bytes + offset_of(chunk_, part),
            rows_.bytes};
  }
  HWY_INLINE void multiply_tiles_at(std::size_t at, std::size_t block, const Range& part, const Place& place) {
    const std::size_t panel = at / parts_ * 2;
    const std::uint8_t* const b = b_[at % 2];
    float* const all = sums_ + block * block_sums;
    const std::size_t i = 2 * block, offset = offset_of(chunk_, part), steps = part.steps();
    const bool two_rows = i + 1 < rows_.count, two_panels = panel + 1 < run_.panel_count;
    asm volatile("" ::: "memory");  // tiles are loaded behind the compiler's back
    const auto code = two_rows ? (two_panels ? multiply_block<2, 2> : multiply_block<2, 1>)
                               : (two_panels ? multiply_block<1, 2> : multiply_block<1, 1>);
    code(run_, panel, place, rows_, i, offset, b, steps, meanwhile_, all);
  }

  const PanelRun& run_;
  const Range chunk_;
  const RowTiles& rows_;
  const std::size_t parts_, pairs_;
  std::uint8_t* const a_;
  std::uint8_t* const b_[2];
  float* const sums_;
  Meanwhile meanwhile_;
};

inline void multiply(const PanelRun& run, std::byte* scratch) {
  // Tiles of equal numbers of rows: the unit takes fewer cycles when its left tile has fewer.
  RowTiles rows;
  rows.count = run.rows <= lines ? 1 : (run.rows + 2 * lines - 1) / (2 * lines) * 2;
  rows.of_tile = schema::div_up(run.rows, rows.count);
  configure(rows.of_tile);
  auto* const b = reinterpret_cast<std::uint8_t*>(scratch);
  auto* const sums = reinterpret_cast<float*>(b + 4 * tile_products / products_of_tile * step_bytes);
  auto* const a = reinterpret_cast<std::uint8_t*>(sums + schema::div_up(rows.count, 2) * block_sums);
  rows.tiles = a;
  const Range products{0, run.taps * run.depth};
  const std::size_t chunks = schema::div_up(products.count, run.tile_chunk);
  for (std::size_t c = 0; c < chunks; ++c) {
    const Range chunk = part_of(products, c, chunks);
    rows.bytes = chunk.steps() * step_bytes;
    ChunkProduct(run, chunk, rows, a, b, sums).multiply(c == 0, c + 1 == chunks);
  }
  _tile_release();
}

}  // namespace tile_product
}  // namespace webnn::runtime::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
