// Elementwise operators. An invocation computes four neighbouring elements of the result: it loads and stores up to 16
// bytes at once, and fewer workgroups start. Those of 64 bits and those that share bytes are computed one by one.
#include <algorithm>
#include <limits>

#include "runtime/vulkan/kernels/dispatch.hpp"
#include "runtime/vulkan/kernels/shapes.hpp"
#include "runtime/vulkan/shaders.hpp"
#include "schema/round_up.hpp"

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

/// How many elements an invocation computes.
std::uint32_t lane_elements(const KernelSpec& spec) {
  const auto is_in_fours = [](const OperandDescriptor& operand) {
    const unsigned bits = bits_of(operand.type);
    return bits >= 8 && bits <= 32;
  };
  const bool are_all =
      std::ranges::all_of(spec.inputs, [&](const auto& each) { return !each || is_in_fours(*each); }) &&
      is_in_fours(spec.outputs[0]);
  return are_all ? 4 : 1;
}

/// Completes a dispatch whose table has been written.
Dispatch over_elements(DispatchMaker& maker, std::uint64_t count, std::uint32_t of_lane) {
  return maker.specialize(Constant::lane_elements, of_lane).over_units(div_up(count, of_lane));
}

/// The root operands of a call.
class Operands {
 public:
  Operands(const KernelSpec& spec, std::uint32_t of_lane)
      : spec_(spec), of_lane_(of_lane), walk_(spec, 0, spec.root_operand_count()) {}

  std::uint32_t form(std::size_t i) const {
    const Addressing of_one = addressing_of(spec_, i);
    return code(of_lane_ == 4 ? walk_.of_four(of_one, i) : of_one);
  }
  /// The count of results, their shape and the operands' strides.
  DispatchMaker& write(DispatchMaker& maker) const {
    maker.word(element_count(spec_.outputs[0].shape)).word(walk_.shape.rank()).shape(walk_.shape);
    for (const Strides& strides : walk_.strides) maker.strides(strides);
    return maker;
  }

 private:
  const KernelSpec& spec_;
  std::uint32_t of_lane_;
  OperandWalk walk_;
};

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
  DispatchMaker maker(shader_for(spec, unary, shaders::unary_verdict), {code(type), spec.op.index},
                      DispatchMaker::large_group);
  maker.input(spec, 0).output(spec).word(count);
  maker.real(parameters.alpha).real(parameters.beta).word(0).wide(low).wide(high).epilogue(spec);
  return over_elements(maker, count, lane_elements(spec));
}

Dispatches dispatch_binary(const KernelSpec& spec) {
  const std::uint32_t of_lane = lane_elements(spec);
  const Operands operands(spec, of_lane);
  DispatchMaker maker(shader_for(spec, binary, shaders::binary_verdict),
                      {code(spec.inputs[0]->type), spec.op.index, operands.form(0), operands.form(1)},
                      DispatchMaker::large_group);
  maker.input(spec, 0).input(spec, 1).output(spec);
  operands.write(maker).epilogue(spec);
  return over_elements(maker, element_count(spec.outputs[0].shape), of_lane);
}

Dispatches dispatch_logical(const KernelSpec& spec) {
  return spec.op == "logicalNot"_op ? dispatch_unary(spec) : dispatch_binary(spec);
}

Dispatches dispatch_where(const KernelSpec& spec) {
  const std::uint32_t of_lane = lane_elements(spec);
  const Operands operands(spec, of_lane);
  DispatchMaker maker(shaders::where(),
                      {element_bytes(spec.outputs[0].type), operands.form(0), operands.form(1), operands.form(2)},
                      DispatchMaker::large_group);
  maker.input(spec, 0).input(spec, 1).input(spec, 2).output(spec);
  return over_elements(operands.write(maker), element_count(spec.outputs[0].shape), of_lane);
}

Dispatches dispatch_cast(const KernelSpec& spec) {
  const std::size_t count = element_count(spec.outputs[0].shape);
  const bool are_pairs = bits_of(spec.outputs[0].type) < 8;
  DispatchMaker maker(shaders::cast(), {code(spec.inputs[0]->type), code(spec.outputs[0].type)},
                      DispatchMaker::large_group);
  maker.input(spec, 0).output(spec).word(count);
  return over_elements(maker, are_pairs ? div_up(count, 2) : count, lane_elements(spec));
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
