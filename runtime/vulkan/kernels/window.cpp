// Windows on nchw: pooling and convolutions.
#include "runtime/vulkan/kernels/dispatch.hpp"
#include "runtime/vulkan/kernels/shapes.hpp"
#include "runtime/vulkan/shaders.hpp"
#include "schema/sliding_window.hpp"

namespace webnn::runtime::vulkan {
namespace {

constexpr OperatorId pools[] = {"averagePool2d"_op, "l2Pool2d"_op, "maxPool2d"_op};
constexpr Variants pool2d{shaders::pool2d_real, shaders::pool2d_signed, shaders::pool2d_unsigned};

/// The words height, width, result's, window's, strides, dilations, top, left.
void write_geometry(DispatchMaker& maker, const OperatorCall& call, const Shape& result) {
  const auto [y, x] = sliding_windows(call, result);
  for (const auto size : {&SlidingWindow::input, &SlidingWindow::output, &SlidingWindow::window, &SlidingWindow::stride,
                          &SlidingWindow::dilation, &SlidingWindow::begin})
    maker.word(std::uint64_t(y.*size)).word(std::uint64_t(x.*size));
}

std::uint64_t blocks(std::uint64_t count) { return (count + 3) / 4; }

/// The dispatch of a convolution but for its size.
DispatchMaker convolution(const KernelSpec& spec, const ShaderCode& shader, bool transposed) {
  const auto operands = spec.root_operands();
  const OperatorCall call(spec.op, operands, spec.attributes);
  const Shape& result = spec.outputs[0].shape;
  const std::uint32_t groups = call.u32("groups");
  const std::uint32_t group_inputs = call.shape(0)[1] / groups, group_outputs = result[1] / groups;
  DispatchMaker maker(shader, {code(call.operand(0).type), call.has_operand(2), transposed});
  maker.input(spec, 0).input(spec, 1);
  call.has_operand(2) ? maker.input(spec, 2) : maker.absent();
  maker.output(spec);
  maker.word(result[0]).word(groups).word(group_inputs).word(group_outputs);
  write_geometry(maker, call, result);
  maker.epilogue(spec);
  return maker;
}

/// An invocation computes four channels at four neighbouring columns.
Plan plan_convolution(const KernelSpec& spec, bool transposed) {
  const auto operands = spec.root_operands();
  const OperatorCall call(spec.op, operands, spec.attributes);
  const Shape& result = spec.outputs[0].shape;
  const std::uint32_t groups = call.u32("groups");
  return convolution(spec, shaders::conv2d(), transposed)
      .over(std::uint64_t(result[0]) * groups * blocks(result[1] / groups) * result[2] * blocks(result[3]));
}

}  // namespace

Plan plan_pool2d(const KernelSpec& spec) {
  const auto operands = spec.root_operands();
  const OperatorCall call(spec.op, operands, spec.attributes);
  const DataType type = call.operand(0).type;
  const std::size_t count = element_count(spec.outputs[0].shape);
  DispatchMaker maker(pool2d.of(type), {code(type), number_in(pools, spec.op)});
  maker.input(spec, 0).output(spec).word(count);
  write_geometry(maker, call, spec.outputs[0].shape);
  return maker.over(count);
}

Plan plan_conv2d(const KernelSpec& spec) { return plan_convolution(spec, false); }
Plan plan_conv_transpose2d(const KernelSpec& spec) { return plan_convolution(spec, true); }

namespace {

/// As a product of matrices for each group.
Plan plan_product(const KernelSpec& spec, const MatrixShader& shader) {
  const auto operands = spec.root_operands();
  const OperatorCall call(spec.op, operands, spec.attributes);
  const Shape& result = spec.outputs[0].shape;
  const std::uint32_t groups = call.u32("groups");
  DispatchMaker maker = convolution(spec, shader.code(), false);
  return shader.over(maker, result[1] / groups, std::uint64_t(result[0]) * result[2] * result[3], groups);
}

}  // namespace

/// An invocation computes eight elements side by side.
Plan plan_depthwise_conv2d(const KernelSpec& spec) {
  const Shape& y = spec.outputs[0].shape;
  return convolution(spec, shaders::depthwise_conv2d(), false)
      .over(std::uint64_t(y[0]) * y[1] * y[2] * ((std::uint64_t(y[3]) + 7) / 8));
}

Plan plan_tiled_conv2d(const KernelSpec& spec) { return plan_product(spec, {shaders::tiled_conv2d, 64, true}); }
Plan plan_cooperative_conv2d(const KernelSpec& spec) {
  return plan_product(spec, {shaders::cooperative_conv2d, 64, true, 4});
}

}  // namespace webnn::runtime::vulkan
