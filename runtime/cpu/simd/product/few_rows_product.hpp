// Sizes and arguments of products with few rows (few_rows_product.cpp).
#pragma once

#include <cstddef>
#include <limits>

namespace webnn::runtime::simd {

/// y[row][column] = alpha * the sum of a[row][k] * b[k][column] over all k + beta * c[row][column], kept in the limits.
template <typename T>  // of the tensors: float or Half
struct FewRowsProduct {
  std::size_t rows = 1, depth = 1, columns = 1;
  const float* a = nullptr;             // [rows][depth]
  const T* panels = nullptr;            // b: [panels][depth][columns of a panel]
  const T* c = nullptr;                 // may be null
  std::size_t c_row = 0, c_column = 0;  // strides of c; 0 repeats it, and neighbours in a row are 1 or 0 apart
  float alpha = 1, beta = 1;
  float low = -std::numeric_limits<float>::infinity(), high = std::numeric_limits<float>::infinity();
  T* y = nullptr;
};

}  // namespace webnn::runtime::simd
