// Sizes of a transposed convolution whose windows do not overlap: every input pixel is spread over a window of its own.
#pragma once

#include <cstddef>

#include "schema/round_up.hpp"

namespace webnn::runtime::simd {

struct SpreadSizes {
  /// Limits of input channels, and of elements of a window over all output channels: for each pixel of a block, the
  /// vector code keeps this many numbers on the stack.
  static constexpr std::size_t most_channels = 256, most_results = 64;

  std::size_t width = 1, channels = 1;  // of the input: pixels of a row, and channels
  std::size_t window_height = 1;        // rows
  std::size_t row_results = 1;          // results of a pixel in one window row: window columns times output channels

  /// Results of one input pixel.
  std::size_t results() const { return window_height * row_results; }
  std::size_t padded_results() const { return schema::round_up(results(), 4); }
  /// Weights are stored in groups of four results: [groups][channels][4].
  std::size_t weight_count() const { return padded_results() * channels; }
};

}  // namespace webnn::runtime::simd
