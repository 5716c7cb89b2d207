// Sizes of a transposed convolution whose windows do not overlap: every pixel of the input is spread over a window of
// its own.
#pragma once

#include <cstddef>

#include "schema/kernels/kernel_conditions.hpp"

namespace webnn::runtime::simd {

struct SpreadSizes {
  /// What simd_takes_conv_transpose admits: vector code keeps that many on the stack for each pixel of a block.
  static constexpr std::size_t most_channels = schema::spread_most_channels;
  static constexpr std::size_t most_results = schema::spread_most_results;

  std::size_t width = 1, channels = 1;  // of the input
  std::size_t window_height = 1;
  std::size_t row_results = 1;  // of a pixel in one row of its window: columns times output channels

  std::size_t results() const { return window_height * row_results; }
  std::size_t padded_results() const { return (results() + 3) / 4 * 4; }
  /// Weights are in groups of four results: for each channel the four.
  std::size_t weight_count() const { return padded_results() * channels; }
};

}  // namespace webnn::runtime::simd
