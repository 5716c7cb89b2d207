// Products with packed panels for one instruction set; included by panel_product.cpp. Columns fill the vectors.
#include <cstddef>
#include <hwy/highway.h>
#include <limits>

// clang-format off
#include "runtime/cpu/simd/elementwise/elementwise_math.inl.hpp"
#include "runtime/cpu/simd/float_io.inl.hpp"
#include "runtime/cpu/simd/product/packed_product.inl.hpp"
#include "runtime/cpu/simd/product/paired_block.inl.hpp"
// clang-format on
#include "runtime/cpu/simd/product/next_part.hpp"
#include "runtime/cpu/simd/product/panel_product.hpp"
#include "schema/round_up.hpp"

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

/// The elements of a register block's rows of `a`: at(r) is the address of the one of row r, advance(n) goes on to those
/// of a tap n further. Rows at any addresses, each of which needs a register:
template <std::size_t rows>
class AddressedRows {
 public:
  HWY_INLINE AddressedRows(const PanelRun& run, const Chunk& chunk, std::size_t row)
      : address_(run.addresses + chunk.tap * run.address_step + row), step_(run.address_step), first_(chunk.k) {}
  HWY_INLINE void begin_tap() {
    unrolled<rows>([&](std::size_t r) UNROLLED { from_[r] = address_[r]; });
    k_ = first_;
  }
  HWY_INLINE void end_tap() { address_ += step_; }
  HWY_INLINE bool are_at(const float* address) const { return from_[0] == address; }
  HWY_INLINE const float* at(std::size_t r) const { return from_[r] + k_; }
  HWY_INLINE void advance(std::size_t n) { k_ += n; }

 private:
  const float* from_[rows];
  std::size_t k_;
  const float* const* address_;
  std::size_t step_, first_;
};
/// Rows at equal distances, as are their taps. A third of the rows need a register, because instructions add a distance
/// once or twice.
template <std::size_t rows>
class SpacedRows {
 public:
  HWY_INLINE SpacedRows(const PanelRun& run, const Chunk& chunk, std::size_t row)
      : step_(run.row_step), skipped_(std::ptrdiff_t(run.tap_step) - std::ptrdiff_t(chunk.depth)) {
    from_[0] = run.addresses[0] + row * step_ + chunk.tap * run.tap_step + chunk.k;
    unrolled<count - 1>([&](std::size_t i) UNROLLED { from_[i + 1] = from_[i] + 3 * step_; });
  }
  HWY_INLINE void begin_tap() {}
  HWY_INLINE void end_tap() { move(skipped_); }
  HWY_INLINE bool are_at(const float*) const { return false; }
  HWY_INLINE const float* at(std::size_t r) const { return from_[r / 3] + r % 3 * step_; }
  HWY_INLINE void advance(std::size_t n) { move(std::ptrdiff_t(n)); }

 private:
  static constexpr std::size_t count = schema::div_up(rows, 3);
  HWY_INLINE void move(std::ptrdiff_t floats) {
    unrolled<count>([&](std::size_t i) UNROLLED { from_[i] += floats; });
  }

  const float* from_[count];
  std::size_t step_;
  std::ptrdiff_t skipped_;
};

/// The maximum sums of a register block.
inline constexpr std::size_t most_sums = 8 * most_vectors * hn::MaxLanes(Float());

/// The sums of a register block: `rows` rows by `vectors` vectors of columns and, if `half`, half a vector more, of which
/// a register holds those of two rows. The tag `D` determines the vector length.
///
/// All loops over sums are unrolled by templates. With a pragma GCC unrolls them too late to keep the sums in registers
/// in all loops: it stores and loads them before and after each tap.
template <class D, std::size_t vectors, bool half, std::size_t rows>
struct RegisterBlock {
  using V = hn::Vec<D>;
  static constexpr std::size_t lanes_of_vector = hn::MaxLanes(D());
  static constexpr std::size_t pairs = half ? schema::div_up(rows, 2) : 0;
  /// Products of a sum that `add` adds, and the floats of the panel that they take.
  static constexpr std::size_t products = 1, width = vectors * lanes_of_vector + (half ? lanes_of_vector / 2 : 0);
  static_assert((rows * vectors + pairs) * lanes_of_vector <= most_sums);

