// quantizeLinear and dequantizeLinear: one invocation for each element, or for each byte of packed results.
#include "runtime/vulkan/kernels/dispatch.hpp"
#include "runtime/vulkan/kernels/shapes.hpp"
#include "runtime/vulkan/shaders.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::vulkan {

Dispatches dispatch_quantization(const KernelSpec& spec) {
  const bool quantize = spec.op == "quantizeLinear"_op;
  const Shape &shape = spec.inputs[0]->shape, &scale = spec.inputs[1]->shape;
  Shape block;  // number of elements along each axis that share one scale
  for (unsigned axis = 0; axis < shape.rank(); ++axis) block.push_back(shape[axis] / scale[axis]);
  const std::size_t count = element_count(shape);
  const DataType type = spec.inputs[2]->type;
  // The shader walks over the result.
  const Layout layout = spec.output_layout(0);
  const auto strides = [&](std::size_t i) {
    return strides_in_memory(layout_strides(spec.inputs[i]->shape, spec.input_layout(i)), shape.rank(), layout);
  };
  const bool reorders = spec.input_layout(0) != layout && !layouts_coincide(shape);
  DispatchMaker maker(shaders::quantization(), {code(type), code(spec.inputs[1]->type), quantize, reorders},
                      DispatchMaker::large_group);
  maker.input(spec, 0).input(spec, 1).input(spec, 2).output(spec);
  maker.word(count).word(shape.rank());
  maker.shape(shape_in_memory(shape, layout)).shape(shape_in_memory(block, layout));
  maker.strides(strides(0)).strides(strides(1)).strides(strides(2));
  return maker.over_units(quantize && bits_of(type) < 8 ? div_up(count, 2) : count);
}

constexpr GpuKernel quantization_list[] = {
    {.row = {.name = "quantizeLinear", .op = "quantizeLinear", .layouts = LayoutRule::any},
     .dispatches = dispatch_quantization},
    {.row = {.name = "dequantizeLinear", .op = "dequantizeLinear", .layouts = LayoutRule::any},
     .dispatches = dispatch_quantization},
};
extern constexpr GpuKernels quantization_kernels(quantization_list);

}  // namespace webnn::runtime::vulkan
