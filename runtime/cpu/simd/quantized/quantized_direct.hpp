// Arguments of the vector code of convolutions of bytes with any window (quantized_direct.cpp).
#pragma once

#include <cstddef>
#include <cstdint>

namespace webnn::runtime::simd {

/// Neighbouring output channels whose sums are computed together, padded to whole vectors.
struct BytePanel {
  std::size_t first = 0, channels = 0;
  std::size_t lanes = 0;  // including padding
};

/// Some output pixels, all panels of them one after another. The input is int16: bytes less the zero point. A window is
/// `runs` runs of neighbouring elements, each of them at the same distance from the first one for all pixels.
struct ByteWindows {
  std::size_t pixels = 0;
  const std::int16_t* const* at = nullptr;  // [pixels] the first element that each window sees
  std::size_t runs = 1;
  const std::size_t* run_at = nullptr;  // [runs] where each begins, in elements behind the window's first
  std::size_t pairs = 1;                // elements of a run in pairs; if one is left over, its neighbour has weight 0
  const BytePanel* panels = nullptr;
  std::size_t panel_count = 0;
  const std::int8_t* weights = nullptr;             // of one panel after another: [runs][pairs][lanes][2]
  const float *scale = nullptr, *offset = nullptr;  // of each lane of these panels, see `ResultFactors`
  std::uint8_t flip_y = 0;                          // see `ResultFactors`
  std::uint8_t* y = nullptr;                        // [pixels][y_step]
  std::size_t y_step = 0;
};

/// The vector code for one instruction set.
struct ByteWindowsFunctions {
  std::size_t lanes = 0;    // of a vector of sums
  std::size_t vectors = 0;  // the most of a panel
  /// to[i] = (from[i] ^ flip) - zero, with unsigned bytes.
  void (*widen)(const std::uint8_t* from, std::uint8_t flip, std::int16_t zero, std::int16_t* to, std::size_t count);
  void (*convolve)(const ByteWindows& windows);
};

}  // namespace webnn::runtime::simd
