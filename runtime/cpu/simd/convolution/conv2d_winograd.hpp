// Sizes and arguments of the vector code of Winograd convolutions (conv2d_winograd.cpp).
#pragma once

#include <cstddef>

namespace webnn::runtime::simd {

/// A tile of the output is 2x2 pixels, under a patch of 4x4 pixels of the input.
inline constexpr std::size_t winograd_tile = 2, winograd_patch = 4, winograd_elements = 16;

/// Tiles are numbered along columns, rows and images.
struct WinogradSizes {
  std::size_t images = 1, height = 1, width = 1, channels = 1;           // of the input, in pixels
  std::size_t output_height = 1, output_width = 1, output_channels = 1;  // of the output, in pixels
  std::size_t top = 0, left = 0;                                         // padding, in pixels

  std::size_t tile_rows() const { return (output_height + winograd_tile - 1) / winograd_tile; }
  std::size_t tile_columns() const { return (output_width + winograd_tile - 1) / winograd_tile; }
  std::size_t tiles() const { return images * tile_rows() * tile_columns(); }
};

/// One run on tiles [first, first + count). Their transformed patches are in `patches`: [elements][count][channels], with
/// `element_step` floats from one element to the next.
struct WinogradRun {
  WinogradSizes sizes;
  std::size_t first = 0, count = 0;
  const float* x = nullptr;        // input, channels-last
  const float* filters = nullptr;  // [panels][elements][channels][columns of a panel]
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
