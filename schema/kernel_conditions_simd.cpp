// What the simd rows take.
#include <algorithm>

#include "schema/kernel_conditions.hpp"

namespace webnn::schema {
namespace {

bool broadcasts_to(const OperandDescriptor& operand, const OperandDescriptor& output) {
  return broadcast(operand.shape, output.shape) == output.shape;
}

}  // namespace

bool elementwise_post_ops(const KernelSpec& spec) {
  if (spec.outputs.size() != 1 || spec.post_ops.size() > longest_chain) return false;
  const OperandDescriptor& output = spec.outputs[0];
  const std::size_t roots = spec.root_operand_count();
  if (!is_float(output.type)) return false;
  const auto on_floats = [](const PostOp& post_op) {
    const Family family = row(post_op.op).family;
    return family == Family::unary || family == Family::binary;
  };
  return std::ranges::all_of(spec.post_ops, on_floats) &&
         std::all_of(spec.inputs.begin() + std::ptrdiff_t(roots), spec.inputs.end(), [&](const auto& operand) {
           return operand && operand->type == output.type && broadcasts_to(*operand, output);
         });
}

bool elementwise_chain(const KernelSpec& spec) {
  if (!elementwise_post_ops(spec)) return false;
  return std::all_of(spec.inputs.begin(), spec.inputs.begin() + std::ptrdiff_t(spec.root_operand_count()),
                     [&](const auto& operand) { return operand && broadcasts_to(*operand, spec.outputs[0]); });
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
