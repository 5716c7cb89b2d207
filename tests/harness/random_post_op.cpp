// Post-ops for random calls: activations, and additions, products and maxima with operands from outside and with the
// results of earlier steps.
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
  PostOp post_op{*find_any_operator(op.name), Attributes(op.attributes.size())};
  if (op.name == "clamp") {
    post_op.attributes[0].emplace(std::in_place_type<Number>, -0.5);
    post_op.attributes[1].emplace(std::in_place_type<Number>, 1.5);
  }
  if (op.operands.size() == 2) post_op.operands = {std::uint8_t(engine() % 3 != 0), std::uint8_t(engine() % 3 == 0), 0};
  std::vector<OperandDescriptor> others;
  std::vector<const OperandDescriptor*> operands(op.operands.size(), &result);
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    if (post_op.operands[i] != 0 && engine() % 4 == 0)
      post_op.operands[i] = std::uint8_t(1 + engine() % (1 + call.spec.post_ops.size()));
    if (post_op.operands[i] != 0) continue;
    OperandDescriptor other = result;
    if (engine() % 3 == 0) other.shape = Shape{};
    if (engine() % 3 == 0 && result.shape.rank() == 4) other.shape = Shape{result.shape[1], 1, 1};
    if (engine() % 3 == 0 && result.shape.rank() == 2) other.shape = Shape{result.shape[1]};
    others.push_back(other);
  }
  for (std::size_t i = 0, next = 0; i < op.operands.size(); ++i)
    if (post_op.operands[i] == 0) operands[i] = &others[next++];
  const Inference inference = check_operator(OperatorCall(post_op.op, operands, post_op.attributes));
  if (!inference.ok() || inference.outputs()[0] != result) return false;
  call.spec.post_ops.push_back(post_op);
  for (const OperandDescriptor& other : others) {
    Tensor data{other, std::vector<std::byte>(byte_length(other))};
    for (std::uint64_t i = 0; i < element_count(other.shape); ++i)
      store_element(Number(double(engine() & 0xffff) / 16384 - 2), other.type, data.data.data(), i);
    call.spec.inputs.push_back(other);
    call.inputs.push_back(std::move(data));
  }
  return true;
}

}  // namespace webnn::tests
