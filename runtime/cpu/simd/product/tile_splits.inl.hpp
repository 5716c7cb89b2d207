// Splits float32 numbers into three parts of bfloat16 for products of tiles, line by line while other tiles are multiplied;
// for one instruction set. Included by tile_product.inl.hpp.
#include <cstddef>
#include <cstdint>
#include <hwy/highway.h>

#include "runtime/cpu/simd/product/panel_product.hpp"
#include "runtime/cpu/simd/product/tile_product.hpp"
#include "schema/round_up.hpp"

HWY_BEFORE_NAMESPACE();
namespace webnn::runtime::simd::HWY_NAMESPACE {
namespace tile_product {

namespace hn = hwy::HWY_NAMESPACE;

using Float = hn::FixedTag<float, 16>;
using V = hn::Vec<Float>;

/// A tile has 16 lines of 64 bytes: on the left 32 products of a row each, on the right 2 products of 16 columns each. A
/// step multiplies 32 products of each sum, of all three parts.
inline constexpr std::size_t lines = tile_rows, line_bytes = 64, tile_bytes = lines * line_bytes, parts = 3;
inline constexpr std::size_t step_bytes = parts * tile_bytes;
/// The sums of a tile, and of two by two.
inline constexpr std::size_t tile_sums = lines * tile_columns, block_sums = 4 * tile_sums;
inline constexpr float scale = 0x1p24f, inverse_scale = 0x1p-48f;

/// Splits 32 neighbouring numbers into a line of each part. The first part is rounded to nearest, so that the others have
/// either sign; they are cut off. A NaN of any kind stays NaN in the second part.
HWY_INLINE void split(V a, V b, std::uint8_t* HWY_RESTRICT to) {
  const Float d;
  const hn::RebindToUnsigned<Float> bits;
  const hn::Repartition<std::uint16_t, Float> halves;
  const auto upper = hn::Set(bits, 0xffff0000u), half = hn::Set(bits, 0x8000u);
  const auto cut = [&](auto of) HWY_ATTR { return hn::BitCast(d, hn::And(of, upper)); };
  const auto write = [&](V x, V y, std::size_t part) HWY_ATTR {
    const auto line = hn::ConcatOdd(halves, hn::BitCast(halves, y), hn::BitCast(halves, x));
    hn::Store(line, halves, reinterpret_cast<std::uint16_t*>(to + part * tile_bytes));
  };
  a = hn::Mul(a, hn::Set(d, scale));
  b = hn::Mul(b, hn::Set(d, scale));
  const V a0 = cut(hn::Add(hn::BitCast(bits, a), half)), b0 = cut(hn::Add(hn::BitCast(bits, b), half));
  write(a0, b0, 0);
  a = hn::Sub(a, a0);
  b = hn::Sub(b, b0);
  const V a1 = cut(hn::BitCast(bits, a)), b1 = cut(hn::BitCast(bits, b));
  write(a1, b1, 1);
  write(hn::Sub(a, a1), hn::Sub(b, b1), 2);
}

/// Products [begin, begin + count) of all sums.
struct Range {
  std::size_t begin, count;
  std::size_t steps() const { return schema::div_up(count, products_of_tile); }
};
/// Range `index` of `count` nearly equal ones that `whole` is divided into, in whole steps.
HWY_INLINE Range part_of(const Range& whole, std::size_t index, std::size_t count) {
  const auto bound = [&](std::size_t i) { return HWY_MIN(whole.steps() * i / count * products_of_tile, whole.count); };
  return {whole.begin + bound(index), bound(index + 1) - bound(index)};
}

/// Splits a block of the left side: the products of a range in up to two tiles of rows. Line by line, between the products
/// of another block: units for tiles and for vectors work at the same time.
class RowSplit {
 public:
  RowSplit() = default;
  /// `rows_of_tile` rows from `row` on and, if there are two tiles, as many behind them. Rows that the run does not have are
  /// zeros. A tile is [steps][parts][lines] and begins `tile_distance` bytes behind the one before.
  RowSplit(const PanelRun& run, const Range& range, std::size_t row, std::size_t tiles, std::size_t rows_of_tile,
           std::uint8_t* to, std::size_t tile_distance)
      : run_(&run),
        row_(row),
        rows_(tiles * rows_of_tile),
        rows_of_tile_(rows_of_tile),
        tile_distance_(tile_distance),
        tap_(range.begin / run.depth),
        at_(range.begin % run.depth),
        left_(range.count),
        to_(to) {}
  HWY_INLINE bool is_done() const { return left_ == 0; }
  HWY_INLINE void split_line() {
    const Float d;
    const std::size_t row = row_ + r_;
    const std::size_t second = r_ >= rows_of_tile_ ? 1 : 0;
    std::uint8_t* const to = to_ + second * tile_distance_ + (r_ - second * rows_of_tile_) * line_bytes;
    if (row >= run_->rows) {
      split(hn::Zero(d), hn::Zero(d), to);
    } else if (const std::size_t count = HWY_MIN(left_, products_of_tile); at_ + count > run_->depth) {
      split_mixed_line(row, count, to);
    } else if (const float* const from = address(tap_, row) + at_; count == products_of_tile) {
      split(hn::LoadU(d, from), hn::LoadU(d, from + 16), to);
    } else {
      split(hn::MaskedLoad(hn::FirstN(d, count), d, from),
            hn::MaskedLoad(hn::FirstN(d, count - HWY_MIN(count, 16)), d, from + 16), to);
    }
    if (++r_ == rows_) next_step();
  }
  void finish() {
    while (!is_done()) split_line();
  }

