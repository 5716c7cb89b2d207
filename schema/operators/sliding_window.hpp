// How a window slides over height and width: one representation of the attributes of pooling and convolutions,
// independent of the layouts.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "schema/operators/operator_call.hpp"

namespace webnn::schema {

/// The part of the input that one output position sees along one axis; all 0 if it sees none.
struct WindowPart {
  std::int64_t first = 0;  // input position of the first tap that is inside
  std::int64_t count = 0;  // number of taps inside
  std::int64_t tap = 0;    // index of the first of them within the window
};

/// One axis. Tap k at output position p reads input position p * stride + k * dilation - begin. In a transposed
/// convolution, input and output are exchanged.
struct SlidingWindow {
  std::int64_t input = 1, window = 1, output = 1;
  std::int64_t stride = 1, dilation = 1;
  std::int64_t begin = 0, end = 0;  // padding

  /// The number of elements from the first tap to the last one. Window and dilation are below 2^32. Where their product
  /// exceeds 64 bits, the result is so large that no input can hold the window, yet small enough to be added to.
  std::int64_t extent() const {
    constexpr std::int64_t never_fits = std::int64_t{1} << 62;
    std::int64_t product = 0;
    if (__builtin_mul_overflow(window - 1, dilation, &product) || product > never_fits) return never_fits;
    return product + 1;
  }
  /// Not for transposed convolutions. Computed for each position: a table of all positions might be larger than the
  /// output, and in the interior of the input no division is needed.
  WindowPart part(std::int64_t position) const {
    const std::int64_t start = position * stride - begin;
    if (start >= 0 && extent() <= input - start) return {start, window, 0};
    return part_from(start);
  }
  /// The maximum over all positions.
  std::int64_t most_taps() const { return std::min(window, (input - 1) / dilation + 1); }

 private:
  /// For a window whose first tap is at input position `start`.
  WindowPart part_from(std::int64_t start) const;
};

/// Height and width of a pooling or convolution call. A window with one tap gets the dilation 1. Without the output's
/// shape, the output sizes are 0.
std::array<SlidingWindow, 2> sliding_windows(const OperatorCall& call, const Shape& output = {});

/// Whether the windows suit code that counts in 32 bits and may walk over padding element by element: extents, strides
/// and padding are not needlessly large, and a plane with padding and all channels is smaller than 2^31 bytes. For a
/// call on nchw tensors.
bool are_moderate(const std::array<SlidingWindow, 2>& windows, std::uint32_t channels);

}  // namespace webnn::schema
