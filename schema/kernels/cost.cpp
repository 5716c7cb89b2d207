#include "schema/kernels/cost.hpp"

namespace webnn::schema {
namespace {

Saturating elements(const OperandDescriptor& descriptor) { return element_count(descriptor.shape); }

/// Every weight meets every pixel once: pixels of the output for conv2d, of the input for convTranspose2d. Uses counts
/// only, so that it does not depend on filter layout and groups.
Saturating convolution_flops(const OperatorCall& call, const OperandDescriptor& output) {
  const bool transposed = call.id() == "convTranspose2d"_op;
  const Shape& grid = transposed ? call.shape(0) : output.shape;
  const bool nchw = call.text("inputLayout") == "nchw";
  const Saturating pixels =
      Saturating(grid[0]) * (nchw ? Saturating(grid[2]) * grid[3] : Saturating(grid[1]) * grid[2]);
  Saturating flops = 2 * pixels * elements(call.operand(1));
  if (call.has_operand(2)) flops += elements(output);
  return flops;
}

/// Two matrix products, and five operations for each score between them.
Saturating attention_flops(const OperatorCall& call, const OperandDescriptor& output) {
  const auto size = [&](std::size_t operand, std::string_view permutation, unsigned from_end) {
    const Shape& shape = call.shape(operand);
    return Saturating(shape[call.u32_list(permutation)[shape.rank() - from_end]]);
  };
  const Saturating keys = size(1, "keyPermutation", 2), features = size(1, "keyPermutation", 1);
  const Saturating value_features = size(2, "valuePermutation", 1);
  const Saturating rows = elements(output).value() / value_features.value();
  return rows * keys * (2 * features + 2 * value_features + 5);
}

Saturating contraction_flops(const OperatorCall& call, const OperandDescriptor& output) {
  if (call.id() == "@attention"_op) return attention_flops(call, output);
  const Shape& a = call.shape(0);
  const bool transposed = call.id() == "gemm"_op && call.boolean("aTranspose");
  const Saturating depth = transposed ? a[0] : a[a.rank() - 1];
  Saturating flops = 2 * elements(output) * depth;
  if (call.id() == "gemm"_op && call.has_operand(2)) flops += elements(output);
  return flops;
}

/// Two matrix products per time step and direction, and about ten functions for each element of a gate.
Saturating recurrent_flops(const OperatorCall& call) {
  const Saturating weights = elements(call.operand(1)) + elements(call.operand(2));
  const Shape& input = call.shape(0);
  const Saturating rows = input.rank() == 3 ? Saturating(input[0]) * input[1] : input[0];
  const Saturating gate_elements = elements(call.operand(2)).value() / call.u32("hiddenSize");
  return rows * (2 * weights + 10 * gate_elements);
}

Saturating window_flops(const OperatorCall& call, const OperandDescriptor& output) {
  const std::vector<std::uint32_t> window = call.u32_list("windowDimensions");
  return elements(output) * window[0] * window[1];
}

Saturating flops_of(const OperatorCall& call, const OperandDescriptor& output) {
  switch (call.op().family) {
    case Family::convolution:
      return convolution_flops(call, output);
    case Family::contraction:
      return contraction_flops(call, output);
    case Family::recurrent:
      return recurrent_flops(call);
    case Family::window:
      return window_flops(call, output);
    case Family::normalization:
    case Family::softmax:
      return 5 * elements(output);
    case Family::quantization:
      return call.id() == "@quantizedAveragePool2d"_op ? window_flops(call, output) : 2 * elements(output);
    case Family::resample:
      return call.text("mode") == "linear" ? 7 * elements(output) : 0;
    case Family::reduction:
    case Family::arg_reduction:
    case Family::scan:
      return elements(call.operand(0));
    case Family::movement:
    case Family::indexed:
    case Family::view:
      return 0;
    case Family::unary:
    case Family::binary:
    case Family::comparison:
    case Family::logical:
    case Family::predicate:
    case Family::select:
    case Family::cast:
      return elements(output);
  }
  return 0;
}

}  // namespace

Cost cost_of(const OperatorCall& call, std::span<const OperandDescriptor> outputs) {
  if (call.op().family == Family::view) return {};
  Saturating bytes;
  for (std::size_t i = 0; i < call.operands().size(); ++i)
    if (call.has_operand(i)) bytes += byte_length(call.operand(i));
  for (const OperandDescriptor& output : outputs) bytes += byte_length(output);
  return {flops_of(call, outputs[0]).value(), bytes.value()};
}

Cost cost_of(const KernelSpec& spec) {
  Cost cost;
  const Expression expression(spec);
  const auto input = [&](std::size_t i) { return spec.input(i); };
  const auto add = [&](std::size_t step, std::span<const OperandDescriptor* const> operands) {
    const Cost of_step =
        cost_of(OperatorCall(expression.op(step), operands, expression.attributes(step)), spec.outputs);
    cost += {of_step.flops, step == 0 ? of_step.bytes : 0};
    return spec.outputs[0];  // every step counts as if it gave the output
  };
  results_of<OperandDescriptor>(expression, input, add);
  for (std::size_t i = expression.root_operand_count(); i < spec.inputs.size(); ++i)
    if (spec.inputs[i]) cost += {0, byte_length(*spec.inputs[i])};
  return cost;
}

}  // namespace webnn::schema
