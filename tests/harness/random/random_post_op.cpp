// Post-ops for random calls: activations; additions, products and maxima with operands from outside and with the
// results of earlier steps; now and then what works along rows.
#include <iterator>

#include "runtime/cpu/simd/reduction/row_group_parts.hpp"
#include "schema/elements/elements.hpp"
#include "tests/harness/random/random_call.hpp"

namespace webnn::tests {

namespace {

/// Operators along the last axes of the result: their attributes and operands. There are `earlier` steps.
void choose_rows(PostOp& post_op, const OperandDescriptor& result, std::size_t earlier, std::mt19937& engine,
                 std::vector<OperandDescriptor>& others) {
  const Operator& op = row(post_op.op);
  const unsigned rank = result.shape.rank();
  const unsigned first = engine() % 4 == 0 ? unsigned(engine() % rank) : rank - 1;
  if (post_op.op == "softmax"_op) {
    post_op.attributes[0].emplace(std::in_place_type<std::int64_t>, first);
    return;
  }
  IntegerList axes;
  Shape sizes;
  for (unsigned axis = first; axis < rank; ++axis) {
    axes.push_back(axis);
    sizes.push_back(result.shape[axis]);
  }
  post_op.attributes[std::size_t(op.attribute_index("axes"))].emplace(std::in_place_type<IntegerList>, axes);
  if (op.family == Family::reduction)
    post_op.attributes[std::size_t(op.attribute_index("keepDimensions"))].emplace(std::in_place_type<bool>,
                                                                                  engine() % 2 == 0);
  for (std::size_t i = 1; i < op.operands.size(); ++i) {
    if (sizes == result.shape && engine() % 2)  // what an earlier step gave fits, too
      post_op.operands[i] = std::uint8_t(1 + engine() % earlier);
    else
      others.push_back({result.type, sizes});
  }
}

}  // namespace

bool append_random_post_op(RandomCall& call, std::mt19937& engine) {
  static const OperatorId ops[] = {"@silu"_op,   "relu"_op,      "clamp"_op,      "sigmoid"_op,
                                   "tanh"_op,    "hardSwish"_op, "gelu"_op,       "add"_op,
                                   "mul"_op,     "sub"_op,       "max"_op,        "abs"_op,
                                   "add"_op,     "leakyRelu"_op, "linear"_op,     "softmax"_op,
                                   "softmax"_op, "reduceMax"_op, "reduceMean"_op, "layerNormalization"_op};
  if (call.spec.outputs.size() != 1) return false;
  const OperandDescriptor result = call.spec.outputs[0];
  const Operator& op = row(ops[engine() % std::size(ops)]);
  PostOp post_op{*find_any_operator(op.name), Attributes(op.attributes.size())};
  if (op.name == "clamp") {
    post_op.attributes[0].emplace(std::in_place_type<Number>, -0.5);
    post_op.attributes[1].emplace(std::in_place_type<Number>, 1.5);
  }
  if (op.operands.size() == 2) post_op.operands = {std::uint8_t(engine() % 3 != 0), std::uint8_t(engine() % 3 == 0), 0};
  std::vector<OperandDescriptor> others;
  std::vector<const OperandDescriptor*> operands(op.operands.size(), &result);
  const bool along_rows = works_along_rows(post_op.op);
  if (along_rows && result.shape.rank() == 0) return false;
  if (along_rows) choose_rows(post_op, result, 1 + call.spec.post_ops.size(), engine, others);
  for (std::size_t i = 0; i < op.operands.size() && !along_rows; ++i) {
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
  if (!inference.ok() || (op.family != Family::reduction && inference.outputs()[0] != result)) return false;
  call.spec.post_ops.push_back(post_op);
  call.spec.outputs = inference.outputs();
  for (const OperandDescriptor& other : others) {
    TestTensor data{other, std::vector<std::byte>(byte_length(other))};
    for (std::uint64_t i = 0; i < element_count(other.shape); ++i)
      store_element(Number(double(engine() & 0xffff) / 16384 - 2), other.type, data.data.data(), i);
    call.spec.inputs.push_back(other);
    call.inputs.push_back(std::move(data));
  }
  return true;
}

}  // namespace webnn::tests