  V sums[rows * vectors];
  V halves[pairs + 1];  // [pairs]; no array is empty

  /// Defined here, because a constructor that the compiler makes is not for the instruction set.
  HWY_INLINE RegisterBlock() {}

  HWY_INLINE void clear() {
    unrolled<rows * vectors>([&](std::size_t i) UNROLLED { sums[i] = hn::Zero(D()); });
    unrolled<pairs>([&](std::size_t i) UNROLLED { halves[i] = hn::Zero(D()); });
  }

  /// Adds the products of an element of each row with a line of the panel.
  template <class Rows>
  HWY_INLINE void add(const Rows& from, const float* HWY_RESTRICT line) {
    const D d;
    V weights[vectors];
    unrolled<vectors>([&](std::size_t i) UNROLLED { weights[i] = load(d, line + i * lanes_of_vector); });
    const auto add_row = [&](std::size_t r, V factor) UNROLLED {
      unrolled<vectors>([&](std::size_t i) UNROLLED {
        sums[r * vectors + i] = hn::MulAdd(factor, weights[i], sums[r * vectors + i]);
      });
    };
    if constexpr (!half) {
      unrolled<rows>([&](std::size_t r) UNROLLED { add_row(r, hn::Set(d, *from.at(r))); });
    } else {
      const auto last = load(hn::Half<D>(), line + vectors * lanes_of_vector);
      const V last_twice = hn::Combine(d, last, last);
      unrolled<pairs>([&](std::size_t pair) UNROLLED {
        const std::size_t first = 2 * pair, second = first + 1;
        const V lower = in_register(hn::Set(d, *from.at(first)));
        add_row(first, lower);
        V upper = lower;
        if (second < rows) {
          upper = in_register(hn::Set(d, *from.at(second)));
          add_row(second, upper);
        }
        halves[pair] = hn::MulAdd(hn::ConcatUpperLower(d, upper, lower), last_twice, halves[pair]);
      });
    }
  }

  /// Adds the sums to `totals`, or writes them there if they are the first ones.
  HWY_INLINE void add_to(float* HWY_RESTRICT totals, bool are_first) const {
    const D d;
    const auto write = [&](V v, std::size_t i) UNROLLED {
      float* const at = totals + i * lanes_of_vector;
      hn::Store(are_first ? v : hn::Add(hn::Load(d, at), v), d, at);
    };
    unrolled<rows * vectors>([&](std::size_t i) UNROLLED { write(sums[i], i); });
    unrolled<pairs>([&](std::size_t i) UNROLLED { write(halves[i], rows * vectors + i); });
  }
  HWY_INLINE void add_from(const float* HWY_RESTRICT totals) {
    const auto total = [&](std::size_t i) UNROLLED { return hn::Load(D(), totals + i * lanes_of_vector); };
    unrolled<rows * vectors>([&](std::size_t i) UNROLLED { sums[i] = hn::Add(sums[i], total(i)); });
    unrolled<pairs>([&](std::size_t i) UNROLLED { halves[i] = hn::Add(halves[i], total(rows * vectors + i)); });
  }
};

template <class D, std::size_t rows>
HWY_INLINE RegisterBlock<D, 1, false, rows> sums_of(const PairedBlock<D, rows>& block) {
  static_assert(sizeof block.sums <= most_sums * sizeof(float));
  RegisterBlock<D, 1, false, rows> sums;
  unrolled<rows>([&](std::size_t r) UNROLLED { sums.sums[r] = block.sum(r); });
  return sums;
}
template <class D, std::size_t vectors, bool half, std::size_t rows>
HWY_INLINE const RegisterBlock<D, vectors, half, rows>& sums_of(const RegisterBlock<D, vectors, half, rows>& block) {
  return block;
}

