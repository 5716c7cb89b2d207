// Products of two matrices as their shaders see them, and the table of parameters that they share
// (shaders/products/matmul_table.glsl).
#pragma once

#include "runtime/strides.hpp"
#include "runtime/vulkan/kernels/dispatch.hpp"
#include "runtime/vulkan/kernels/products/conditions.hpp"
#include "runtime/vulkan/kernels/products/tiles.hpp"

namespace webnn::runtime::vulkan {

/// Where the elements of the operands and of the result are.
struct MatrixStrides {
  std::uint64_t a_row, a_inner, b_inner, b_column, y_row, y_column;
};

/// alpha * a b + beta * c for each batch; or what is left of it.
struct MatrixProduct {
  ProductSize size;
  MatrixStrides strides;
  std::uint32_t a = 0, b = 1;  // operands of the call
  bool has_c = false;          // operand 2
  std::uint64_t c_row = 0, c_column = 0;
  float alpha = 1, beta = 0;
  Shape batches{};  // none: there is one
  Strides a_batch{}, b_batch{};

  BlockLoad load_a() const { return block_load(strides.a_row, strides.a_inner, size.rows, size.inner); }
  BlockLoad load_b() const { return block_load(strides.b_column, strides.b_inner, size.columns, size.inner); }
};

/// Of a gemm or a matmul, or of a conv2d that has_few_columns.
MatrixProduct matrix_product(const KernelSpec& spec);
/// The same numbers as the product of the second matrix and the first, both transposed: its rows are the columns.
MatrixProduct mirrored(const MatrixProduct& product);

/// Writes the table up to the addresses of the operands and the result.
DispatchMaker begin_matrix_table(const KernelSpec& spec, const MatrixProduct& product, const ShaderCode& shader,
                                 std::uint32_t lanes);
void write_sizes(DispatchMaker& maker, const ProductSize& size, const MatrixStrides& strides);
/// What follows the part of the inner axis.
void end_matrix_table(DispatchMaker& maker, const KernelSpec& spec, const MatrixProduct& product);
/// The whole table of a product whose inner axis is shared out.
DispatchMaker split_table(const KernelSpec& spec, const MatrixProduct& product, const ShaderCode& shader,
                          std::uint32_t lanes, const TiledProduct& tiled, bool completes);

/// Behind the sizes: nothing is added to the product, and nothing multiplied with it.
inline void write_plain(DispatchMaker& maker) { maker.word(0).word(0).real(1).real(0); }

}  // namespace webnn::runtime::vulkan
