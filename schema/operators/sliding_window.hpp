// How a window slides over height and width: the attributes of pooling and convolutions in one form, whatever the
// layouts.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "schema/operators/operator_call.hpp"

namespace webnn::schema {

/// What one output position sees of the input along one axis; all 0 where it sees nothing.
struct WindowPart {
  std::int64_t first = 0;  // position in the input of the first tap inside it
  std::int64_t count = 0;  // taps inside it
  std::int64_t tap = 0;    // index of the first of them in the window
};

/// Along one axis: tap k at position p of the output meets position p * stride + k * dilation - begin of the input. In
/// a transposed convolution input and output change places.
struct SlidingWindow {
  std::int64_t input = 1, window = 1, output = 1;
  std::int64_t stride = 1, dilation = 1;
  std::int64_t begin = 0, end = 0;  // padding

  /// From the first tap to the last one. Window and dilation are below 2^32; where their product leaves 64 bits the
  /// result is so large that no input can hold the window, and small enough to be added to.
  std::int64_t extent() const {
    constexpr std::int64_t never_fits = std::int64_t{1} << 62;
    std::int64_t product = 0;
    if (__builtin_mul_overflow(window - 1, dilation, &product) || product > never_fits) return never_fits;
    return product + 1;
  }
  /// Not of transposed convolutions. Found anew for each position: a table of all of them may be larger than the
  /// output, and in the middle of the input nothing is divided.
  WindowPart part(std::int64_t position) const {
    const std::int64_t start = position * stride - begin;
    if (start >= 0 && extent() <= input - start) return {start, window, 0};
    return part_from(start);
  }
  /// Of any position, at most.
  std::int64_t most_taps() const { return std::min(window, (input - 1) / dilation + 1); }

 private:
  /// Of a window whose first tap is at `start` of the input.
  WindowPart part_from(std::int64_t start) const;
};

/// Height and width of a call of a pooling or a convolution. A window of one tap has the dilation 1. Without the shape
/// of the output, its sizes are 0.
std::array<SlidingWindow, 2> sliding_windows(const OperatorCall& call, const Shape& output = {});

/// Whether code that counts in 32 bits and may walk over padding one by one can be given these windows: no extent,
/// stride or padding is long beyond need, and a plane with its padding and all channels is smaller than 2^31 bytes. Of
/// a call on nchw tensors.
bool are_moderate(const std::array<SlidingWindow, 2>& windows, std::uint32_t channels);

}  // namespace webnn::schema
