// Products of matrices.
#include "runtime/vulkan/kernels/plans.hpp"
#include "runtime/vulkan/kernels/shapes.hpp"
#include "runtime/vulkan/shaders.hpp"

namespace webnn::runtime::vulkan {
namespace {

std::uint64_t blocks(std::uint64_t count) { return (count + 3) / 4; }

/// How far apart the matrices of `shape` lie along the axes of `batches`, in elements.
Strides batch_strides(const Shape& shape, const Shape& batches) {
  Strides strides = broadcast_strides(Shape(shape.sizes().first(shape.rank() - 2)), batches);
  for (std::int64_t& stride : strides) stride *= std::int64_t(shape[shape.rank() - 2]) * shape[shape.rank() - 1];
  return strides;
}

}  // namespace

Plan plan_gemm(const KernelSpec& spec) {
  const auto operands = spec.root_operands();
  const OperatorCall call(spec.op, operands, spec.attributes);
  const bool a_transposed = call.boolean("aTranspose"), b_transposed = call.boolean("bTranspose");
  const Shape &a = call.shape(0), &b = call.shape(1), &y = spec.outputs[0].shape;
  const std::uint32_t inner = a[a_transposed ? 0 : 1];
  const bool has_c = call.has_operand(2);
  const Strides c = has_c ? broadcast_strides(call.shape(2), y) : Strides{};
  DispatchMaker maker(shaders::matmul(), {code(call.operand(0).type), has_c});
  maker.input(spec, 0).input(spec, 1);
  has_c ? maker.input(spec, 2) : maker.absent();
  maker.output(spec);
  maker.word(y[0]).word(inner).word(y[1]).word(1);
  maker.word(a_transposed ? 1 : a[1]).word(a_transposed ? a[1] : 1);
  maker.word(b_transposed ? 1 : b[1]).word(b_transposed ? b[1] : 1);
  maker.word(std::uint64_t(c[0])).word(std::uint64_t(c[1]));
  maker.real(parameter(call, "alpha")).real(parameter(call, "beta"));
  maker.word(0).shape({}).strides({}).strides({}).epilogue(spec);
  return maker.over(blocks(y[0]) * blocks(y[1]));
}

Plan plan_matmul(const KernelSpec& spec) {
  const Shape &a = spec.inputs[0]->shape, &b = spec.inputs[1]->shape, &y = spec.outputs[0].shape;
  const std::uint32_t rows = y[y.rank() - 2], columns = y[y.rank() - 1], inner = a[a.rank() - 1];
  const Shape batches(y.sizes().first(y.rank() - 2));
  const std::size_t count = element_count(batches);
  DispatchMaker maker(shaders::matmul(), {code(spec.inputs[0]->type), false});
  maker.input(spec, 0).input(spec, 1).absent().output(spec);
  maker.word(rows).word(inner).word(columns).word(count);
  maker.word(inner).word(1).word(columns).word(1).word(0).word(0).real(1).real(0);
  maker.word(batches.rank()).shape(batches).strides(batch_strides(a, batches)).strides(batch_strides(b, batches));
  maker.epilogue(spec);
  return maker.over(blocks(rows) * blocks(columns) * count);
}

}  // namespace webnn::runtime::vulkan
