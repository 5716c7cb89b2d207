// The table of parameters of matrix products (shaders/products/matmul_table.glsl), as far as several kernels write it.
#pragma once

#include "runtime/vulkan/kernels/dispatch.hpp"
#include "runtime/vulkan/kernels/products/conditions.hpp"

namespace webnn::runtime::vulkan {

/// Where the operands' elements are.
struct MatrixStrides {
  std::uint64_t a_row, a_inner, b_inner, b_column;
};

inline void write_sizes(DispatchMaker& maker, const ProductSize& size, const MatrixStrides& strides) {
  maker.word(size.rows).word(size.inner).word(size.columns).word(size.batches);
  maker.word(strides.a_row).word(strides.a_inner).word(strides.b_inner).word(strides.b_column);
}

/// Behind the sizes: nothing is added to the product, and nothing multiplied with it.
inline void write_plain(DispatchMaker& maker) { maker.word(0).word(0).real(1).real(0); }

}  // namespace webnn::runtime::vulkan
