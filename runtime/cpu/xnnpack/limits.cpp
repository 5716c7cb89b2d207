#include "runtime/cpu/xnnpack/limits.hpp"

#include <algorithm>
#include <cmath>

#include "schema/operators/sliding_window.hpp"

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

std::uint64_t prepared_bytes(const KernelSpec& spec) {
  std::uint64_t bytes = 0;
  for (std::size_t i = 1; i < spec.inputs.size(); ++i)
    if (spec.inputs[i]) bytes += byte_length(*spec.inputs[i]);
  if (spec.op == "resample2d"_op) {  // of each position in a plane: four addresses and two weights
    const Shape& output = spec.outputs[0].shape;
    return bytes + std::uint64_t{output[2]} * output[3] * (4 * sizeof(void*) + 2 * sizeof(float));
  }
  if (row(spec.op).attribute_index("dilations") < 0) return bytes;
  std::uint64_t table = sizeof(void*);
  for (const SlidingWindow& axis : sliding_windows(SpecCall(spec), spec.outputs[0].shape))
    table *= std::uint64_t(axis.window) * std::uint64_t(axis.output);  // takes_windows bounds it
  return bytes + table;
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
