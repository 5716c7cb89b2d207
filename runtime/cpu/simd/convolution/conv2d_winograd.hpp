// Sizes and arguments of the vector code of Winograd convolutions (conv2d_winograd.cpp).
#pragma once

#include <cstddef>

namespace webnn::runtime::simd {

/// The interpolation points of 4x4 tiles besides 0 and infinity are a, -a, b and -b. Of the small fractions these have
/// the smallest rounding errors; with the usual 1 and 2 the errors are twice as large.
inline constexpr float winograd_a = 0.75f, winograd_b = 1.5f;

/// The output is cut into tiles of `tile` x `tile` pixels, numbered along columns, rows and images.
struct WinogradSizes {
  std::size_t tile = 2;
  std::size_t images = 1, height = 1, width = 1, channels = 1;           // of the input, in pixels
  std::size_t output_height = 1, output_width = 1, output_channels = 1;  // of the output, in pixels
  std::size_t top = 0, left = 0;                                         // padding, in pixels

  /// The side of the input patch under a tile, and of a transformed filter.
  std::size_t patch() const { return tile + 2; }
  std::size_t elements() const { return patch() * patch(); }
  std::size_t tile_rows() const { return (output_height + tile - 1) / tile; }
  std::size_t tile_columns() const { return (output_width + tile - 1) / tile; }
  std::size_t tiles() const { return images * tile_rows() * tile_columns(); }
};

/// One run on tiles [first, first + count). Their transformed patches are in `patches`: [elements][count][channels].
struct WinogradRun {
  WinogradSizes sizes;
  std::size_t first = 0, count = 0;
  const float* x = nullptr;        // input, channels-last
  const float* filters = nullptr;  // [panels][elements][channels][columns of a panel]
  const float* bias = nullptr;     // [output_channels]
  const float* zeros = nullptr;    // [channels]
  float low = 0, high = 0;         // the output is clamped to [low, high]
  float* patches = nullptr;        // [elements][count][channels]
  float* y = nullptr;              // output, channels-last
};

/// The vector code for one instruction set and one tile size.
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
