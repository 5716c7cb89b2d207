// Arguments of the vector code of Winograd convolutions of bytes (quantized_winograd.cpp).
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/cpu/simd/convolution/winograd_tiles.hpp"

namespace webnn::runtime::simd {

/// One run on tiles [first, first + count). Their transformed patches are in `patches`: [elements][count][channels], with
/// `element_step` numbers from one element to the next.
struct ByteTiles {
  WinogradSizes sizes;
  std::size_t first = 0, count = 0;
  const std::uint8_t* x = nullptr;        // input, channels-last
  std::uint8_t flip_x = 0;                // XORed with each byte of the input, which makes it unsigned
  std::int16_t zero = 0;                  // the flipped byte that stands for 0
  const std::int16_t* filters = nullptr;  // [panels][elements][pairs of channels][columns of a panel][2]
  std::int16_t* patches = nullptr;
  std::size_t element_step = 0;
  const float *scale = nullptr, *offset = nullptr;  // of each output channel, for sums of transformed numbers
  std::uint8_t flip_y = 0;                          // see `ResultFactors`
  std::uint8_t* y = nullptr;                        // output, channels-last
};

/// The vector code for one instruction set.
struct ByteTilesFunctions {
  std::size_t columns = 0;  // output channels of a panel; input channels are a multiple of it, too
  std::size_t rows = 0;     // tiles multiplied at once
  /// Transforms the input patches of tiles [begin, end).
  void (*transform)(const ByteTiles& run, std::size_t begin, std::size_t end);
  /// Computes tiles [begin, end) for the output channels of panels [first_panel, last_panel).
  void (*multiply)(const ByteTiles& run, std::size_t begin, std::size_t end, std::size_t first_panel,
                   std::size_t last_panel);
};

}  // namespace webnn::runtime::simd
