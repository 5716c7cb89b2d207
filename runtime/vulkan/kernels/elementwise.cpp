// Elementwise operators: one invocation for each element of the result.
#include <limits>

#include "runtime/vulkan/kernels/dispatch.hpp"
#include "runtime/vulkan/kernels/shapes.hpp"
#include "runtime/vulkan/shaders.hpp"

namespace webnn::runtime::vulkan {
namespace {

constexpr Variants unary{shaders::unary_real, shaders::unary_signed, shaders::unary_unsigned};
constexpr Variants binary{shaders::binary_real, shaders::binary_signed, shaders::binary_unsigned};

/// Results that are not reals have shaders of their own, which devices without 8-bit memory cannot run.
ShaderCode shader_for(const KernelSpec& spec, const Variants& variants, ShaderCode (*verdict)()) {
  const DataType type = spec.inputs[0]->type;
  return is_float(type) && !is_float(spec.outputs[0].type) ? verdict() : variants.of(type);
}

/// A limit of clamp for the integer shaders, which compute in 64 bits.
std::uint64_t widened(Number number, DataType type) {
  const std::uint64_t bits = element_bits(number, type);
  const unsigned unused = 64 - bits_of(type);
  return is_signed(type) ? std::uint64_t(std::int64_t(bits << unused) >> unused) : bits;
}

}  // namespace

Dispatches dispatch_unary(const KernelSpec& spec) {
  const SpecCall call(spec);
  const DataType type = call.operand(0).type;
  const std::size_t count = element_count(call.shape(0));
  const bool real = is_float(type);
  std::uint64_t low = 0, high = 0;
  if (spec.op == "clamp"_op && !real) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    low = widened(call.number("minValue", Number(-infinity)), type);
    high = widened(call.number("maxValue", Number(infinity)), type);
  }
  const RealParameters parameters = real ? real_parameters(call) : RealParameters{};
  return DispatchMaker(shader_for(spec, unary, shaders::unary_verdict), {code(type), spec.op.index})
      .input(spec, 0)
      .output(spec)
      .word(count)
      .real(parameters.alpha)
      .real(parameters.beta)
      .word(0)
      .wide(low)
      .wide(high)
      .epilogue(spec)
      .over(count);
}

Dispatches dispatch_binary(const KernelSpec& spec) {
  const Shape& y = spec.outputs[0].shape;
  const std::size_t count = element_count(y);
  return DispatchMaker(
             shader_for(spec, binary, shaders::binary_verdict),
             {code(spec.inputs[0]->type), spec.op.index, code(addressing_of(spec, 0)), code(addressing_of(spec, 1))})
      .input(spec, 0)
      .input(spec, 1)
      .output(spec)
      .word(count)
      .word(y.rank())
      .shape(shape_in_memory(y, common_layout(spec)))
      .strides(strides_in_result(spec, 0))
      .strides(strides_in_result(spec, 1))
      .epilogue(spec)
      .over(count);
}

Dispatches dispatch_logical(const KernelSpec& spec) {
  return spec.op == "logicalNot"_op ? dispatch_unary(spec) : dispatch_binary(spec);
}

Dispatches dispatch_where(const KernelSpec& spec) {
  const Shape& y = spec.outputs[0].shape;
  const std::size_t count = element_count(y);
  return DispatchMaker(shaders::where(), {element_bytes(spec.outputs[0].type), code(addressing_of(spec, 0)),
                                          code(addressing_of(spec, 1)), code(addressing_of(spec, 2))})
      .input(spec, 0)
      .input(spec, 1)
      .input(spec, 2)
      .output(spec)
      .word(count)
      .word(y.rank())
      .shape(shape_in_memory(y, common_layout(spec)))
      .strides(strides_in_result(spec, 0))
      .strides(strides_in_result(spec, 1))
      .strides(strides_in_result(spec, 2))
      .over(count);
}

Dispatches dispatch_cast(const KernelSpec& spec) {
  const std::size_t count = element_count(spec.outputs[0].shape);
  return DispatchMaker(shaders::cast(), {code(spec.inputs[0]->type), code(spec.outputs[0].type)})
      .input(spec, 0)
      .output(spec)
      .word(count)
      .over(count);
}

/// The row of a family or of one operator.
constexpr KernelRow elementwise_row(KernelRow row, std::uint8_t in_place = 0) {
  row.in_place = in_place;
  row.layouts = LayoutRule::uniform;
  return row;
}

constexpr GpuKernel elementwise_list[] = {
    {.row = elementwise_row({.name = "unary", .family = Family::unary, .can_apply = elementwise_group}, 0xff),
     .dispatches = dispatch_unary},
    {.row = elementwise_row({.name = "binary", .family = Family::binary, .can_apply = elementwise_group}, 0xff),
     .dispatches = dispatch_binary},
    {.row = elementwise_row({.name = "comparison", .family = Family::comparison}), .dispatches = dispatch_binary},
    {.row = elementwise_row({.name = "logical", .family = Family::logical}, 0b11), .dispatches = dispatch_logical},
    {.row = elementwise_row({.name = "predicate", .family = Family::predicate}), .dispatches = dispatch_unary},
    {.row = elementwise_row({.name = "where", .op = "where"}), .dispatches = dispatch_where},
    {.row = elementwise_row({.name = "cast", .op = "cast"}), .dispatches = dispatch_cast},
};
extern constexpr GpuKernels elementwise_kernels(elementwise_list);

}  // namespace webnn::runtime::vulkan
