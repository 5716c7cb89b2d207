// Post-ops for random calls: activations; additions, products and maxima with operands from outside and with the
// results of earlier steps; now and then what works along rows.
#include <iterator>

#include "runtime/cpu/simd/reduction/row_group_parts.hpp"
#include "schema/elements/elements.hpp"
#include "schema/operators/check_spec.hpp"
#include "tests/harness/random/random_call.hpp"

namespace webnn::tests {

namespace {

using Operands = std::vector<NewOperand<KernelSpec>>;

/// Any step so far.
ResultOf any_result(const KernelSpec& spec, std::mt19937& engine) {
  const std::size_t steps = Expression(spec).size();
  return {steps - 1 - engine() % steps};
}

/// Operators along the last axes of the result: their attributes and operands.
Operands choose_rows(const KernelSpec& spec, OperatorId id, Attributes& attributes, std::mt19937& engine) {
  const Operator& op = row(id);
  const OperandDescriptor& result = spec.outputs[0];
  const unsigned rank = result.shape.rank();
  const unsigned first = engine() % 4 == 0 ? unsigned(engine() % rank) : rank - 1;
  Operands operands{running_result(spec)};
  if (id == "softmax"_op) {
    attributes[0].emplace(std::in_place_type<std::int64_t>, first);
    return operands;
  }
  IntegerList axes;
  Shape sizes;
  for (unsigned axis = first; axis < rank; ++axis) {
    axes.push_back(axis);
    sizes.push_back(result.shape[axis]);
  }
  attributes[std::size_t(op.attribute_index("axes"))].emplace(std::in_place_type<IntegerList>, axes);
  if (op.family == Family::reduction)
    attributes[std::size_t(op.attribute_index("keepDimensions"))].emplace(std::in_place_type<bool>, engine() % 2 == 0);
  for (std::size_t i = 1; i < op.operands.size(); ++i) {
    if (sizes == result.shape && engine() % 2)  // what an earlier step gave fits, too
      operands.push_back(any_result(spec, engine));
    else
      operands.push_back(OperandDescriptor{result.type, sizes});
  }
  return operands;
}

/// Operands of elementwise operators: results of steps, and descriptors that broadcast to them.
Operands choose_elements(const KernelSpec& spec, const Operator& op, std::mt19937& engine) {
  const OperandDescriptor& result = spec.outputs[0];
  std::vector<bool> from_outside(op.operands.size());
  if (op.operands.size() == 2) from_outside = {engine() % 3 == 0, engine() % 3 != 0};
  Operands operands;
  for (const bool outside : from_outside) {
    if (!outside) {
      operands.push_back(engine() % 4 == 0 ? any_result(spec, engine) : running_result(spec));
      continue;
    }
    OperandDescriptor other = result;
    if (engine() % 3 == 0) other.shape = Shape{};
    if (engine() % 3 == 0 && result.shape.rank() == 4) other.shape = Shape{result.shape[1], 1, 1};
    if (engine() % 3 == 0 && result.shape.rank() == 2) other.shape = Shape{result.shape[1]};
    operands.push_back(other);
  }
  return operands;
}

}  // namespace

bool append_random_post_op(RandomCall& call, std::mt19937& engine) {
  static const OperatorId elementwise[] = {"@silu"_op,     "relu"_op, "clamp"_op, "sigmoid"_op,   "tanh"_op,
                                           "hardSwish"_op, "gelu"_op, "add"_op,   "mul"_op,       "sub"_op,
                                           "max"_op,       "abs"_op,  "add"_op,   "leakyRelu"_op, "linear"_op};
  static const OperatorId along_rows[] = {"softmax"_op, "reduceMax"_op, "reduceMean"_op, "layerNormalization"_op,
                                          "@rmsNormalization"_op};
  if (call.spec.outputs.size() != 1) return false;
  const OperandDescriptor result = call.spec.outputs[0];
  const OperatorId id =
      engine() % 4 == 0 ? along_rows[engine() % std::size(along_rows)] : elementwise[engine() % std::size(elementwise)];
  const Operator& op = row(id);
  Attributes attributes(op.attributes.size());
  if (op.name == "clamp") {
    attributes[0].emplace(std::in_place_type<Number>, -0.5);
    attributes[1].emplace(std::in_place_type<Number>, 1.5);
  }
  if (works_along_rows(id) && result.shape.rank() == 0) return false;
  const Operands operands =
      works_along_rows(id) ? choose_rows(call.spec, id, attributes, engine) : choose_elements(call.spec, op, engine);
  KernelSpec longer = call.spec;
  append_post_op(longer, id, std::move(attributes), operands);
  const std::vector<OperandDescriptor> results = results_of_steps(longer);
  if (results.size() != Expression(longer).size() || (op.family != Family::reduction && results.back() != result))
    return false;
  longer.outputs = {results.back()};
  call.spec = std::move(longer);
  for (std::size_t i = call.inputs.size(); i < call.spec.inputs.size(); ++i) {
    const OperandDescriptor& other = *call.spec.inputs[i];
    TestTensor data{other, std::vector<std::byte>(byte_length(other))};
    for (std::uint64_t k = 0; k < element_count(other.shape); ++k)
      store_element(Number(double(engine() & 0xffff) / 16384 - 2), other.type, data.data.data(), k);
    call.inputs.push_back(std::move(data));
  }
  return true;
}

}  // namespace webnn::tests
