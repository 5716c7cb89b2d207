// Post-ops for random calls: activations, and additions, products and maxima with another operand.
#include <array>

#include "schema/elements.hpp"
#include "tests/harness/random_call.hpp"

namespace webnn::tests {

bool append_random_post_op(RandomCall& call, std::mt19937& engine) {
  static const std::array<OperatorId, 15> ops = {"@silu"_op,     "relu"_op, "clamp"_op,     "sigmoid"_op, "tanh"_op,
                                                 "hardSwish"_op, "gelu"_op, "add"_op,       "mul"_op,     "sub"_op,
                                                 "max"_op,       "abs"_op,  "leakyRelu"_op, "linear"_op,  "add"_op};
  if (call.spec.outputs.size() != 1) return false;
  const OperandDescriptor& result = call.spec.outputs[0];
  const Operator& op = row(ops[engine() % ops.size()]);
  PostOp post_op{*find_any_operator(op.name), Attributes(op.attributes.size()), 0};
  if (op.name == "clamp") {
    post_op.attributes[0].emplace(std::in_place_type<Number>, -0.5);
    post_op.attributes[1].emplace(std::in_place_type<Number>, 1.5);
  }
  std::optional<OperandDescriptor> other;
  if (op.operands.size() == 2) {
    post_op.chained_operand = std::uint8_t(engine() % 2);
    other = result;
    if (engine() % 3 == 0) other->shape = Shape{};
    if (engine() % 3 == 0 && result.shape.rank() == 4) other->shape = Shape{result.shape[1], 1, 1};
    if (engine() % 3 == 0 && result.shape.rank() == 2) other->shape = Shape{result.shape[1]};
  }
  std::vector<const OperandDescriptor*> operands(op.operands.size(), &result);
  if (other) operands[1u - post_op.chained_operand] = &*other;
  const Inference inference = check_operator(OperatorCall(post_op.op, operands, post_op.attributes));
  if (!inference.ok() || inference.outputs()[0] != result) return false;
  call.spec.post_ops.push_back(post_op);
  if (other) {
    Tensor data{*other, std::vector<std::byte>(byte_length(*other))};
    for (std::uint64_t i = 0; i < element_count(other->shape); ++i)
      store_element(Number(double(engine() & 0xffff) / 16384 - 2), other->type, data.data.data(), i);
    call.spec.inputs.push_back(*other);
    call.inputs.push_back(std::move(data));
  }
  return true;
}

}  // namespace webnn::tests
