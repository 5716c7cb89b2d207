// Arguments of the vector code of pointwise convolutions (conv2d_pointwise.cpp).
#pragma once

#include <cstddef>

namespace webnn::runtime::simd {

/// A panel: neighbouring output channels (columns) whose sums are computed together. The packed filter pads them to
/// whole vectors, or to half a vector: [depth][filled].
struct PointwisePanel {
  std::size_t column = 0, columns = 0;  // the first one, and their number
  std::size_t filled = 0;               // number including padding
};

/// A convolution as a matrix product; rows are pixels. y[row][column] = bias[column] + sum over k of x[row][k] *
/// filter[k][column], clamped.
struct PointwiseRun {
  std::size_t strip = 1;                   // rows that go through all panels together
  std::size_t depth = 1, columns = 1;      // channels of the input and of the output
  const PointwisePanel* panels = nullptr;  // [panel_count]
  std::size_t panel_count = 0;
  const float* x = nullptr;       // [rows][depth]
  const float* filter = nullptr;  // packed: one panel after another
  const float* bias = nullptr;    // [columns]; null: none
  float low = 0, high = 0;        // the output is clamped to [low, high]
  float* y = nullptr;             // [rows][columns]
};

/// The vector code for one instruction set.
struct PointwiseFunctions {
  std::size_t lanes;    // columns of a vector
  std::size_t half;     // columns of a panel of half a vector; `lanes` when vectors are not halved
  std::size_t vectors;  // maximum number of vectors of a panel
  std::size_t rows;     // a strip is a multiple of them
  void (*multiply)(const PointwiseRun& run, std::size_t begin, std::size_t end);  // rows [begin, end)
};

}  // namespace webnn::runtime::simd