/// Where the sums of a register block go, and what is added to them: the bias, or the sums of the chunks before. Inlined
/// always: a call would need the sums in memory, and then the products before it would store them there each time.
template <class D, std::size_t vectors, bool half, std::size_t rows>
HWY_INLINE void write_sums(const PanelRun& run, const ProductPanel& panel, const Chunk& chunk, std::size_t row,
                           const RegisterBlock<D, vectors, half, rows>& block) {
  const D d;
  using V = hn::Vec<D>;
  constexpr std::size_t lanes_of_vector = hn::MaxLanes(D());
  // Read once: the compiler takes stores for changes of `run` and `chunk`.
  const std::size_t columns = run.columns, in_panel = panel.columns, filled = panel.filled;
  const bool is_first = chunk.is_first;
  // Only the last vector, or half a vector, may be partial.
  const auto read = [&](auto tag, const float* from, std::size_t offset) UNROLLED {
    const bool is_whole = in_panel == filled || offset + hn::MaxLanes(tag) < filled;
    return is_whole ? hn::LoadU(tag, from + offset) : load_first(tag, from + offset, in_panel - offset, hn::Zero(tag));
  };
  const auto write = [&](auto v, auto tag, float* to, std::size_t offset) UNROLLED {
    if (in_panel == filled || offset + hn::MaxLanes(tag) < filled) {
      hn::StoreU(v, tag, to + offset);
    } else {
      store_first(v, tag, to + offset, in_panel - offset);
    }
  };
  // Without limits until the last chunk.
  const float unlimited = std::numeric_limits<float>::infinity();
  const V low = hn::Set(d, chunk.is_last ? run.low : -unlimited),
          high = hn::Set(d, chunk.is_last ? run.high : unlimited);
  const auto limited = [&](V v) UNROLLED { return lesser_of(high, greater_of(low, v)); };
  const bool has_bias = run.bias != nullptr && is_first;
  const float* const bias_of_panel = run.bias + (has_bias ? panel.column : 0);
  V bias[vectors];
  unrolled<vectors>([&](std::size_t i)
                        UNROLLED { bias[i] = has_bias ? read(d, bias_of_panel, i * lanes_of_vector) : hn::Zero(d); });
  float* const y = run.y + row * columns + panel.column;
  unrolled<rows>([&](std::size_t r) UNROLLED {
    float* const to = y + r * columns;
    unrolled<vectors>([&](std::size_t i) UNROLLED {
      const V before = is_first ? bias[i] : read(d, to, i * lanes_of_vector);
      write(limited(hn::Add(block.sums[r * vectors + i], before)), d, to, i * lanes_of_vector);
    });
  });
  if constexpr (half) {
    const hn::Half<D> dh;
    constexpr std::size_t offset = vectors * lanes_of_vector;
    const auto half_bias = has_bias ? read(dh, bias_of_panel, offset) : hn::Zero(dh);
    unrolled<RegisterBlock<D, vectors, half, rows>::pairs>([&](std::size_t pair) UNROLLED {
      const bool is_pair = pair * 2 + 1 < rows;
      float* const lower = y + pair * 2 * columns;
      float* const upper = is_pair ? lower + columns : lower;
      const V before = is_first ? hn::Combine(d, half_bias, half_bias)
                                : hn::Combine(d, read(dh, upper, offset), read(dh, lower, offset));
      const V sum = limited(hn::Add(block.halves[pair], before));
      if (is_pair) write(hn::UpperHalf(dh, sum), dh, upper, offset);
      write(hn::LowerHalf(dh, sum), dh, lower, offset);
    });
  }
}

/// The blocks of a kind of panel, by their number of rows.
template <class D, std::size_t vectors, bool half>
struct Plain {
  template <std::size_t rows>
  using Block = RegisterBlock<D, vectors, half, rows>;
};
template <class D>
struct Paired {
  template <std::size_t rows>
  using Block = PairedBlock<D, rows>;
};

