// What the simd rows take.
#include <algorithm>

#include "schema/kernel_conditions.hpp"

namespace webnn::schema {

bool elementwise_chain(const KernelSpec& spec) {
  constexpr std::size_t longest_chain = 32;
  if (spec.outputs.size() != 1 || spec.post_ops.size() > longest_chain) return false;
  const OperandDescriptor& output = spec.outputs[0];
  if (!is_float(output.type)) return false;
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

bool simd_takes_where(const KernelSpec& spec) {
  if (spec.outputs.empty()) return false;
  const DataType type = spec.outputs[0].type;
  return bits_of(type) == 32 || type == DataType::float16 || type == DataType::int8 || type == DataType::uint8;
}

bool simd_takes_cast(const KernelSpec& spec) {
  if (spec.outputs.empty()) return false;
  const DataType from = spec.inputs[0]->type, to = spec.outputs[0].type;
  constexpr DataTypes narrow{DataType::int32, DataType::int8, DataType::uint8};
  if (is_float(from)) return is_float(to) || narrow.contains(to);
  return is_float(to) || narrow.contains(to) || to == DataType::uint32;
}

bool simd_takes_quantize(const KernelSpec& spec) {
  return spec.inputs.size() > 2 && spec.inputs[2] &&
         (spec.inputs[2]->type == DataType::int8 || spec.inputs[2]->type == DataType::uint8);
}

}  // namespace webnn::schema
