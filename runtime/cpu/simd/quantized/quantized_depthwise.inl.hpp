// Depthwise convolution of bytes for AVX-512 with VNNI; included by quantized_depthwise.cpp.
//
// The VNNI instruction adds four products to each sum. Here these are four rows of a window: the rows of an input
// column are interleaved, so that four bytes below each other become neighbours. A column is read and interleaved once
// for all windows that see it; each window keeps its sums in registers from its first column to its last.
#include <cstddef>
#include <cstdint>
#include <hwy/highway.h>
#include <utility>

// clang-format off
#include "runtime/cpu/simd/quantized/byte_products.inl.hpp"
// clang-format on
#include "runtime/cpu/simd/quantized/quantized_depthwise.hpp"

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
        flip_(hn::Set(tag(), row.flip_x)),
        mask_(hn::FirstN(tag(), row.channels)) {
    HWY_UNROLL(5)
    for (std::size_t i = 0; i < window; ++i) at_[i] = row.rows[i].at;
    if constexpr (keeps_weights) {
      HWY_UNROLL(12)
      for (std::size_t i = 0; i < window * 4; ++i) weights_[i] = hn::LoadU(tag(), row.weights + i * bytes);
    }
  }

  HWY_INLINE void run() {
    while (columns(std::make_index_sequence<cycle>())) {
    }
  }

 private:
  using Tag = ByteTag<bytes>;
  using Sums = SumVector<bytes>[4];
  static constexpr std::size_t groups = (window + 3) / 4;
  static constexpr std::size_t flight = (window + stride - 1) / stride;  // windows that see a column
  static constexpr std::size_t cycle = flight * stride;  // columns until the same window slot starts again
  static constexpr bool keeps_weights = window == 3;     // in registers

  static constexpr Tag tag() { return {}; }
  template <std::size_t... phase>
  HWY_INLINE bool columns(std::index_sequence<phase...>) {
    return (column<phase>() && ...);
  }

  /// Processes the next column; returns whether there is more to do.
  template <std::size_t phase>
  HWY_INLINE bool column() {
    ByteVector<bytes> seen[groups][4];
    if (column_ < row_.width) {
      read<0>(seen[0]);
      if constexpr (groups > 1) read<4>(seen[groups - 1]);
    } else {
      const auto fill = hn::Set(tag(), row_.fill);
      HWY_UNROLL(2)
      for (std::size_t group = 0; group < groups; ++group)
        seen[group][0] = seen[group][1] = seen[group][2] = seen[group][3] = fill;
    }
    ++column_;
    return add_to_windows<phase>(seen, std::make_index_sequence<flight>());
  }

  /// Reads the rows of the column from `first` on, interleaved.
  template <std::size_t first>
  HWY_INLINE void read(ByteVector<bytes> (&to)[4]) {
    const hn::Repartition<std::uint16_t, Tag> pairs;
    const auto row0 = read_row<first>(), row1 = read_row<first + 1>(), row2 = read_row<first + 2>(),
               row3 = read_row<first + 3>();
    const auto low01 = hn::BitCast(pairs, hn::InterleaveLower(tag(), row0, row1));
    const auto high01 = hn::BitCast(pairs, hn::InterleaveUpper(tag(), row0, row1));
    const auto low23 = hn::BitCast(pairs, hn::InterleaveLower(tag(), row2, row3));
    const auto high23 = hn::BitCast(pairs, hn::InterleaveUpper(tag(), row2, row3));
    to[0] = hn::BitCast(tag(), hn::InterleaveLower(pairs, low01, low23));
    to[1] = hn::BitCast(tag(), hn::InterleaveUpper(pairs, low01, low23));
    to[2] = hn::BitCast(tag(), hn::InterleaveLower(pairs, high01, high23));
    to[3] = hn::BitCast(tag(), hn::InterleaveUpper(pairs, high01, high23));
  }
  template <std::size_t i>
  HWY_INLINE ByteVector<bytes> read_row() {
    if constexpr (i >= window) {
      return hn::Zero(tag());  // its weights are zero
    } else {
      const std::uint8_t* const from = at_[i];
      at_[i] += row_.rows[i].step;
      if constexpr (what == Case::part) return hn::Xor(hn::MaskedLoad(mask_, tag(), from), flip_);
      return hn::Xor(hn::LoadU(tag(), from), flip_);
    }
  }

  template <std::size_t phase, std::size_t... slot>
  HWY_INLINE bool add_to_windows(const ByteVector<bytes> (&seen)[groups][4], std::index_sequence<slot...>) {
    return (add_to_window<slot, (phase + cycle - slot * stride) % cycle>(seen) && ...);
  }

  /// `tap` is the column's position in the window of this slot; with larger strides it may be behind the window.
  template <std::size_t slot, std::size_t tap>
  HWY_INLINE bool add_to_window(const ByteVector<bytes> (&seen)[groups][4]) {
    if constexpr (tap == 0) start(sums_[slot]);
    if constexpr (tap < window) {
      add<slot, tap, 0>(seen[0]);
      if constexpr (groups > 1) add<slot, tap, 1>(seen[groups - 1]);
    }
    if constexpr (tap != window - 1) return true;
    return finish(sums_[slot]);
  }
  HWY_INLINE void start(Sums& sums) const {
    HWY_UNROLL(4)
    for (std::size_t k = 0; k < 4; ++k) sums[k] = load_sums<bytes>(row_.start + k * bytes / 4);
  }
  template <std::size_t slot, std::size_t tap, std::size_t group>
  HWY_INLINE void add(const ByteVector<bytes> (&seen)[4]) {
    HWY_UNROLL(4)
    for (std::size_t k = 0; k < 4; ++k) {
      if constexpr (keeps_weights) {
        sums_[slot][k] = add_products(sums_[slot][k], seen[k], weights_[tap * 4 + k]);
      } else {
        const std::uint8_t* const weights = row_.weights + ((tap * groups + group) * 4 + k) * bytes;
        sums_[slot][k] = add_products(sums_[slot][k], seen[k], hn::LoadU(tag(), weights));
      }
    }
  }

  /// Finishes a window that has seen its last column. The first `flight - 1` windows began before the row did and are
  /// dropped.
  HWY_INLINE bool finish(const Sums& sums) {
    if (finished_ >= flight - 1) {
      const auto result =
          hn::Xor(hn::BitCast(tag(), to_bytes<bytes>(sums, row_.scale, row_.offset)), hn::Set(tag(), row_.flip_y));
      if constexpr (what == Case::part) {
        hn::BlendedStore(result, mask_, tag(), y_);
      } else {
        hn::StoreU(result, tag(), y_);
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
  ByteVector<bytes> flip_;
  hn::Mask<Tag> mask_;
  ByteVector<bytes> weights_[keeps_weights ? window * 4 : 1];
  Sums sums_[flight] = {};
};

template <std::size_t window, std::size_t stride, std::size_t bytes, Case what>
void convolve(const ByteRow& row) {
  RowConvolution<window, stride, bytes, what>(row).run();
}

template <std::size_t window, std::size_t stride>
constexpr ByteWindowFunctions all{convolve<window, stride, 64, Case::full>, convolve<window, stride, 32, Case::full>,
                                  convolve<window, stride, 32, Case::part>};

/// For 3x3 or 5x5 windows with a horizontal stride of 1 or 2.
inline ByteWindowFunctions functions(std::size_t window, std::size_t stride) {
  if (window == 3) return stride == 1 ? all<3, 1> : all<3, 2>;
  return stride == 1 ? all<5, 1> : all<5, 2>;
}

}  // namespace byte_depthwise
}  // namespace webnn::runtime::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
