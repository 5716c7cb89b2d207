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

inline constexpr std::size_t most_vectors = VECTOR_REGISTERS >= 32 ? 4 : 3;
/// Whether a panel may end with half a vector of columns.
inline constexpr bool has_halves = hn::MaxLanes(Float8()) < hn::MaxLanes(Float());

/// A part of the products of all sums: `taps` taps from `tap` on, of each of them `depth` products from `k` on.
struct Chunk {
  std::size_t tap, taps, k, depth;
  std::size_t block;  // products of a block
  bool is_first, is_last;
};

/// The maximum sums of a register block.
inline constexpr std::size_t most_sums = 8 * most_vectors * hn::MaxLanes(Float());

/// The sums of a register block: `rows` rows by `vectors` vectors of columns and, if `half`, half a vector more, of which
/// a register holds those of two rows. The tag `D` determines the vector length.
template <class D, std::size_t vectors, bool half, std::size_t rows>
struct RegisterBlock {
  using V = hn::Vec<D>;
  static constexpr std::size_t lanes_of_vector = hn::MaxLanes(D());
  static constexpr std::size_t pairs = half ? (rows + 1) / 2 : 0;
  static constexpr std::size_t width = vectors * lanes_of_vector + (half ? lanes_of_vector / 2 : 0);
  static_assert((rows * vectors + pairs) * lanes_of_vector <= most_sums);

  V sums[rows][vectors];
  V halves[pairs + 1];  // [pairs]; no array is empty

  HWY_INLINE void clear() {
    const D d;
    HWY_UNROLL(8)
    for (std::size_t r = 0; r < rows; ++r) {
      HWY_UNROLL(4)
      for (std::size_t i = 0; i < vectors; ++i) sums[r][i] = hn::Zero(d);
    }
    HWY_UNROLL(4)
    for (std::size_t pair = 0; pair < pairs; ++pair) halves[pair] = hn::Zero(d);
  }

  /// Adds the products of element `k` of each row with a line of the panel.
  HWY_INLINE void add(const float* const (&from)[rows], std::size_t k, const float* HWY_RESTRICT line) {
    const D d;
    if constexpr (!half) {
      add_line(
          d, [&](std::size_t r) HWY_ATTR { return from[r][k]; }, line, sums);
    } else {
      V weights[vectors];
      HWY_UNROLL(4)
      for (std::size_t i = 0; i < vectors; ++i) weights[i] = load(d, line + i * lanes_of_vector);
      const auto last = load(hn::Half<D>(), line + vectors * lanes_of_vector);
      const V last_twice = hn::Combine(d, last, last);
      HWY_UNROLL(4)
      for (std::size_t pair = 0; pair < pairs; ++pair) {
        V factors[2];
        HWY_UNROLL(2)
        for (std::size_t i = 0; i < 2; ++i) {
          const std::size_t r = pair * 2 + i;
          factors[i] = r < rows ? in_register(hn::Set(d, from[HWY_MIN(r, rows - 1)][k])) : factors[0];
          if (r >= rows) continue;
          HWY_UNROLL(4)
          for (std::size_t column = 0; column < vectors; ++column)
            sums[r][column] = hn::MulAdd(factors[i], weights[column], sums[r][column]);
        }
        halves[pair] = hn::MulAdd(hn::ConcatUpperLower(d, factors[1], factors[0]), last_twice, halves[pair]);
      }
    }
  }

  /// Adds the sums to `totals`, or writes them there if they are the first ones.
  HWY_INLINE void add_to(float* HWY_RESTRICT totals, bool are_first) const {
    const D d;
    const auto write = [=](V v, float* at) HWY_ATTR { hn::Store(are_first ? v : hn::Add(hn::Load(d, at), v), d, at); };
    HWY_UNROLL(8)
    for (std::size_t r = 0; r < rows; ++r) {
      HWY_UNROLL(4)
      for (std::size_t i = 0; i < vectors; ++i) write(sums[r][i], totals + (r * vectors + i) * lanes_of_vector);
    }
    HWY_UNROLL(4)
    for (std::size_t pair = 0; pair < pairs; ++pair)
      write(halves[pair], totals + (rows * vectors + pair) * lanes_of_vector);
  }
  HWY_INLINE void add_from(const float* HWY_RESTRICT totals) {
    const D d;
    HWY_UNROLL(8)
    for (std::size_t r = 0; r < rows; ++r) {
      HWY_UNROLL(4)
      for (std::size_t i = 0; i < vectors; ++i)
        sums[r][i] = hn::Add(sums[r][i], hn::Load(d, totals + (r * vectors + i) * lanes_of_vector));
    }
    HWY_UNROLL(4)
    for (std::size_t pair = 0; pair < pairs; ++pair)
      halves[pair] = hn::Add(halves[pair], hn::Load(d, totals + (rows * vectors + pair) * lanes_of_vector));
  }
};

