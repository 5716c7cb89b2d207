// Conditions of the simd rows.
#include <algorithm>

#include "schema/kernels/kernel_conditions.hpp"
#include "schema/operators/check_spec.hpp"

namespace webnn::schema {
namespace {

bool broadcasts_to(const OperandDescriptor& operand, const OperandDescriptor& output) {
  return broadcast(operand.shape, output.shape) == output.shape;
}

bool operands_broadcast(const KernelSpec& spec) {
  return std::ranges::all_of(spec.inputs,
                             [&](const auto& operand) { return operand && broadcasts_to(*operand, spec.outputs[0]); });
}

constexpr DataTypes narrow_integers{DataType::int32, DataType::int8, DataType::uint8};

/// What a lane of a group on floats holds.
enum class LaneKind : std::uint8_t {
  number,
  truth,    // 0 or 1, the result of an operation
  byte,     // uint8 from outside
  integer,  // another narrow integer from outside
  other,
};

LaneKind kind_outside(DataType type) {
  if (is_float(type)) return LaneKind::number;
  if (type == DataType::uint8) return LaneKind::byte;
  return narrow_integers.contains(type) ? LaneKind::integer : LaneKind::other;
}

/// Whether an operator of this family takes lanes of this kind as this operand.
bool may_be(Family family, std::size_t place, LaneKind kind) {
  const bool condition = kind == LaneKind::truth || kind == LaneKind::byte;
  if (family == Family::logical) return condition;
  if (family == Family::select && place == 0) return condition;
  if (family == Family::cast) return kind != LaneKind::other;
  return is_elementwise(family) && kind == LaneKind::number;
}

}  // namespace

bool elementwise_expression(const KernelSpec& spec) {
  if (spec.outputs.size() != 1 || spec.post_ops.size() > longest_chain || spec.inputs.size() > most_group_inputs)
    return false;
  const OperandDescriptor& output = spec.outputs[0];
  if (!is_float(output.type)) return false;
  const auto on_floats = [](const PostOp& post_op) {
    const Family family = row(post_op.op).family;
    return family == Family::unary || family == Family::binary;
  };
  const auto first = spec.inputs.begin() + std::ptrdiff_t(spec.root_operand_count());
  return std::ranges::all_of(spec.post_ops, on_floats) &&
         std::all_of(first, spec.inputs.end(), [&](const auto& operand) {
           return operand && operand->type == output.type && broadcasts_to(*operand, output);
         });
}

bool elementwise_post_ops(const KernelSpec& spec) {
  return Expression(spec).is_chain() && elementwise_expression(spec);
}

bool elementwise_group(const KernelSpec& spec) { return elementwise_expression(spec) && operands_broadcast(spec); }

bool simd_takes_group(const KernelSpec& spec) {
  if (spec.outputs.size() != 1 || spec.post_ops.size() > longest_chain || spec.inputs.size() > most_group_inputs ||
      !operands_broadcast(spec))
    return false;
  const bool plain = is_float(spec.outputs[0].type) && row(spec.op).family != Family::cast;
  if (plain && elementwise_expression(spec)) return true;
  const std::vector<OperandDescriptor> results = results_of_steps(spec);
  if (results.size() != 1 + spec.post_ops.size()) return false;
  std::vector<LaneKind> given;  // by the operations so far
  const Expression expression(spec);
  for (std::size_t step = 0; step < results.size(); ++step) {
    const Operator& op = row(expression.op(step));
    const std::vector<StepOperand> operands = expression.operands(step);
    for (std::size_t place = 0; place < operands.size(); ++place) {
      const auto [kind, index] = operands[place];
      const bool inside = kind == StepOperand::Kind::step;
      if (!may_be(op.family, place, inside ? given[index] : kind_outside(spec.inputs[index]->type))) return false;
    }
    const DataType type = results[step].type;
    const bool truth =
        op.family == Family::comparison || op.family == Family::predicate || op.family == Family::logical;
    const bool stored_only = op.family == Family::cast && step + 1 == results.size() && narrow_integers.contains(type);
    if (!truth && !is_float(type) && !stored_only) return false;
    given.push_back(truth ? LaneKind::truth : LaneKind::number);
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
  if (is_float(from)) return is_float(to) || narrow_integers.contains(to);
  return is_float(to) || narrow_integers.contains(to) || to == DataType::uint32;
}

bool simd_takes_quantize(const KernelSpec& spec) {
  return spec.inputs.size() > 2 && spec.inputs[2] &&
         (spec.inputs[2]->type == DataType::int8 || spec.inputs[2]->type == DataType::uint8);
}

}  // namespace webnn::schema
