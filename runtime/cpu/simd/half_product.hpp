// Sizes and arguments of products on float16 with few rows (half_product.cpp).
#pragma once

#include <cstddef>
#include <limits>

#include "schema/half.hpp"

namespace webnn::runtime::simd {

/// y[row][column] = alpha * the sum of a[row][k] * b[k][column] over all k + beta * c[row][column], kept in the limits.
struct HalfProduct {
  std::size_t rows = 1, depth = 1, columns = 1;
  const float* a = nullptr;              // [rows][depth]
  const schema::Half* panels = nullptr;  // b: [panels][depth][columns of a panel]
  const schema::Half* c = nullptr;       // may be null
  std::size_t c_row = 0, c_column = 0;   // strides of c; 0 repeats it, and neighbours in a row are 1 or 0 apart
  float alpha = 1, beta = 1;
  float low = -std::numeric_limits<float>::infinity(), high = std::numeric_limits<float>::infinity();
  schema::Half* y = nullptr;
};

}  // namespace webnn::runtime::simd
