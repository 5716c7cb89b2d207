#include "tests/harness/error_bound/error_bound.hpp"

#include <algorithm>
#include <array>

#include "schema/operators/check_spec.hpp"
#include "tests/harness/error_bound/bounded_operator.hpp"
#include "tests/harness/stands_for.hpp"

namespace webnn::tests {
namespace {

std::vector<BoundedTensor> bounded_step(const KernelSpec& spec, const OptionalBoundedTensors& inputs, bool folds) {
  auto of_parts = bounded_outputs_of_parts(spec, inputs);
  return of_parts ? std::move(*of_parts) : BoundedOperator(spec, inputs, folds).run();
}

/// Whether an operator that may be folded into weights reads a result of the node.
bool may_fold(const compiler::Graph& graph, compiler::NodeId id) {
  static constexpr std::array<OperatorId, 5> linear = {"add"_op, "sub"_op, "mul"_op, "div"_op, "batchNormalization"_op};
  return std::ranges::any_of(graph.users(graph.node(id).outputs[0]), [&](compiler::NodeId user) {
    return std::ranges::find(linear, graph.node(user).op) != linear.end();
  });
}

}  // namespace

std::vector<BoundedTensor> bounded_outputs(const KernelSpec& spec, const OptionalBoundedTensors& inputs, bool folds) {
  const std::size_t root_count = spec.root_operand_count();
  KernelSpec root;
  root.op = spec.op;
  root.attributes = spec.attributes;
  root.inputs.assign(spec.inputs.begin(), spec.inputs.begin() + std::ptrdiff_t(root_count));
  root.outputs = spec.outputs;
  const OptionalBoundedTensors of_root(inputs.begin(), inputs.begin() + std::ptrdiff_t(root_count));
  if (spec.post_ops.empty()) return bounded_step(root, of_root, folds);

  const std::vector<OperandDescriptor> descriptors = results_of_steps(spec);
  root.outputs = {descriptors.at(0)};
  std::vector<BoundedTensor> results = bounded_step(root, of_root, false);
  auto next = inputs.begin() + std::ptrdiff_t(root_count);
  for (const PostOp& post_op : spec.post_ops) {
    KernelSpec step;
    step.op = post_op.op;
    step.attributes = post_op.attributes;
    OptionalBoundedTensors operands;
    for (std::size_t i = 0; i < row(post_op.op).operands.size(); ++i)
      operands.push_back(post_op.operands[i] != 0 ? results[results.size() - post_op.operands[i]] : *next++);
    for (const auto& operand : operands) step.inputs.push_back(operand->descriptor);
    step.outputs = {descriptors.at(results.size())};
    results.push_back(bounded_step(step, operands, false)[0]);
  }
  return {results.back()};
}

std::vector<BoundedTensor> bounded_outputs(const KernelSpec& spec, const OptionalTensors& inputs) {
  OptionalBoundedTensors bounded;
  for (const auto& input : inputs) bounded.push_back(input ? std::optional(exactly(*input)) : std::nullopt);
  return bounded_outputs(spec, bounded);
}

std::vector<std::pair<std::string, BoundedTensor>> bounded_outputs(const compiler::Graph& graph,
                                                                   const TestTensors& inputs) {
  std::vector<std::optional<BoundedTensor>> values(graph.value_count());
  for (const compiler::ValueId id : graph.inputs())
    for (const auto& [name, tensor] : inputs)
      if (name == graph.value(id).name) values[id.index] = exactly(tensor);
  for (std::uint32_t index = 0; index < graph.value_count(); ++index)
    if (const compiler::Value& value = graph.value({index}); value.kind == compiler::Value::Kind::constant)
      values[index] = exactly({value.descriptor, {value.data.view().begin(), value.data.view().end()}});
  for (const compiler::NodeId id : graph.order()) {
    OptionalBoundedTensors operands;
    for (const compiler::ValueId input : graph.node(id).inputs)
      operands.push_back(input.valid() ? values.at(input.index).value() : std::optional<BoundedTensor>());
    std::vector<BoundedTensor> results = bounded_outputs(graph.spec(id), operands, may_fold(graph, id));
    for (std::size_t i = 0; i < results.size(); ++i) values[graph.node(id).outputs[i].index] = std::move(results[i]);
  }
  std::vector<std::pair<std::string, BoundedTensor>> outputs;
  for (const compiler::GraphOutput& output : graph.outputs())
    outputs.emplace_back(output.name, values[output.value.index].value());
  return outputs;
}

}  // namespace webnn::tests
