// What the simd rows take.
#include <algorithm>

#include "schema/kernel_conditions.hpp"

namespace webnn::schema {

bool elementwise_chain(const KernelSpec& spec) {
  constexpr std::size_t longest_chain = 32;
  if (spec.outputs.size() != 1 || spec.post_ops.size() > longest_chain) return false;
  const OperandDescriptor& output = spec.outputs[0];
  const auto is_elementwise = [](const PostOp& post_op) {
    const Family family = row(post_op.op).family;
    return family == Family::unary || family == Family::binary;
  };
  if (!std::ranges::all_of(spec.post_ops, is_elementwise)) return false;
  for (std::size_t i = 0; i < spec.inputs.size(); ++i) {
    if (!spec.inputs[i]) return false;
    if (broadcast(spec.inputs[i]->shape, output.shape) != output.shape) return false;
    if (i >= spec.root_operand_count() && spec.inputs[i]->type != output.type) return false;
  }
  return true;
}

bool window_of_nchw(const KernelSpec& spec) {
  const auto operands = spec.root_operands();
  return OperatorCall(spec.op, operands, spec.attributes).text("layout") == "nchw";
}

}  // namespace webnn::schema
