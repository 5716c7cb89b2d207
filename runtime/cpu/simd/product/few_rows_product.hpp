// Arguments of the vector code of products with few rows (few_rows_product.cpp).
#pragma once

#include <cstddef>
#include <limits>

namespace webnn::runtime::simd {

/// y[row][column] = alpha * (sum over k of a[row][k] * b[k][column]) + beta * c[row][column], clamped to [low, high].
template <typename T>  // tensor type: float or Half
struct FewRowsProduct {
  std::size_t rows = 1, depth = 1, columns = 1;
  const float* a = nullptr;             // [rows][depth]
  const T* panels = nullptr;            // b, packed: [panels][depth][columns of a panel]
  const T* c = nullptr;                 // null: none
  std::size_t c_row = 0, c_column = 0;  // strides of c in elements; 0 repeats it; c_column is 1 or 0
  float alpha = 1, beta = 1;
  float low = -std::numeric_limits<float>::infinity(), high = std::numeric_limits<float>::infinity();
  T* y = nullptr;  // [rows][columns]
};

}  // namespace webnn::runtime::simd