/// Where the sums of a register block go, and what is added to them: the bias, or the sums of the chunks before. Inlined
/// always: a call would need the sums in memory, and then the products before it would store them there each time.
template <class D, std::size_t vectors, bool half, std::size_t rows>
HWY_INLINE void write_sums(const PanelRun& run, const ProductPanel& panel, const Chunk& chunk, std::size_t row,
                           const RegisterBlock<D, vectors, half, rows>& block) {
  const D d;
  using V = hn::Vec<D>;
  constexpr std::size_t lanes_of_vector = hn::MaxLanes(D());
  // Read once: the compiler takes stores for changes of `run` and `chunk`.
  const std::size_t columns = run.columns;
  const bool is_first = chunk.is_first;
  const bool is_full = panel.columns == panel.filled;
  // Only the last vector, or half a vector, may be partial.
  const auto read = [=](auto tag, const float* from, std::size_t offset) HWY_ATTR {
    const bool is_whole = is_full || offset + hn::MaxLanes(tag) < panel.filled;
    return is_whole ? hn::LoadU(tag, from + offset)
                    : load_first(tag, from + offset, panel.columns - offset, hn::Zero(tag));
  };
  const auto write = [=](auto v, auto tag, float* to, std::size_t offset) HWY_ATTR {
    if (is_full || offset + hn::MaxLanes(tag) < panel.filled) {
      hn::StoreU(v, tag, to + offset);
    } else {
      store_first(v, tag, to + offset, panel.columns - offset);
    }
  };
  // Without limits until the last chunk.
  const float unlimited = std::numeric_limits<float>::infinity();
  const V low = hn::Set(d, chunk.is_last ? run.low : -unlimited),
          high = hn::Set(d, chunk.is_last ? run.high : unlimited);
  const auto limited = [=](V v) HWY_ATTR { return lesser_of(high, greater_of(low, v)); };
  const bool has_bias = run.bias != nullptr && is_first;
  const float* const bias_of_panel = run.bias + (has_bias ? panel.column : 0);
  V bias[vectors];
  HWY_UNROLL(4)
  for (std::size_t i = 0; i < vectors; ++i)
    bias[i] = has_bias ? read(d, bias_of_panel, i * lanes_of_vector) : hn::Zero(d);
  float* const y = run.y + row * columns + panel.column;
  HWY_UNROLL(8)
  for (std::size_t r = 0; r < rows; ++r) {
    HWY_UNROLL(4)
    for (std::size_t i = 0; i < vectors; ++i) {
      const V before = is_first ? bias[i] : read(d, y + r * columns, i * lanes_of_vector);
      write(limited(hn::Add(block.sums[r][i], before)), d, y + r * columns, i * lanes_of_vector);
    }
  }
  if constexpr (half) {
    const hn::Half<D> dh;
    constexpr std::size_t offset = vectors * lanes_of_vector;
    const auto half_bias = has_bias ? read(dh, bias_of_panel, offset) : hn::Zero(dh);
    HWY_UNROLL(4)
    for (std::size_t pair = 0; pair < block.pairs; ++pair) {
      float* const lower = y + pair * 2 * columns;
      float* const upper = pair * 2 + 1 < rows ? lower + columns : lower;
      const V before = is_first ? hn::Combine(d, half_bias, half_bias)
                                : hn::Combine(d, read(dh, upper, offset), read(dh, lower, offset));
      const V sum = limited(hn::Add(block.halves[pair], before));
      if (pair * 2 + 1 < rows) write(hn::UpperHalf(dh, sum), dh, upper, offset);
      write(hn::LowerHalf(dh, sum), dh, lower, offset);
    }
  }
}

