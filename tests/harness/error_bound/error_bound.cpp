#include "tests/harness/error_bound/error_bound.hpp"

#include <algorithm>
#include <array>

#include "tests/harness/error_bound/bounded_operator.hpp"
#include "tests/harness/outputs_by_steps.hpp"
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
  const bool is_alone = spec.post_ops.empty();
  std::vector<BoundedTensor> results =
      outputs_by_steps(spec, inputs, [&](const KernelSpec& step, const OptionalBoundedTensors& operands) {
        return bounded_step(step, operands, folds && is_alone);
      });
  return is_alone ? results : std::vector{results.back()};
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
