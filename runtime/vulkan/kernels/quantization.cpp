// quantizeLinear and dequantizeLinear: one invocation for each element, or for each byte of packed results.
#include "runtime/vulkan/kernels/dispatch.hpp"
#include "runtime/vulkan/kernels/shapes.hpp"
#include "runtime/vulkan/shaders.hpp"

namespace webnn::runtime::vulkan {

Dispatches dispatch_quantization(const KernelSpec& spec) {
  const bool quantize = spec.op == "quantizeLinear"_op;
  const Shape &shape = spec.inputs[0]->shape, &scale = spec.inputs[1]->shape;
  Shape block;  // number of elements along each axis that share one scale
  for (unsigned axis = 0; axis < shape.rank(); ++axis) block.push_back(shape[axis] / scale[axis]);
  const std::size_t count = element_count(shape);
  const DataType type = spec.inputs[2]->type;
  return DispatchMaker(shaders::quantization(), {code(type), code(spec.inputs[1]->type), quantize})
      .input(spec, 0)
      .input(spec, 1)
      .input(spec, 2)
      .output(spec)
      .word(count)
      .word(shape.rank())
      .shape(shape)
      .shape(block)
      .strides(row_major_strides(scale))
      .over(count);
}

constexpr GpuKernel quantization_list[] = {
    {.row = {.name = "quantizeLinear", .op = "quantizeLinear"}, .dispatches = dispatch_quantization},
    {.row = {.name = "dequantizeLinear", .op = "dequantizeLinear"}, .dispatches = dispatch_quantization},
};
extern constexpr GpuKernels quantization_kernels(quantization_list);

}  // namespace webnn::runtime::vulkan