 private:
  HWY_INLINE const float* address(std::size_t tap, std::size_t row) const {
    return run_->address_step != 0 ? run_->addresses[tap * run_->address_step + row]
                                   : run_->addresses[0] + tap * run_->tap_step + row * run_->row_step;
  }
  /// A line with elements of several taps.
  HWY_NOINLINE void split_mixed_line(std::size_t row, std::size_t count, std::uint8_t* to) const {
    const Float d;
    HWY_ALIGN float elements[products_of_tile] = {};
    std::size_t tap = tap_, at = at_;
    for (std::size_t i = 0; i < count; ++tap, at = 0) {
      const float* const from = address(tap, row);
      for (; at < run_->depth && i < count; ++at) elements[i++] = from[at];
    }
    split(hn::Load(d, elements), hn::Load(d, elements + 16), to);
  }
  HWY_INLINE void next_step() {
    r_ = 0;
    to_ += step_bytes;
    left_ -= HWY_MIN(left_, products_of_tile);
    at_ += products_of_tile;
    while (at_ >= run_->depth && left_ != 0) {
      at_ -= run_->depth;
      ++tap_;
    }
  }

  const PanelRun* run_ = nullptr;
  std::size_t row_ = 0, rows_ = 0, rows_of_tile_ = 0, tile_distance_ = 0;
  std::size_t r_ = 0, tap_ = 0, at_ = 0, left_ = 0;
  std::uint8_t* to_ = nullptr;
};

/// Splits the products of a range in one or two panels in the same way, and fetches those of another range into the L2
/// cache. The tiles of a panel are [steps][parts][lines], those of a second panel follow.
class PanelSplit {
 public:
  PanelSplit() = default;
  /// `panel_floats` from one panel to the next, `ahead` to what is fetched.
  PanelSplit(const float* from, std::size_t panels, std::size_t panel_floats, const Range& range, std::size_t ahead,
             std::uint8_t* to)
      : from_(from),
        to_(to),
        ahead_(ahead),
        filled_(range.count / 2),
        lines_(range.steps() * lines),
        panels_(panels),
        skipped_(panel_floats - lines_ * floats_of_line) {}
  /// The lines that are left, of all panels.
  HWY_INLINE std::size_t size() const { return panels_ * lines_ - line_; }
  HWY_INLINE bool is_done() const { return panels_ == 0; }
  HWY_INLINE void split_line() {
    const Float d;
    if (line_ < filled_) {
      split(hn::LoadU(d, from_), hn::LoadU(d, from_ + 16), to_);
      const std::uintptr_t ahead = reinterpret_cast<std::uintptr_t>(from_) + ahead_ * sizeof(float);
      __builtin_prefetch(reinterpret_cast<const void*>(ahead), 0, 2);
      __builtin_prefetch(reinterpret_cast<const void*>(ahead + 64), 0, 2);
    } else {
      split(hn::Zero(d), hn::Zero(d), to_);
    }
    from_ += floats_of_line;
    to_ += line_bytes;
    if (++line_ % lines != 0) return;
    to_ += step_bytes - tile_bytes;
    if (line_ < lines_) return;
    line_ = 0;
    --panels_;
    from_ += skipped_;
  }
  void finish() {
    while (!is_done()) split_line();
  }

 private:
  static constexpr std::size_t floats_of_line = 2 * tile_columns;
  const float* from_ = nullptr;
  std::uint8_t* to_ = nullptr;
  std::size_t line_ = 0, ahead_ = 0, filled_ = 0, lines_ = 0, panels_ = 0, skipped_ = 0;
};

/// What is split while tiles are multiplied: so many lines after every few products.
struct Meanwhile {
  RowSplit rows;
  PanelSplit panels;
  std::size_t panel_lines = 0;  // at a time
  static constexpr std::size_t row_lines = 4;

  /// Never inlined: six copies of it in the loop over steps would not fit in the cache of decoded instructions.
  HWY_NOINLINE void go_on() {
    for (std::size_t i = 0; i < row_lines && !rows.is_done(); ++i) rows.split_line();
    for (std::size_t i = 0; i < panel_lines && !panels.is_done(); ++i) panels.split_line();
  }
};

}  // namespace tile_product
}  // namespace webnn::runtime::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