/// Computes a register block: `rows` rows of a panel, for one chunk. `line` is the chunk's part of the panel. `totals`
/// is for the sums of the blocks before.
template <template <std::size_t> class Rows, class Kind, std::size_t rows>
HWY_INLINE void multiply_block(const PanelRun& run, const ProductPanel& panel, const Chunk& chunk, NextShare next,
                               const float* HWY_RESTRICT line, std::size_t row, float* HWY_RESTRICT totals) {
  using Block = typename Kind::template Block<rows>;
  Block block;
  block.clear();
  bool has_totals = false;
  std::size_t left = chunk.block;  // of this block of products
  Rows<rows> from(run, chunk, row);
  for (std::size_t tap = 0; tap < chunk.taps; ++tap, from.end_tap()) {
    from.begin_tap();
    if (rows == 1 && run.left_out != nullptr && from.are_at(run.left_out)) {
      line += chunk.depth / Block::products * Block::width;
      continue;
    }
    for (std::size_t of_tap = chunk.depth; of_tap > 0;) {
      if (left == 0) {
        block.add_to(totals, !has_totals);
        block.clear();
        has_totals = true;
        left = chunk.block;
      }
      const std::size_t count = HWY_MIN(left, of_tap);
      left -= count;
      of_tap -= count;
      for (std::size_t i = 0; i < count / Block::products; ++i) {
        next.fetch();
        block.add(from, line);
        line += Block::width;
        next.advance();
        from.advance(Block::products);
      }
    }
  }
  if (has_totals) block.add_from(totals);
  write_sums(run, panel, chunk, row, sums_of(block));
}

/// multiply_block for the rows from `begin` to `end`, a multiple of `rows` of them, the first of which are block
/// `first_block` of the panel.
template <template <std::size_t> class Rows, class Kind, std::size_t rows>
void multiply_blocks(const PanelRun& run, const ProductPanel& panel, const Chunk& chunk, const float* line,
                     const NextPart& next, std::size_t first_block, std::size_t begin, std::size_t end, float* totals) {
  constexpr std::size_t in_line = Kind::template Block<rows>::products;
  const std::size_t lines = chunk.taps * chunk.depth / in_line;
  for (std::size_t row = begin, block = first_block; row < end; row += rows, ++block)
    multiply_block<Rows, Kind, rows>(run, panel, chunk, next.for_block(block, lines), line, row, totals);
}

using MultiplyBlocks = void(const PanelRun& run, const ProductPanel& panel, const Chunk& chunk, const float* line,
                            const NextPart& next, std::size_t first_block, std::size_t begin, std::size_t end,
                            float* totals);
/// multiply_blocks for blocks of `count` rows, 1 to `rows`.
template <template <std::size_t> class Rows, class Kind, std::size_t rows>
MultiplyBlocks* blocks_of(std::size_t count) {
  if constexpr (rows > 1) {
    if (count < rows) return blocks_of<Rows, Kind, rows - 1>(count);
  }
  return multiply_blocks<Rows, Kind, rows>;
}

/// The code for a kind of panel.
struct PanelCode {
  std::size_t rows = 0;  // the maximum of a register block
  MultiplyBlocks* (*blocks)(std::size_t rows) = nullptr;
};
template <template <std::size_t> class Rows, class Kind, std::size_t rows>
inline constexpr PanelCode code_of{rows, blocks_of<Rows, Kind, rows>};

/// Indexed by the half vectors of a panel. Each sum needs a register, and each row an address or a third of one. `most` is
/// the maximum of rows for panels of one vector: with many, products wait for their elements, not for each other.
template <template <std::size_t> class Rows, std::size_t most>
inline constexpr PanelCode by_halves[] = {
    {},
#if VECTOR_REGISTERS >= 32
    code_of<Rows, Plain<Float8, 1, false>, most>,
    code_of<Rows, Plain<Float, 1, false>, most>,
    code_of<Rows, Plain<Float, 1, has_halves>, 8>,
    code_of<Rows, Plain<Float, 2, false>, 8>,
    code_of<Rows, Plain<Float, 2, has_halves>, 8>,
    code_of<Rows, Plain<Float, 3, false>, 8>,
    code_of<Rows, Plain<Float, 3, has_halves>, 6>,
    code_of<Rows, Plain<Float, 4, false>, 6>,
#else
    {}, code_of<Rows, Plain<Float, 1, false>, 8>, {}, code_of<Rows, Plain<Float, 2, false>, 6>,
    {}, code_of<Rows, Plain<Float, 3, false>, 4>,
#endif
};
static_assert(sizeof(by_halves<AddressedRows, 8>) / sizeof(PanelCode) == 2 * most_vectors + 1);
/// The same for paired panels.
template <template <std::size_t> class Rows, std::size_t most>
inline constexpr PanelCode paired_by_halves[] = {
    {},
#if VECTOR_REGISTERS >= 32
    code_of<Rows, Paired<Float8>, most>,
    code_of<Rows, Paired<Float>, most>,
#else
    {},
    code_of<Rows, Paired<Float>, 6>,
#endif
};

