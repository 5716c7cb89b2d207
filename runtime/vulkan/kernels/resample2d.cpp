// resample2d: one invocation for each element of the result.
#include "runtime/vulkan/kernels/dispatch.hpp"
#include "runtime/vulkan/kernels/shapes.hpp"
#include "runtime/vulkan/shaders.hpp"

namespace webnn::runtime::vulkan {

Dispatches dispatch_resample2d(const KernelSpec& spec) {
  const SpecCall call(spec);
  const auto axes = call.u32_list("axes");
  const Shape &from = call.shape(0), &to = spec.outputs[0].shape;
  const std::size_t count = element_count(to);
  DispatchMaker maker(shaders::resample2d(),
                      {code(call.operand(0).type), call.text("mode") == "linear", axes[0], axes[1]},
                      DispatchMaker::large_group);
  maker.input(spec, 0).output(spec).word(count);
  for (unsigned axis = 0; axis < 4; ++axis) maker.word(to[axis]);
  for (unsigned axis = 0; axis < 4; ++axis) maker.word(from[axis]);
  return maker.over_units(count);
}

constexpr GpuKernel resample2d_list[] = {
    {.row = {.name = "resample2d", .op = "resample2d"}, .dispatches = dispatch_resample2d},
};
extern constexpr GpuKernels resample2d_kernels(resample2d_list);

}  // namespace webnn::runtime::vulkan
