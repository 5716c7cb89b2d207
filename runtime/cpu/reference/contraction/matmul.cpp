// matmul: matrix products over the last two axes; the leading axes broadcast.
#include "runtime/cpu/reference/contraction/multiply.hpp"
#include "runtime/cpu/reference/unpack.hpp"
#include "runtime/kernel.hpp"

namespace webnn::runtime::reference {
namespace {

template <typename T>
Kernel typed_matmul(const KernelSpec& spec, const OperatorCall& call) {
  const Shape& a_shape = call.shape(0);
  const Shape& b_shape = call.shape(1);
  const Shape& y_shape = spec.outputs[0].shape;
  const Shape batches(y_shape.sizes().first(y_shape.rank() - 2));
  const std::array strides{matrix_strides(a_shape, batches), matrix_strides(b_shape, batches)};
  const MatrixSizes sizes{a_shape[a_shape.rank() - 2], a_shape[a_shape.rank() - 1], b_shape[b_shape.rank() - 1]};

  DoubleArrays scratch;
  const auto a = scratch.add(sizes.rows * sizes.inner);
  const auto b = scratch.add(sizes.inner * sizes.columns);
  const auto run = [=](const KernelArguments& arguments) {
    T* result = output<T>(arguments);
    for_each_offset(batches, strides, [&](const auto& offsets) {
      unpack(input<T>(arguments, 0) + offsets[0], sizes.rows * sizes.inner, a.in(arguments));
      unpack(input<T>(arguments, 1) + offsets[1], sizes.inner * sizes.columns, b.in(arguments));
      multiply(sizes, a.in(arguments), b.in(arguments), [&](std::size_t row, std::size_t column, double product) {
        result[row * sizes.columns + column] = store<T>(product);
      });
      result += sizes.rows * sizes.columns;
    });
  };
  return {run, scratch.bytes()};
}

}  // namespace

Kernel prepare_matmul(const KernelSpec& spec, Constants) {
  const SpecCall call(spec);
  return dispatch(FloatTypes{}, call.operand(0).type, [&]<typename T>() { return typed_matmul<T>(spec, call); });
}

constexpr CpuKernel matmul_list[] = {
    {.row = {.name = "matmul", .op = "matmul"}, .prepare = prepare_matmul},
};
extern constexpr CpuKernels matmul_kernels(matmul_list);

}  // namespace webnn::runtime::reference