inline const PanelCode& code_for(const PanelRun& run, const ProductPanel& panel) {
  const std::size_t halves = 2 * panel.filled / lanes();
  const bool are_spaced = run.address_step == 0;
  if (run.in_line == 2)
    return are_spaced ? paired_by_halves<SpacedRows, 12>[halves] : paired_by_halves<AddressedRows, 8>[halves];
  return are_spaced ? by_halves<SpacedRows, 14>[halves] : by_halves<AddressedRows, 8>[halves];
}

/// Divides the rows into as few blocks as possible, of nearly equal size. All panels follow for one chunk, then for the
/// next, so that the rows' part for the chunk stays in the cache.
inline void multiply(const PanelRun& run) {
  const bool by_taps = run.taps > 1;
  const std::size_t in_line = run.in_line;
  const std::size_t unit = by_taps ? run.depth : in_line;  // products
  const std::size_t length = run.taps * run.depth / unit;
  const std::size_t most = by_taps ? run.chunk : HWY_MAX(run.chunk / unit, 1), chunks = schema::div_up(length, most);
  alignas(64) float totals[most_sums];
  for (std::size_t c = 0; c < chunks; ++c) {
    const std::size_t begin = length * c / chunks, count = length * (c + 1) / chunks - begin;
    Chunk chunk{0, 1, begin * unit, count * unit, 1, c == 0, c + 1 == chunks};
    if (by_taps) chunk = {begin, count, 0, run.depth, 1, c == 0, c + 1 == chunks};
    const std::size_t before = begin * unit, products = count * unit;
    chunk.block = block_length(products / in_line, run.block) * in_line;
    const float* line = run.b;  // of the panel
    for (std::size_t p = 0; p < run.panel_count; ++p) {
      const ProductPanel& panel = run.panels[p];
      const PanelCode& code = code_for(run, panel);
      const std::size_t most_rows = run.left_out != nullptr ? 1 : code.rows;
      // The last `small` blocks have a row less than the first ones.
      const std::size_t blocks = schema::div_up(run.rows, most_rows), rows = schema::div_up(run.rows, blocks);
      const std::size_t small = rows * blocks - run.rows, large_rows = (blocks - small) * rows;
      const float* const part = line + before * panel.filled;
      line += run.taps * run.depth * panel.filled;
      NextPart next(part);
      if (p + 1 < run.panel_count) {
        const std::size_t filled = run.panels[p + 1].filled;
        next = NextPart(line + before * filled, products / in_line, filled * in_line * sizeof(float), blocks);
      }
      code.blocks(rows)(run, panel, chunk, part, next, 0, 0, large_rows, totals);
      if (small != 0)
        code.blocks(rows - 1)(run, panel, chunk, part, next, blocks - small, large_rows, run.rows, totals);
    }
  }
}

inline void join_lines(const float* HWY_RESTRICT a, const float* HWY_RESTRICT b, std::size_t count,
                       float* HWY_RESTRICT to) {
  const Float d;
  const auto vector_of = [=](const float* line, std::size_t i)
                             HWY_ATTR { return line != nullptr ? load(line + i) : hn::Zero(d); };
  std::size_t i = 0;
  for (; i + lanes() <= count; i += lanes()) hn::StoreInterleaved2(vector_of(a, i), vector_of(b, i), d, to + 2 * i);
  for (; i < count; ++i) {
    to[2 * i] = a != nullptr ? a[i] : 0;
    to[2 * i + 1] = b != nullptr ? b[i] : 0;
  }
}

inline PanelFunctions functions() { return {lanes(), hn::MaxLanes(Float8()), most_vectors, multiply, join_lines}; }

}  // namespace panel_product
}  // namespace webnn::runtime::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
