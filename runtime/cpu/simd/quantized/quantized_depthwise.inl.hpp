// Depthwise convolution of bytes, for one instruction set; included by quantized_depthwise.cpp.
//
// A product adds some rows of a window to each sum: four with VNNI, two where bytes become 16-bit integers. The rows of
// an input column are interleaved, so that bytes below each other become neighbours. A column is read and interleaved
// once for all windows that see it; each window keeps its sums in registers from its first column to its last.
#include <cstddef>
#include <cstdint>
#include <hwy/highway.h>
#include <utility>

// clang-format off
#if HWY_TARGET == HWY_AVX2
#include "runtime/cpu/simd/quantized/pair_products.inl.hpp"
#else
#include "runtime/cpu/simd/quantized/byte_products.inl.hpp"
#endif
// clang-format on
#include "runtime/cpu/simd/quantized/quantized_depthwise.hpp"
#include "schema/round_up.hpp"

HWY_BEFORE_NAMESPACE();
namespace webnn::runtime::simd::HWY_NAMESPACE {
namespace byte_depthwise {

/// What a row requires of the code.
enum class Case {
  full,  // whole vectors
  part,  // a partial vector
};

template <std::size_t window, std::size_t stride, std::size_t bytes, Case what>
class RowConvolution {
 public:
  HWY_INLINE explicit RowConvolution(const ByteRow& row)
      : row_(row),
        column_(0 - row.left),
        y_(row.y),
        flip_(Products::flip(row.flip_x)),
        part_(Products::part(row.channels)) {
    HWY_UNROLL(5)
    for (std::size_t i = 0; i < window; ++i) at_[i] = row.rows[i].at;
    if constexpr (keeps_weights) {
      HWY_UNROLL(12)
      for (std::size_t i = 0; i < weight_vectors; ++i) weights_[i] = Products::weights(row.weights, i);
    }
  }

  HWY_INLINE void run() {
    while (columns(std::make_index_sequence<cycle>())) {
    }
  }

 private:
  using Products = WindowProducts<bytes>;
  using Sums = typename Products::Sums[Products::vectors];
  using Seen = typename Products::Operand[Products::vectors];
  static constexpr std::size_t vectors = Products::vectors;
  static constexpr std::size_t groups = schema::div_up(window, Products::rows);
  static constexpr std::size_t weight_vectors = window * groups * vectors;
  static constexpr std::size_t flight = schema::div_up(window, stride);  // windows that see a column
  static constexpr std::size_t cycle = flight * stride;  // columns until the same window slot starts again
  static constexpr bool keeps_weights = weight_vectors <= Products::kept_weights;  // in registers

  template <std::size_t... phase>
  HWY_INLINE bool columns(std::index_sequence<phase...>) {
    return (column<phase>() && ...);
  }

  /// Processes the next column; returns whether there is more to do.
  template <std::size_t phase>
  HWY_INLINE bool column() {
    Seen seen[groups];
    if (column_ < row_.width) {
      read_groups(seen, std::make_index_sequence<groups>());
    } else {
      const auto fill = Products::fill(row_.fill);
      HWY_UNROLL(3)
      for (std::size_t group = 0; group < groups; ++group) {
        HWY_UNROLL(4)
        for (std::size_t k = 0; k < vectors; ++k) seen[group][k] = fill;
      }
    }
    ++column_;
    return add_to_windows<phase>(seen, std::make_index_sequence<flight>());
  }

  /// Reads the rows of the column, interleaved.
  template <std::size_t... group>
  HWY_INLINE void read_groups(Seen (&to)[groups], std::index_sequence<group...>) {
    (read<group * Products::rows>(to[group], std::make_index_sequence<Products::rows>()), ...);
  }
  template <std::size_t first, std::size_t... row>
  HWY_INLINE void read(Seen& to, std::index_sequence<row...>) {
    const typename Products::Row rows[] = {read_row<first + row>()...};
    Products::interleave(rows, to);
  }
  template <std::size_t i>
  HWY_INLINE typename Products::Row read_row() {
    if constexpr (i >= window) {
      return Products::zero_row();  // its weights are zero
    } else {
      const std::uint8_t* const from = at_[i];
      at_[i] += row_.rows[i].step;
      if constexpr (what == Case::part) return Products::load_part(from, flip_, part_);
      return Products::load(from, flip_);
    }
  }

