// Sizes and arguments of Winograd's convolution (conv2d_winograd.cpp).
#pragma once

#include <cstddef>

namespace webnn::runtime::simd {

/// Points of the tile of 4x4 beside 0 and infinity: a, -a, b and -b. Of small fractions these round least; with the
/// usual 1 and 2 the errors are twice as large.
inline constexpr float winograd_a = 0.75f, winograd_b = 1.5f;

/// The output is cut into tiles of `tile` x `tile` pixels; tiles count over rows, columns and images.
struct WinogradSizes {
  std::size_t tile = 2;
  std::size_t images = 1, height = 1, width = 1, channels = 1;           // of the input
  std::size_t output_height = 1, output_width = 1, output_channels = 1;  // of the output
  std::size_t top = 0, left = 0;                                         // padding

  /// Rows and columns of the input under a tile, and of a transformed filter.
  std::size_t patch() const { return tile + 2; }
  std::size_t elements() const { return patch() * patch(); }
  std::size_t tile_rows() const { return (output_height + tile - 1) / tile; }
  std::size_t tile_columns() const { return (output_width + tile - 1) / tile; }
  std::size_t tiles() const { return images * tile_rows() * tile_columns(); }
};

/// One run on tiles [first, first + count), whose transformed patches are in `patches`: [elements][count][channels].
struct WinogradRun {
  WinogradSizes sizes;
  std::size_t first = 0, count = 0;
  const float* x = nullptr;        // channels-last
  const float* filters = nullptr;  // [panels][elements][channels][columns of a panel]
  const float* bias = nullptr;     // one for each output channel
  const float* zeros = nullptr;    // as many as the input has channels
  float low = 0, high = 0;         // the output is clamped to these
  float* patches = nullptr;
  float* y = nullptr;
};

/// The vector code for one instruction set and one tile.
struct WinogradFunctions {
  std::size_t columns;  // output channels of a panel
  std::size_t rows;     // tiles that are multiplied at once
  void (*transform)(const WinogradRun& run, std::size_t begin, std::size_t end);
  /// Of tiles [begin, end), the output channels of panels [first panel, last panel).
  void (*multiply)(const WinogradRun& run, std::size_t begin, std::size_t end, std::size_t first_panel,
                   std::size_t last_panel);
};

}  // namespace webnn::runtime::simd
