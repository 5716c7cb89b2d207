// Groups of elementwise operators and of operators that work along rows.
#include <algorithm>

#include "schema/check_spec.hpp"
#include "schema/kernel_conditions.hpp"

namespace webnn::schema {
namespace {

/// Rows that are worth a kernel's call each, and of which several lie in a cache.
constexpr std::size_t shortest_row = 64, longest_row = 16'384;

/// Axes `first`, `first` + 1, ... to the last one, in this order.
bool are_last_axes(std::span<const std::uint32_t> axes, unsigned rank) {
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (axes[i] + (axes.size() - i) != rank) return false;
  return !axes.empty();
}

}  // namespace

bool works_along_rows(OperatorId op) {
  return op == "softmax"_op || op == "layerNormalization"_op || row(op).family == Family::reduction;
}

unsigned axes_of_rows(OperatorId op, const Attributes& attributes, const OperandDescriptor& input) {
  const OperandDescriptor* operands[] = {&input};
  const OperatorCall call(op, operands, attributes);
  const unsigned rank = input.shape.rank();
  if (op == "softmax"_op) return call.u32("axis") + 1 == rank ? 1 : 0;
  std::vector<std::uint32_t> axes = call.u32_list("axes");
  if (row(op).family == Family::reduction) std::ranges::sort(axes);
  return are_last_axes(axes, rank) ? unsigned(axes.size()) : 0;
}

bool simd_takes_row_group(const KernelSpec& spec) {
  if (spec.post_ops.empty() || spec.post_ops.size() > longest_chain || spec.inputs.size() > most_group_inputs)
    return false;
  const auto is_float32 = [](const auto& operand) { return !operand || operand->type == DataType::float32; };
  if (!std::ranges::all_of(spec.inputs, is_float32)) return false;
  const std::vector<OperandDescriptor> results = results_of_steps(spec);
  if (results.size() != 1 + spec.post_ops.size()) return false;

  std::size_t row_length = 0, segment = 0;  // elements; the step behind the last one that works along rows
  bool reduced = false;
  auto next = spec.inputs.begin();
  for (std::size_t step = 0; step < results.size(); ++step) {
    const OperatorId id = step == 0 ? spec.op : spec.post_ops[step - 1].op;
    const Operator& op = row(id);
    const OperandDescriptor& result = results[step];
    if (result.type != DataType::float32) return false;
    const bool along_rows = works_along_rows(id);
    if (!along_rows && op.family != Family::unary && op.family != Family::binary) return false;
    const OperandDescriptor* input = nullptr;  // operand 0
    for (std::size_t place = 0; place < op.operands.size(); ++place) {
      const std::size_t back = step == 0 ? 0 : spec.post_ops[step - 1].operands[place];
      if (back > step - segment + (segment > 0 ? 1 : 0)) return false;  // from before the last rows
      if (along_rows && (place == 0) != (back == 1) && step > 0) return false;
      const OperandDescriptor* operand = back != 0 ? &results[step - back] : nullptr;
      if (back == 0) {
        if (*next) operand = &**next;
        ++next;
      }
      if (place == 0) input = operand;
      if (!along_rows && (!operand || broadcast(operand->shape, result.shape) != result.shape)) return false;
    }
    if (!along_rows) continue;
    const unsigned axes =
        reduced ? 0 : axes_of_rows(id, step == 0 ? spec.attributes : spec.post_ops[step - 1].attributes, *input);
    if (axes == 0) return false;
    std::size_t length = 1;
    for (unsigned axis = input->shape.rank() - axes; axis < input->shape.rank(); ++axis) length *= input->shape[axis];
    if (length < shortest_row || length > longest_row || (row_length != 0 && length != row_length)) return false;
    row_length = length;
    reduced = op.family == Family::reduction;
    segment = step + 1;
  }
  return row_length != 0;
}

}  // namespace webnn::schema
