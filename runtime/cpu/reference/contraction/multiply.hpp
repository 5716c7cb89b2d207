// The matrix product used by gemm and matmul.
#pragma once

#include <algorithm>

#include "runtime/cpu/reference/reference.hpp"
#include "runtime/threads/parallel.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::reference {

struct MatrixSizes {
  std::size_t rows = 1;     // of the left matrix and the product
  std::size_t inner = 1;    // columns of the left matrix, rows of the right one
  std::size_t columns = 1;  // of the right matrix and the product
};

/// Calls store(row, column, sum) once for each element of the product of two row-major matrices, from several threads.
/// Terms are added in the order of the inner index.
template <typename Store>
void multiply(const MatrixSizes& sizes, const double* left, const double* right, Store&& store) {
  constexpr std::size_t block = 128;  // columns summed at a time: their part of the right matrix stays in the cache
  const std::size_t blocks = schema::div_up(sizes.columns, block);
  const std::size_t grain = 1 + 20'000 / (block * sizes.inner);
  parallel_for(blocks * sizes.rows, grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t task = begin; task < end; ++task) {
      const std::size_t row = task % sizes.rows;
      const std::size_t first = task / sizes.rows * block;
      const std::size_t count = std::min(block, sizes.columns - first);
      std::array<double, block> sums{};
      for (std::size_t k = 0; k < sizes.inner; ++k) {
        const double factor = left[row * sizes.inner + k];
        const double* terms = right + k * sizes.columns + first;
        for (std::size_t i = 0; i < count; ++i) sums[i] += factor * terms[i];
      }
      for (std::size_t i = 0; i < count; ++i) store(row, first + i, sums[i]);
    }
  });
}

}  // namespace webnn::runtime::reference
