// Products with packed panels for one instruction set; included by panel_product.cpp. Columns fill the vectors.
#include <cstddef>
#include <hwy/highway.h>
#include <limits>

// clang-format off
#include "runtime/cpu/simd/elementwise/elementwise_math.inl.hpp"
#include "runtime/cpu/simd/float_io.inl.hpp"
#include "runtime/cpu/simd/product/packed_product.inl.hpp"
// clang-format on
#include "runtime/cpu/simd/product/next_part.hpp"
#include "runtime/cpu/simd/product/panel_product.hpp"

HWY_BEFORE_NAMESPACE();
namespace webnn::runtime::simd::HWY_NAMESPACE {
namespace panel_product {

/// The maximum rows of a register block, by the vectors of its panel: each sum needs a register, each row an address.
inline constexpr std::size_t most_rows[] = {8, 8, VECTOR_REGISTERS >= 32 ? 8 : 6, VECTOR_REGISTERS >= 32 ? 8 : 4, 6};
inline constexpr std::size_t most_vectors = VECTOR_REGISTERS >= 32 ? 4 : 3;

/// A part of the products of all sums: `taps` taps from `tap` on, of each of them `depth` products from `k` on.
struct Chunk {
  std::size_t tap, taps, k, depth;
  std::size_t block;  // products of a block
  bool is_first, is_last;
};

/// The maximum sums of a register block.
inline constexpr std::size_t most_sums = 8 * most_vectors * hn::MaxLanes(Float());

/// Where the sums of a register block go, and what is added to them: the bias, or the sums of the chunks before. Inlined
/// always: a call would need the sums in memory, and then the products before it would store them there each time.
template <class V, std::size_t rows, std::size_t vectors>
HWY_INLINE void write_sums(const PanelRun& run, const ProductPanel& panel, const Chunk& chunk, std::size_t row,
                           const V (&sums)[rows][vectors]) {
  const hn::DFromV<V> d;
  constexpr std::size_t lanes_of_vector = hn::MaxLanes(hn::DFromV<V>());
  // Read once: the compiler takes stores for changes of `run` and `chunk`.
  const std::size_t columns = run.columns;
  const bool is_first = chunk.is_first;
  const bool is_full = panel.columns == panel.filled;
  const std::size_t in_last = panel.columns - (vectors - 1) * lanes_of_vector;
  const auto is_whole = [=](std::size_t i) { return i + 1 < vectors || is_full; };
  V bias[vectors];
  HWY_UNROLL(4)
  for (std::size_t i = 0; i < vectors; ++i) {
    const std::size_t at = panel.column + i * lanes_of_vector;
    bias[i] = run.bias == nullptr || !is_first ? hn::Zero(d)
              : is_whole(i)                    ? hn::LoadU(d, run.bias + at)
                                               : load_first(d, run.bias + at, in_last, hn::Zero(d));
  }
  // Without limits until the last chunk.
  const float unlimited = std::numeric_limits<float>::infinity();
  const V low = hn::Set(d, chunk.is_last ? run.low : -unlimited),
          high = hn::Set(d, chunk.is_last ? run.high : unlimited);
  float* y = run.y + row * columns + panel.column;
  HWY_UNROLL(8)
  for (std::size_t r = 0; r < rows; ++r, y += columns) {
    HWY_UNROLL(4)
    for (std::size_t i = 0; i < vectors; ++i) {
      float* const at = y + i * lanes_of_vector;
      V before = bias[i];
      if (!is_first) before = is_whole(i) ? hn::LoadU(d, at) : load_first(d, at, in_last, hn::Zero(d));
      const V sum = lesser_of(high, greater_of(low, hn::Add(sums[r][i], before)));
      if (is_whole(i)) {
        hn::StoreU(sum, d, at);
      } else {
        store_first(sum, d, at, in_last);
      }
    }
  }
}

/// Computes a register block: `rows` rows of a panel, for one chunk. `line` is the chunk's part of the panel. `totals`
/// is for the sums of the blocks before. The tag `D` determines the vector length.
template <class D, std::size_t vectors, std::size_t rows>
HWY_INLINE void multiply_block(const PanelRun& run, const ProductPanel& panel, const Chunk& chunk, NextPart next,
                               const float* HWY_RESTRICT line, std::size_t row, float* HWY_RESTRICT totals) {
  const D d;
  constexpr std::size_t lanes_of_vector = hn::MaxLanes(D());
  hn::Vec<D> sums[rows][vectors];
  static_assert(rows * vectors * lanes_of_vector <= most_sums);
  HWY_UNROLL(8)
  for (std::size_t r = 0; r < rows; ++r) {
    HWY_UNROLL(4)
    for (std::size_t i = 0; i < vectors; ++i) sums[r][i] = hn::Zero(d);
  }
  bool has_totals = false;
  std::size_t left = chunk.block;  // of this block
  for (std::size_t tap = chunk.tap; tap < chunk.tap + chunk.taps; ++tap) {
    const float* from[rows];
    HWY_UNROLL(8)
    for (std::size_t r = 0; r < rows; ++r)
      from[r] =
          run.addresses != nullptr ? run.addresses[tap * run.address_step + row + r] : run.a + (row + r) * run.depth;
    if (rows == 1 && run.left_out != nullptr && from[0] == run.left_out) {
      line += chunk.depth * vectors * lanes_of_vector;
      continue;
    }
    std::size_t k = chunk.k;
    const std::size_t end = chunk.k + chunk.depth;
    while (k < end) {
      if (left == 0) {
        HWY_UNROLL(8)
        for (std::size_t r = 0; r < rows; ++r) {
          HWY_UNROLL(4)
          for (std::size_t i = 0; i < vectors; ++i) {
            float* const total = totals + (r * vectors + i) * lanes_of_vector;
            hn::Store(has_totals ? hn::Add(hn::Load(d, total), sums[r][i]) : sums[r][i], d, total);
            sums[r][i] = hn::Zero(d);
          }
        }
        has_totals = true;
        left = chunk.block;
      }
      const std::size_t count = HWY_MIN(left, end - k);
      left -= count;
      for (const std::size_t stop = k + count; k < stop; ++k, line += vectors * lanes_of_vector, next.advance()) {
        next.fetch();
        add_line(
            d, [&](std::size_t r) HWY_ATTR { return from[r][k]; }, line, sums);
      }
    }
  }
  if (has_totals) {
    HWY_UNROLL(8)
    for (std::size_t r = 0; r < rows; ++r) {
      HWY_UNROLL(4)
      for (std::size_t i = 0; i < vectors; ++i)
        sums[r][i] = hn::Add(sums[r][i], hn::Load(d, totals + (r * vectors + i) * lanes_of_vector));
    }
  }
  write_sums(run, panel, chunk, row, sums);
}

/// multiply_block for the rows from `begin` to `end`, a multiple of `rows` of them.
template <class D, std::size_t vectors, std::size_t rows>
void multiply_blocks(const PanelRun& run, const ProductPanel& panel, const Chunk& chunk, const float* line,
                     const NextPart& next, std::size_t begin, std::size_t end, float* totals) {
  for (std::size_t row = begin; row < end; row += rows)
    multiply_block<D, vectors, rows>(run, panel, chunk, next.for_block(row / rows, chunk.taps * chunk.depth), line, row,
                                     totals);
}

using MultiplyBlocks = void(const PanelRun& run, const ProductPanel& panel, const Chunk& chunk, const float* line,
                            const NextPart& next, std::size_t begin, std::size_t end, float* totals);
/// multiply_blocks for blocks of `count` rows, 1 to `rows`.
template <class D, std::size_t vectors, std::size_t rows>
MultiplyBlocks* blocks_of(std::size_t count) {
  if constexpr (rows > 1) {
    if (count < rows) return blocks_of<D, vectors, rows - 1>(count);
  }
  return multiply_blocks<D, vectors, rows>;
}

using FindBlocks = MultiplyBlocks*(std::size_t count);
/// blocks_of, indexed by the vectors of a panel; 0: half a vector.
inline constexpr FindBlocks* by_vectors[] = {
    blocks_of<Float8, 1, most_rows[0]>, blocks_of<Float, 1, most_rows[1]>,
    blocks_of<Float, 2, most_rows[2]>,  blocks_of<Float, 3, most_rows[3]>,
#if VECTOR_REGISTERS >= 32
    blocks_of<Float, 4, most_rows[4]>,
#endif
};
static_assert(sizeof(by_vectors) / sizeof(by_vectors[0]) == most_vectors + 1);

/// Divides the rows into as few blocks as possible, of nearly equal size. All panels follow for one chunk, then for the
/// next, so that the rows' part for the chunk stays in the cache.
inline void multiply(const PanelRun& run) {
  const bool by_taps = run.taps > 1;
  const std::size_t length = by_taps ? run.taps : run.depth, chunks = (length + run.chunk - 1) / run.chunk;
  alignas(64) float totals[most_sums];
  for (std::size_t c = 0; c < chunks; ++c) {
    const std::size_t begin = length * c / chunks, count = length * (c + 1) / chunks - begin;
    Chunk chunk{0, 1, begin, count, 1, c == 0, c + 1 == chunks};
    if (by_taps) chunk = {begin, count, 0, run.depth, 1, c == 0, c + 1 == chunks};
    const std::size_t before = by_taps ? begin * run.depth : begin, products = chunk.taps * chunk.depth;
    chunk.block = block_length(products, long_block);
    const float* line = run.b;  // of the panel
    for (std::size_t p = 0; p < run.panel_count; ++p) {
      const ProductPanel& panel = run.panels[p];
      const std::size_t vectors = panel.filled / lanes(), most = run.left_out != nullptr ? 1 : most_rows[vectors];
      // The last `small` blocks have a row less than the first ones.
      const std::size_t blocks = (run.rows + most - 1) / most, rows = (run.rows + blocks - 1) / blocks;
      const std::size_t small = rows * blocks - run.rows, large_rows = (blocks - small) * rows;
      const float* const part = line + before * panel.filled;
      line += run.taps * run.depth * panel.filled;
      NextPart next(part);
      if (p + 1 < run.panel_count) {
        const std::size_t filled = run.panels[p + 1].filled;
        next = NextPart(line + before * filled, products, filled * sizeof(float), blocks);
      }
      by_vectors[vectors](rows)(run, panel, chunk, part, next, 0, large_rows, totals);
      if (small != 0) by_vectors[vectors](rows - 1)(run, panel, chunk, part, next, large_rows, run.rows, totals);
    }
  }
}

inline PanelFunctions functions() { return {lanes(), hn::MaxLanes(Float8()), most_vectors, multiply}; }

}  // namespace panel_product
}  // namespace webnn::runtime::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
