#include "schema/kernels/cost.hpp"

namespace webnn::schema {
namespace {

std::uint64_t elements(const OperandDescriptor& descriptor) { return element_count(descriptor.shape); }

/// Every weight meets every pixel once: pixels of the output for conv2d, of the input for convTranspose2d. Uses counts
/// only, so that it does not depend on filter layout and groups.
std::uint64_t convolution_flops(const OperatorCall& call, const OperandDescriptor& output) {
  const bool transposed = call.id() == "convTranspose2d"_op;
  const Shape& grid = transposed ? call.shape(0) : output.shape;
  const bool nchw = call.text("inputLayout") == "nchw";
  const std::uint64_t pixels =
      std::uint64_t(grid[0]) * (nchw ? std::uint64_t(grid[2]) * grid[3] : std::uint64_t(grid[1]) * grid[2]);
  std::uint64_t flops = 2 * pixels * elements(call.operand(1));
  if (call.has_operand(2)) flops += elements(output);
  return flops;
}

/// Two matrix products, and five operations for each score between them.
std::uint64_t attention_flops(const OperatorCall& call, const OperandDescriptor& output) {
  const auto size = [&](std::size_t operand, std::string_view permutation, unsigned from_end) {
    const Shape& shape = call.shape(operand);
    return std::uint64_t(shape[call.u32_list(permutation)[shape.rank() - from_end]]);
  };
  const std::uint64_t keys = size(1, "keyPermutation", 2), features = size(1, "keyPermutation", 1);
  const std::uint64_t value_features = size(2, "valuePermutation", 1);
  return elements(output) / value_features * keys * (2 * features + 2 * value_features + 5);
}

std::uint64_t contraction_flops(const OperatorCall& call, const OperandDescriptor& output) {
  if (call.id() == "@attention"_op) return attention_flops(call, output);
  const Shape& a = call.shape(0);
  const bool transposed = call.id() == "gemm"_op && call.boolean("aTranspose");
  const std::uint64_t depth = transposed ? a[0] : a[a.rank() - 1];
  std::uint64_t flops = 2 * elements(output) * depth;
  if (call.id() == "gemm"_op && call.has_operand(2)) flops += elements(output);
  return flops;
}

/// Two matrix products per time step and direction, and about ten functions for each element of a gate.
std::uint64_t recurrent_flops(const OperatorCall& call) {
  const std::uint64_t weights = elements(call.operand(1)) + elements(call.operand(2));
  const Shape& input = call.shape(0);
  const std::uint64_t rows = input.rank() == 3 ? std::uint64_t(input[0]) * input[1] : input[0];
  const std::uint64_t gate_elements = elements(call.operand(2)) / call.u32("hiddenSize");
  return rows * (2 * weights + 10 * gate_elements);
}

std::uint64_t window_flops(const OperatorCall& call, const OperandDescriptor& output) {
  const std::vector<std::uint32_t> window = call.u32_list("windowDimensions");
  return elements(output) * window[0] * window[1];
}

}  // namespace

Cost cost_of(const OperatorCall& call, std::span<const OperandDescriptor> outputs) {
  const Operator& op = call.op();
  Cost cost;
  if (op.family == Family::view) return cost;
  for (std::size_t i = 0; i < call.operands().size(); ++i)
    if (call.has_operand(i)) cost.bytes += byte_length(call.operand(i));
  for (const OperandDescriptor& output : outputs) cost.bytes += byte_length(output);

  const OperandDescriptor& output = outputs[0];
  switch (op.family) {
    case Family::convolution:
      cost.flops = convolution_flops(call, output);
      break;
    case Family::contraction:
      cost.flops = contraction_flops(call, output);
      break;
    case Family::recurrent:
      cost.flops = recurrent_flops(call);
      break;
    case Family::window:
      cost.flops = window_flops(call, output);
      break;
    case Family::normalization:
    case Family::softmax:
      cost.flops = 5 * elements(output);
      break;
    case Family::quantization:
      cost.flops = call.id() == "@quantizedAveragePool2d"_op ? window_flops(call, output) : 2 * elements(output);
      break;
    case Family::resample:
      cost.flops = call.text("mode") == "linear" ? 7 * elements(output) : 0;
      break;
    case Family::reduction:
    case Family::arg_reduction:
    case Family::scan:
      cost.flops = elements(call.operand(0));
      break;
    case Family::movement:
    case Family::indexed:
    case Family::view:
      break;
    case Family::unary:
    case Family::binary:
    case Family::comparison:
    case Family::logical:
    case Family::predicate:
    case Family::select:
    case Family::cast:
      cost.flops = elements(output);
      break;
  }
  return cost;
}

Cost cost_of(const KernelSpec& spec) {
  Cost cost;
  const Expression expression(spec);
  const auto input = [&](std::size_t i) { return spec.input(i); };
  const auto add = [&](std::size_t step, std::span<const OperandDescriptor* const> operands) {
    const Cost of_step =
        cost_of(OperatorCall(expression.op(step), operands, expression.attributes(step)), spec.outputs);
    cost.flops += of_step.flops;
    if (step == 0) cost.bytes = of_step.bytes;
    return spec.outputs[0];  // every step counts as if it gave the output
  };
  results_of<OperandDescriptor>(expression, input, add);
  for (std::size_t i = expression.root_operand_count(); i < spec.inputs.size(); ++i)
    if (spec.inputs[i]) cost.bytes += byte_length(*spec.inputs[i]);
  return cost;
}

}  // namespace webnn::schema
