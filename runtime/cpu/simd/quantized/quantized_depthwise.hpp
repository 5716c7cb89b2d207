// Arguments of the vector code of depthwise convolutions of bytes (quantized_depthwise.cpp).
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/cpu/simd/quantized/byte_factors.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::simd {

/// One output row and as many of its channels as a vector has. Tensors are channels-last bytes, int8 or uint8. The
/// arithmetic takes uint8 input and gives int8 results, so the other type has its highest bit flipped.
struct ByteRow {
  static constexpr std::size_t most_rows = 5;
  struct InputRow {
    const std::uint8_t* at = nullptr;  // column 0 of the row, first channel
    std::size_t step = 0;              // bytes between columns; 0: the row is padding, and `at` is one vector of it
  };
  InputRow rows[most_rows]{};                       // the window's rows
  std::size_t width = 0, left = 0;                  // pixels of an input row; left padding in pixels
  std::size_t pixels = 0;                           // of the output row
  std::size_t pixel_step = 0;                       // bytes between output pixels
  std::size_t channels = 0;                         // used channels of the vector, if it is partial
  const std::uint8_t* weights = nullptr;            // in the order of `ByteWindow`
  const std::int32_t* start = nullptr;              // for each lane, see `ByteFactors`
  const float *scale = nullptr, *offset = nullptr;  // for each lane, see `ByteFactors`
  std::uint8_t fill = 0;                            // the flipped byte of the padding
  std::uint8_t flip_x = 0, flip_y = 0;              // XORed with each byte of the input and of the result
  std::uint8_t* y = nullptr;                        // output pixel 0, first channel
};

/// The order of the weights for a vector of channels: [columns][groups of rows][lanes of the sums][rows of a group].
/// The rows of a group, those of a product, are 4 bytes.
struct ByteWindow {
  std::size_t size = 3;           // rows and columns of the window
  std::size_t rows_of_group = 4;  // 4 int8 or 2 int16

  std::size_t groups() const { return schema::div_up(size, rows_of_group); }
  std::size_t bytes_of_lane() const { return size * groups() * 4; }
};

/// The vector code for one window size and stride.
struct ByteWindowFunctions {
  using Convolve = void (*)(const ByteRow& row);
  ByteBlockSizes blocks;
  std::size_t rows_of_group = 4;  // see `ByteWindow`
  Convolve wide, narrow, part;    // for whole blocks of either size, and for a partial one
};

}  // namespace webnn::runtime::simd