/// Computes a register block: `rows` rows of a panel, for one chunk. `line` is the chunk's part of the panel. `totals`
/// is for the sums of the blocks before.
template <class D, std::size_t vectors, bool half, std::size_t rows>
HWY_INLINE void multiply_block(const PanelRun& run, const ProductPanel& panel, const Chunk& chunk, NextPart next,
                               const float* HWY_RESTRICT line, std::size_t row, float* HWY_RESTRICT totals) {
  using Block = RegisterBlock<D, vectors, half, rows>;
  Block block;
  block.clear();
  bool has_totals = false;
  std::size_t left = chunk.block;  // of this block of products
  for (std::size_t tap = chunk.tap; tap < chunk.tap + chunk.taps; ++tap) {
    const float* from[rows];
    HWY_UNROLL(8)
    for (std::size_t r = 0; r < rows; ++r)
      from[r] =
          run.addresses != nullptr ? run.addresses[tap * run.address_step + row + r] : run.a + (row + r) * run.depth;
    if (rows == 1 && run.left_out != nullptr && from[0] == run.left_out) {
      line += chunk.depth * Block::width;
      continue;
    }
    std::size_t k = chunk.k;
    const std::size_t end = chunk.k + chunk.depth;
    while (k < end) {
      if (left == 0) {
        block.add_to(totals, !has_totals);
        block.clear();
        has_totals = true;
        left = chunk.block;
      }
      const std::size_t count = HWY_MIN(left, end - k);
      left -= count;
      for (const std::size_t stop = k + count; k < stop; ++k, line += Block::width, next.advance()) {
        next.fetch();
        block.add(from, k, line);
      }
    }
  }
  if (has_totals) block.add_from(totals);
  write_sums(run, panel, chunk, row, block);
}

/// multiply_block for the rows from `begin` to `end`, a multiple of `rows` of them.
template <class D, std::size_t vectors, bool half, std::size_t rows>
void multiply_blocks(const PanelRun& run, const ProductPanel& panel, const Chunk& chunk, const float* line,
                     const NextPart& next, std::size_t begin, std::size_t end, float* totals) {
  for (std::size_t row = begin; row < end; row += rows)
    multiply_block<D, vectors, half, rows>(run, panel, chunk, next.for_block(row / rows, chunk.taps * chunk.depth),
                                           line, row, totals);
}

using MultiplyBlocks = void(const PanelRun& run, const ProductPanel& panel, const Chunk& chunk, const float* line,
                            const NextPart& next, std::size_t begin, std::size_t end, float* totals);
/// multiply_blocks for blocks of `count` rows, 1 to `rows`.
template <class D, std::size_t vectors, bool half, std::size_t rows>
MultiplyBlocks* blocks_of(std::size_t count) {
  if constexpr (rows > 1) {
    if (count < rows) return blocks_of<D, vectors, half, rows - 1>(count);
  }
  return multiply_blocks<D, vectors, half, rows>;
}

/// The code for a kind of panel.
struct PanelCode {
  std::size_t rows = 0;  // the maximum of a register block: each sum needs a register, each row an address
  MultiplyBlocks* (*blocks)(std::size_t rows) = nullptr;
};
template <class D, std::size_t vectors, bool half, std::size_t rows>
inline constexpr PanelCode code_of{rows, blocks_of<D, vectors, half, rows>};

/// Indexed by the half vectors of a panel.
inline constexpr PanelCode by_halves[] = {
    {},
#if VECTOR_REGISTERS >= 32
    code_of<Float8, 1, false, 8>,
    code_of<Float, 1, false, 8>,
    code_of<Float, 1, has_halves, 8>,
    code_of<Float, 2, false, 8>,
    code_of<Float, 2, has_halves, 8>,
    code_of<Float, 3, false, 8>,
    code_of<Float, 3, has_halves, 6>,
    code_of<Float, 4, false, 6>,
#else
    {}, code_of<Float, 1, false, 8>, {}, code_of<Float, 2, false, 6>, {}, code_of<Float, 3, false, 4>,
#endif
};
static_assert(sizeof(by_halves) / sizeof(by_halves[0]) == 2 * most_vectors + 1);

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
      const PanelCode& code = by_halves[2 * panel.filled / lanes()];
      const std::size_t most = run.left_out != nullptr ? 1 : code.rows;
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
      code.blocks(rows)(run, panel, chunk, part, next, 0, large_rows, totals);
      if (small != 0) code.blocks(rows - 1)(run, panel, chunk, part, next, large_rows, run.rows, totals);
    }
  }
}

inline PanelFunctions functions() { return {lanes(), hn::MaxLanes(Float8()), most_vectors, multiply}; }

}  // namespace panel_product
}  // namespace webnn::runtime::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
