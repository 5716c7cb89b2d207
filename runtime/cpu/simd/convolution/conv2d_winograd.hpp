// Sizes and arguments of the vector code of Winograd convolutions (conv2d_winograd.cpp).
#pragma once

#include <cstddef>

#include "runtime/cpu/simd/convolution/winograd_tiles.hpp"

namespace webnn::runtime::simd {

/// One run on tiles [first, first + count). Their transformed patches are in `patches`: [elements][count][channels], with
/// `element_step` floats from one element to the next.
struct WinogradRun {
  WinogradSizes sizes;
  std::size_t first = 0, count = 0;
  const float* x = nullptr;        // input, channels-last
  const float* filters = nullptr;  // [panels][elements][channels][columns of a panel]; the last panel: see packing_of
  const float* bias = nullptr;     // [output_channels]
  const float* zeros = nullptr;    // [channels]
  float low = 0, high = 0;         // the output is clamped to [low, high]
  float* patches = nullptr;        // [elements][count][channels]
  std::size_t element_step = 0;
  float* y = nullptr;  // output, channels-last
};

/// The vector code for one instruction set.
struct WinogradFunctions {
  std::size_t columns;  // output channels of a panel
  std::size_t rows;     // tiles multiplied at once
  /// Transforms the input patches of tiles [begin, end).
  void (*transform)(const WinogradRun& run, std::size_t begin, std::size_t end);
  /// Computes tiles [begin, end) for the output channels of panels [first_panel, last_panel).
  void (*multiply)(const WinogradRun& run, std::size_t begin, std::size_t end, std::size_t first_panel,
                   std::size_t last_panel);
};

}  // namespace webnn::runtime::simd
