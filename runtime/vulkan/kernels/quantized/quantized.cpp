// Operators on quantised tensors besides convolutions: an invocation computes four elements.
#include "runtime/kernel_conditions.hpp"
#include "runtime/vulkan/kernels/products/conditions.hpp"
#include "runtime/vulkan/kernels/shapes.hpp"
#include "runtime/vulkan/shaders.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::vulkan {
namespace {

std::uint64_t fours(std::uint64_t count) { return div_up(count, 4); }

DispatchMaker& write_zero_point(DispatchMaker& maker, const SpecCall& call, const std::string& name) {
  return maker.word(std::uint32_t(call.i32(name + "ZeroPoint")));
}

Dispatches add_quantized(const KernelSpec& spec) {
  const SpecCall call(spec);
  const std::uint64_t count = element_count(spec.outputs[0].shape);
  DispatchMaker maker(shaders::quantized_add(),
                      {code(call.operand(0).type), code(call.operand(1).type), code(spec.outputs[0].type)});
  maker.input(spec, 0).input(spec, 1).output(spec).word(count);
  for (const char* name : {"a", "b", "output"}) write_zero_point(maker, call, name);
  for (const char* name : {"aScale", "bScale", "outputScale"}) maker.real(call.real(name));
  return maker.over(fours(count));
}

bool has_narrow_positions(const KernelSpec& spec) { return spec.outputs.empty() || positions_are_narrow(spec); }

Dispatches average_quantized(const KernelSpec& spec) {
  const SpecCall call(spec);
  const Shape& result = spec.outputs[0].shape;
  DispatchMaker maker(shaders::quantized_average_pool2d(),
                      {code(call.operand(0).type), code(spec.outputs[0].type), result[1] % 4 == 0});
  maker.input(spec, 0).output(spec).word(result[0]).word(result[1]);
  write_geometry(maker, call, result);
  for (const char* name : {"input", "output"}) write_zero_point(maker, call, name);
  maker.real(call.real("inputScale")).real(call.real("outputScale"));
  const auto window = call.u32_list("windowDimensions");
  return maker.turns(window[0] * (1 + std::uint64_t(window[1])))
      .over(std::uint64_t(result[0]) * result[2] * result[3] * fours(result[1]));
}

Dispatches look_up_bytes(const KernelSpec& spec) {
  const std::uint64_t count = element_count(spec.outputs[0].shape);
  return DispatchMaker(shaders::byte_table(), {})
      .input(spec, 0)
      .input(spec, 1)
      .output(spec)
      .word(count)
      .over(fours(count));
}

}  // namespace

constexpr GpuKernel quantized_list[] = {
    {.row = {.name = "quantizedAdd",
             .op = "@quantizedAdd",
             .features = Feature::memory_8bit,
             .in_place = 0b11,
             .layouts = LayoutRule::uniform},
     .dispatches = add_quantized},
    {.row = {.name = "quantizedAveragePool2d",
             .op = "@quantizedAveragePool2d",
             .features = Feature::memory_8bit,
             .layouts = LayoutRule::channels_last,
             .can = has_narrow_positions},
     .dispatches = average_quantized},
    {.row = {.name = "byteTable",
             .op = "@byteTable",
             .features = Feature::memory_8bit,
             .in_place = 0b01,
             .layouts = LayoutRule::uniform},
     .dispatches = look_up_bytes},
};
extern constexpr GpuKernels quantized_kernels(quantized_list);

}  // namespace webnn::runtime::vulkan
