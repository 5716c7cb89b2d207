#include "runtime/cpu/xnnpack/limits.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/cpu/xnnpack/filter.hpp"
#include "schema/operators/sliding_window.hpp"
#include "schema/round_up.hpp"
#include "schema/saturating.hpp"

namespace webnn::runtime::xnnpack {

bool takes_windows(const OperatorCall& call, const KernelSpec& spec) {
  if (spec.outputs.empty()) return false;
  const OperandDescriptor &input = call.operand(0), &output = spec.outputs[0];
  const auto windows = sliding_windows(call, output.shape);
  if (!are_moderate(windows, std::max(input.shape[1], output.shape[1]))) return false;
  double bytes = sizeof(void*);
  for (const SlidingWindow& axis : windows) bytes *= double(axis.window) * double(axis.output);
  constexpr double always_fine = 1 << 26, growth = 4;
  return bytes <= always_fine + growth * double(byte_length(input) + byte_length(output));
}

namespace {

// XNNPACK fills each group's outputs up to so many, and its inputs up to so many, unless it has code for single channels.
constexpr std::uint64_t most_outputs_together = 16, most_inputs_together = 8;
constexpr std::uint64_t most_taps_of_channels = 25;

/// The weights in XNNPACK's order, with a bias and a scale for each output.
std::uint64_t packed_filter_bytes(const KernelSpec& spec) {
  const SpecCall call(spec);
  const Convolution filter(call);
  const bool is_byte = call.operand(1).type != DataType::float32;
  const std::uint64_t area = std::uint64_t{filter.window_height} * filter.window_width;
  const bool by_channels = filter.group_inputs == 1 && filter.group_outputs == 1 && !filter.transposed;
  Saturating outputs = 0, of_output = 1;
  if (by_channels && area <= most_taps_of_channels) {
    outputs = round_up(filter.groups, 2 * most_outputs_together);
    of_output = most_taps_of_channels;
  } else {
    outputs = Saturating(filter.groups) * round_up(filter.group_outputs, most_outputs_together);
    of_output = Saturating(is_byte ? round_up(filter.group_inputs, most_inputs_together) : filter.group_inputs) * area;
  }
  // A transposed convolution has a part for each position within a stride.
  const std::uint64_t parts = filter.transposed ? std::uint64_t{filter.strides[0]} * filter.strides[1] : 1;
  const Saturating of_numbers = of_output * (is_byte ? 1 : sizeof(float));
  return (outputs * (of_numbers + Saturating(parts) * (2 * sizeof(float)))).value();
}

std::uint64_t packed_matrix_bytes(const KernelSpec& spec) {
  const Shape &a = spec.inputs[0]->shape, &result = spec.outputs[0].shape;
  const Saturating columns = round_up(result[result.rank() - 1], most_outputs_together);
  return (columns * (std::uint64_t{a[a.rank() - 1]} + 1) * sizeof(float)).value();
}

std::uint64_t packed_bytes(const KernelSpec& spec) {
  if (spec.op == "gemm"_op || spec.op == "matmul"_op) return packed_matrix_bytes(spec);
  if (row(spec.op).family == Family::convolution) return packed_filter_bytes(spec);
  std::uint64_t bytes = 0;
  for (std::size_t i = 1; i < spec.inputs.size(); ++i)
    if (spec.inputs[i]) bytes += byte_length(*spec.inputs[i]);
  return bytes;
}

}  // namespace

std::uint64_t prepared_bytes(const KernelSpec& spec) {
  const std::uint64_t bytes = packed_bytes(spec);
  if (spec.op == "resample2d"_op) {  // of each position in a plane: four addresses and two weights
    const Shape& output = spec.outputs[0].shape;
    return (Saturating(bytes) + std::uint64_t{output[2]} * output[3] * (4 * sizeof(void*) + 2 * sizeof(float))).value();
  }
  if (row(spec.op).attribute_index("dilations") < 0) return bytes;
  std::uint64_t table = sizeof(void*);
  for (const SlidingWindow& axis : sliding_windows(SpecCall(spec), spec.outputs[0].shape))
    table *= std::uint64_t(axis.window) * std::uint64_t(axis.output);  // takes_windows bounds it
  return (Saturating(bytes) + table).value();
}

bool takes_post_ops(const KernelSpec& spec) {
  if (spec.post_ops.size() != 1 || !Expression(spec).is_chain()) return false;
  if (spec.post_ops[0].op == "relu"_op) return true;
  if (spec.post_ops[0].op != "clamp"_op) return false;
  const OperandDescriptor* const operand = spec.outputs.data();
  const OperatorCall call("clamp"_op, {&operand, 1}, spec.post_ops[0].attributes);
  return float(call.number("minValue", Number(-INFINITY)).as_double()) <
         float(call.number("maxValue", Number(INFINITY)).as_double());
}

}  // namespace webnn::runtime::xnnpack
