// Arguments of the vector code of depthwise convolutions (conv2d_depthwise.cpp).
#pragma once

#include <cstddef>

namespace webnn::runtime::simd {

/// Some pixels of one row of the output, and some of their channels; tensors are channels-last.
struct DepthwiseStrip {
  const float* x = nullptr;           // of pixel 0 of the first row of the input that the windows see
  std::size_t rows = 0;               // of the window that lie in the input
  std::size_t row_step = 0;           // floats between them
  std::size_t width = 0;              // pixels of the input's rows
  std::size_t left = 0;               // padding
  std::size_t first = 0, pixels = 0;  // pixels of the output's row
  std::size_t pixel_step = 0;         // floats between pixels, of input and output
  std::size_t channels = 0;
  const float* weights = nullptr;  // of the first of `rows`: [rows][columns][lanes]
  std::size_t vector_step = 0;     // floats between the weights of neighbouring vectors
  bool finite_weights = false;     // all of them, as far as is known: products with zeros are zero
  const float* bias = nullptr;     // null: none
  float low = 0, high = 0;         // the output is clamped to these
  float* y = nullptr;              // of pixel 0 of the row of the output
};

/// The vector code for one instruction set.
struct DepthwiseFunctions {
  std::size_t lanes;   // channels of a vector
  std::size_t pixels;  // that are computed at once, at most
  void (*convolve)(const DepthwiseStrip& strip);
};

}  // namespace webnn::runtime::simd
