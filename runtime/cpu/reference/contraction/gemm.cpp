// gemm: alpha * A * B + beta * C, where A and B may be transposed and C broadcasts to the product.
#include "runtime/cpu/reference/contraction/multiply.hpp"
#include "runtime/cpu/reference/unpack.hpp"
#include "runtime/kernel.hpp"

namespace webnn::runtime::reference {
namespace {

/// The matrix, or its transpose, as a shape and strides.
std::pair<Shape, Strides> matrix(const Shape& shape, bool transposed) {
  const Strides strides = row_major_strides(shape);
  if (!transposed) return {shape, strides};
  return {Shape{shape[1], shape[0]}, Strides{strides[1], strides[0]}};
}

template <typename T>
Kernel typed_gemm(const KernelSpec& spec, const OperatorCall& call) {
  const auto [a_shape, a_strides] = matrix(call.shape(0), call.boolean("aTranspose"));
  const auto [b_shape, b_strides] = matrix(call.shape(1), call.boolean("bTranspose"));
  const bool has_c = call.has_operand(2);
  const Strides c_strides = has_c ? broadcast_strides(call.shape(2), spec.outputs[0].shape) : Strides{};
  const double alpha = parameter<T>(call.real("alpha"));
  const double beta = parameter<T>(call.real("beta"));
  const MatrixSizes sizes{a_shape[0], a_shape[1], b_shape[1]};

  DoubleArrays scratch;
  const auto a = scratch.add(sizes.rows * sizes.inner);
  const auto b = scratch.add(sizes.inner * sizes.columns);
  const auto run = [=, a_shape = a_shape, a_strides = a_strides, b_shape = b_shape,
                    b_strides = b_strides](const KernelArguments& arguments) {
    unpack(input<T>(arguments, 0), a_shape, a_strides, a.in(arguments));
    unpack(input<T>(arguments, 1), b_shape, b_strides, b.in(arguments));
    const T* c = has_c ? input<T>(arguments, 2) : nullptr;
    T* result = output<T>(arguments);
    multiply(sizes, a.in(arguments), b.in(arguments), [&](std::size_t row, std::size_t column, double product) {
      double sum = alpha * product;
      if (c) sum += beta * load(c[std::int64_t(row) * c_strides[0] + std::int64_t(column) * c_strides[1]]);
      result[row * sizes.columns + column] = store<T>(sum);
    });
  };
  return {run, scratch.bytes()};
}

}  // namespace

Kernel prepare_gemm(const KernelSpec& spec, Constants) {
  const SpecCall call(spec);
  return dispatch(FloatTypes{}, call.operand(0).type, [&]<typename T>() { return typed_gemm<T>(spec, call); });
}

constexpr CpuKernel gemm_list[] = {
    {.row = {.name = "gemm", .op = "gemm"}, .prepare = prepare_gemm},
};
extern constexpr CpuKernels gemm_kernels(gemm_list);

}  // namespace webnn::runtime::reference
