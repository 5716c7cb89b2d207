// Arguments of the vector code of depthwise convolutions of bytes (quantized_depthwise.cpp).
#pragma once

#include <cstddef>
#include <cstdint>

namespace webnn::runtime::simd {

/// One row of the output, and as many of its channels as a vector has; tensors are channels-last. Bytes of the input
/// and the output are int8 or uint8: what is computed with is unsigned and signed, so that one of the two is flipped by
/// its highest bit.
struct ByteRow {
  static constexpr std::size_t most_rows = 5;
  struct InputRow {
    const std::uint8_t* at = nullptr;  // column 0
    std::size_t step = 0;              // bytes between columns; 0: the row is padding, one vector of it
  };
  InputRow rows[most_rows]{};             // of the window
  std::size_t width = 0, left = 0;        // of the input's rows, and of the padding
  std::size_t pixels = 0;                 // of the output's row
  std::size_t pixel_step = 0;             // bytes between them
  std::size_t channels = 0;               // of the vector, when it is not full
  const std::uint8_t* weights = nullptr;  // int8, as `ByteWindow` says
  const std::int32_t* start = nullptr;    // of the lanes, as `ByteFactors` says
  const float *scale = nullptr, *offset = nullptr;
  std::uint8_t fill = 0;  // what the padding is, flipped
  std::uint8_t flip_x = 0, flip_y = 0;
  std::uint8_t* y = nullptr;  // pixel 0
};

/// How the weights of a vector of channels lie: [columns][groups of four rows][lanes of the sums][4 rows].
struct ByteWindow {
  std::size_t size = 3;  // rows and columns

  std::size_t groups() const { return (size + 3) / 4; }
  std::size_t bytes_of_lane() const { return size * groups() * 4; }
};

/// The vector code for one window and stride.
struct ByteWindowFunctions {
  using Convolve = void (*)(const ByteRow& row);
  Convolve full64, full32, part32;  // vectors of 64 and 32 channels, and of fewer than 32
};

}  // namespace webnn::runtime::simd
