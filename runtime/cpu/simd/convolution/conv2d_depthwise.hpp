// Arguments of the vector code of depthwise convolutions (conv2d_depthwise.cpp).
#pragma once

#include <cstddef>

namespace webnn::runtime::simd {

/// A strip: some pixels of one output row and some of their channels. Tensors are channels-last float32; distances are
/// in floats.
struct DepthwiseStrip {
  const float* x = nullptr;           // pixel 0 of the first input row that the windows see
  std::size_t rows = 0;               // window rows inside the input
  std::size_t row_step = 0;           // floats between input rows
  std::size_t width = 0;              // pixels of an input row
  std::size_t left = 0;               // padding, in pixels
  std::size_t first = 0, pixels = 0;  // pixels [first, first + pixels) of the output row
  std::size_t pixel_step = 0;         // floats between pixels, in input and output
  std::size_t channels = 0;           // channels to compute
  const float* weights = nullptr;     // of the first of `rows`, [rows][columns][lanes], for each vector of channels
  std::size_t vector_step = 0;        // floats from the weights of one vector to those of the next
  bool finite_weights = false;        // all weights are known to be finite, so products with zero are zero
  const float* bias = nullptr;        // [channels]; null: none
  float low = 0, high = 0;            // the output is clamped to [low, high]
  float* y = nullptr;                 // pixel 0 of the output row
};

/// The vector code for one instruction set.
struct DepthwiseFunctions {
  std::size_t lanes;   // channels of a vector
  std::size_t pixels;  // maximum number of pixels computed at once
  void (*convolve)(const DepthwiseStrip& strip);
};

}  // namespace webnn::runtime::simd
