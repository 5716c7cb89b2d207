// Sizes and arguments of pointwise convolutions (conv2d_pointwise.cpp).
#pragma once

#include <cstddef>

namespace webnn::runtime::simd {

/// Neighbouring output channels whose sums are computed together. In the packed filter they fill whole vectors, or half
/// a vector: [depth][columns with these].
struct PointwisePanel {
  std::size_t column = 0, columns = 0;  // the first one, and how many there are
  std::size_t filled = 0;               // columns with those that fill the last vector
};

/// y[row][column] = the sum of x[row][k] * filter[k][column] over all k, and the bias; rows are pixels.
struct PointwiseRun {
  std::size_t depth = 1, columns = 1;  // channels of the input and of the output
  const PointwisePanel* panels = nullptr;
  std::size_t panel_count = 0;
  const float* x = nullptr;
  const float* filter = nullptr;  // one panel after the other
  const float* bias = nullptr;    // null: none
  float low = 0, high = 0;        // the output is clamped to these
  float* y = nullptr;
};

/// The vector code for one instruction set.
struct PointwiseFunctions {
  std::size_t lanes;    // columns of a vector
  std::size_t half;     // columns of a panel that fills half a vector; `lanes` when vectors are not halved
  std::size_t vectors;  // of a panel, at most
  std::size_t rows;     // that share a reading of the panels
  void (*multiply)(const PointwiseRun& run, std::size_t begin, std::size_t end);  // rows [begin, end)
};

}  // namespace webnn::runtime::simd
