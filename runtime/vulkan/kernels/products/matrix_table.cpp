#include "runtime/vulkan/kernels/products/matrix_table.hpp"

#include <utility>

#include "runtime/vulkan/kernels/shapes.hpp"

namespace webnn::runtime::vulkan {
namespace {

MatrixProduct of_gemm(const KernelSpec& spec) {
  const SpecCall call(spec);
  const bool a_transposed = call.boolean("aTranspose"), b_transposed = call.boolean("bTranspose");
  const std::uint64_t a = call.shape(0)[1], b = call.shape(1)[1];
  MatrixProduct product{.size = product_size(spec), .strides{}};
  product.strides = {a_transposed ? 1 : a, a_transposed ? a : 1, b_transposed ? 1 : b,
                     b_transposed ? b : 1, product.size.columns, 1};
  product.has_c = call.has_operand(2);
  if (product.has_c) {
    const Strides c = broadcast_strides(call.shape(2), spec.outputs[0].shape);
    product.c_row = std::uint64_t(c[0]);
    product.c_column = std::uint64_t(c[1]);
  }
  product.alpha = parameter(call, "alpha");
  product.beta = parameter(call, "beta");
  return product;
}

MatrixProduct of_matmul(const KernelSpec& spec) {
  const ProductSize size = product_size(spec);
  MatrixProduct product{.size = size, .strides = {size.inner, 1, size.columns, 1, size.columns, 1}};
  if (size.batches == 1) return product;
  const Shape& y = spec.outputs[0].shape;
  product.batches = Shape(y.sizes().first(y.rank() - 2));
  product.a_batch = matrix_strides(spec.inputs[0]->shape, product.batches);
  product.b_batch = matrix_strides(spec.inputs[1]->shape, product.batches);
  return product;
}

/// The filters times the positions: of one image as columns that are adjacent, of several images with one position each
/// as columns below each other.
MatrixProduct of_convolution(const KernelSpec& spec) {
  const ProductSize size = product_size(spec);
  const bool one_image = spec.outputs[0].shape[0] == 1;
  MatrixProduct product{.size = size, .strides{}, .a = 1, .b = 0};
  product.strides = {size.inner,
                     1,
                     one_image ? size.columns : 1,
                     one_image ? 1 : size.inner,
                     one_image ? size.columns : 1,
                     one_image ? 1 : size.rows};
  product.has_c = SpecCall(spec).has_operand(2);
  product.c_row = 1;
  product.beta = 1;
  return product;
}

}  // namespace

MatrixProduct matrix_product(const KernelSpec& spec) {
  if (spec.op == "gemm"_op) return of_gemm(spec);
  return spec.op == "matmul"_op ? of_matmul(spec) : of_convolution(spec);
}

MatrixProduct mirrored(const MatrixProduct& product) {
  MatrixProduct mirror = product;
  std::swap(mirror.size.rows, mirror.size.columns);
  const MatrixStrides& own = product.strides;
  mirror.strides = {own.b_column, own.b_inner, own.a_inner, own.a_row, own.y_column, own.y_row};
  std::swap(mirror.a, mirror.b);
  std::swap(mirror.c_row, mirror.c_column);
  std::swap(mirror.a_batch, mirror.b_batch);
  return mirror;
}

DispatchMaker begin_matrix_table(const KernelSpec& spec, const MatrixProduct& product, const ShaderCode& shader,
                                 std::uint32_t lanes) {
  DispatchMaker maker(shader, {code(spec.inputs[0]->type), product.has_c}, lanes);
  maker.input(spec, product.a).input(spec, product.b);
  product.has_c ? maker.input(spec, 2) : maker.absent();
  maker.output(spec);
  return maker;
}

void write_sizes(DispatchMaker& maker, const ProductSize& size, const MatrixStrides& strides) {
  maker.word(size.rows).word(size.inner).word(size.columns).word(size.batches);
  maker.word(strides.a_row).word(strides.a_inner).word(strides.b_inner).word(strides.b_column);
  maker.word(strides.y_row).word(strides.y_column);
}

void end_matrix_table(DispatchMaker& maker, const KernelSpec& spec, const MatrixProduct& product) {
  write_sizes(maker, product.size, product.strides);
  maker.word(product.c_row).word(product.c_column).real(product.alpha).real(product.beta);
  const Shape& batches = product.batches;
  maker.word(batches.rank()).shape(batches).strides(product.a_batch).strides(product.b_batch);
  maker.epilogue(spec);
}

DispatchMaker split_table(const KernelSpec& spec, const MatrixProduct& product, const ShaderCode& shader,
                          std::uint32_t lanes, const TiledProduct& tiled, bool completes) {
  DispatchMaker maker = begin_matrix_table(spec, product, shader, lanes);
  tiled.sums(maker, completes);
  maker.word(0).word(tiled.part);
  end_matrix_table(maker, spec, product);
  return maker;
}

}  // namespace webnn::runtime::vulkan
