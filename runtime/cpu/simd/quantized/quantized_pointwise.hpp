// Arguments of the vector code of pointwise convolutions of bytes (quantized_pointwise.cpp).
#pragma once

#include <cstddef>
#include <cstdint>

namespace webnn::runtime::simd {

/// Some pixels, and as many of their output channels as a vector has. Tensors are channels-last bytes, int8 or uint8.
struct BytePixels {
  static constexpr std::size_t together = 6;  // pixels whose sums are in registers at the same time

  const std::uint8_t* x = nullptr;  // input: [pixels][channels]
  std::size_t pixels = 0;
  std::size_t channels = 0;                         // of the input, a multiple of 4
  const std::uint8_t* weights = nullptr;            // int8: [channels / 4][lanes of the sums][4 channels]
  const std::int32_t* start = nullptr;              // for each lane, see `ByteFactors`
  const float *scale = nullptr, *offset = nullptr;  // for each lane, see `ByteFactors`
  std::uint8_t flip_x = 0, flip_y = 0;              // XORed with each byte of the input and of the result
  std::uint8_t* y = nullptr;                        // output pixel 0, first channel of the vector
  std::size_t y_step = 0;                           // bytes between output pixels
};

/// The vector code for vectors of 64 and 32 output channels.
struct BytePixelFunctions {
  using Convolve = void (*)(const BytePixels& work);
  Convolve full64, full32;
};

}  // namespace webnn::runtime::simd