  template <std::size_t phase, std::size_t... slot>
  HWY_INLINE bool add_to_windows(const Seen (&seen)[groups], std::index_sequence<slot...>) {
    return (add_to_window<slot, (phase + cycle - slot * stride) % cycle>(seen) && ...);
  }

  /// `tap` is the column's position in the window of this slot; with larger strides it may be behind the window.
  template <std::size_t slot, std::size_t tap>
  HWY_INLINE bool add_to_window(const Seen (&seen)[groups]) {
    if constexpr (tap == 0) start(sums_[slot]);
    if constexpr (tap < window) {
      HWY_UNROLL(3)
      for (std::size_t group = 0; group < groups; ++group) add<slot, tap>(group, seen[group]);
    }
    if constexpr (tap != window - 1) return true;
    return finish(sums_[slot]);
  }
  HWY_INLINE void start(Sums& sums) const {
    HWY_UNROLL(4)
    for (std::size_t k = 0; k < vectors; ++k) sums[k] = Products::start(row_.start, k);
  }
  template <std::size_t slot, std::size_t tap>
  HWY_INLINE void add(std::size_t group, const Seen& seen) {
    HWY_UNROLL(4)
    for (std::size_t k = 0; k < vectors; ++k) {
      const std::size_t index = (tap * groups + group) * vectors + k;
      if constexpr (keeps_weights) {
        sums_[slot][k] = Products::add(sums_[slot][k], seen[k], weights_[index]);
      } else {
        sums_[slot][k] = Products::add(sums_[slot][k], seen[k], Products::weights(row_.weights, index));
      }
    }
  }

  /// Finishes a window that has seen its last column. The first `flight - 1` windows began before the row did and are
  /// dropped.
  HWY_INLINE bool finish(const Sums& sums) {
    if (finished_ >= flight - 1) {
      const auto results = Products::results(sums, row_.scale, row_.offset, row_.flip_y);
      if constexpr (what == Case::part) {
        Products::store_part(results, y_, part_);
      } else {
        Products::store(results, y_);
      }
      y_ += row_.pixel_step;
    }
    return ++finished_ < row_.pixels + flight - 1;
  }

  const ByteRow& row_;
  const std::uint8_t* at_[window];
  std::size_t column_;
  std::size_t finished_ = 0;
  std::uint8_t* y_;
  typename Products::Flip flip_;
  typename Products::Part part_;
  typename Products::Operand weights_[keeps_weights ? weight_vectors : 1];
  Sums sums_[flight] = {};
};

template <std::size_t window, std::size_t stride, std::size_t bytes, Case what>
void convolve(const ByteRow& row) {
  RowConvolution<window, stride, bytes, what>(row).run();
}

template <std::size_t window, std::size_t stride>
constexpr ByteWindowFunctions all{{wide_block, narrow_block, WindowProducts<wide_block>::vectors},
                                  WindowProducts<wide_block>::rows,
                                  convolve<window, stride, wide_block, Case::full>,
                                  convolve<window, stride, narrow_block, Case::full>,
                                  convolve<window, stride, narrow_block, Case::part>};

/// For 3x3 or 5x5 windows with a horizontal stride of 1 or 2.
inline ByteWindowFunctions functions(std::size_t window, std::size_t stride) {
  if (window == 3) return stride == 1 ? all<3, 1> : all<3, 2>;
  return stride == 1 ? all<5, 1> : all<5, 2>;
}

}  // namespace byte_depthwise
}  // namespace webnn::runtime::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
