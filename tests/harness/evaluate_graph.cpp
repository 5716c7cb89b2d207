#include "tests/harness/evaluate_graph.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

namespace webnn::tests {

using compiler::NodeId;
using compiler::ValueId;

TestTensors evaluate_graph(const compiler::Graph& graph, const TestTensors& inputs) {
  OptionalTensors values(graph.value_count());
  for (const ValueId id : graph.inputs()) {
    const compiler::Value& value = graph.value(id);
    const auto given = std::find_if(inputs.begin(), inputs.end(), [&](const auto& i) { return i.first == value.name; });
    if (given == inputs.end()) throw std::runtime_error("input " + value.name + " is missing");
    if (given->second.descriptor != value.descriptor)
      throw std::runtime_error("input " + value.name + " is " + given->second.descriptor.text() + ", expected " +
                               value.descriptor.text());
    values[id.index] = given->second;
  }
  for (std::uint32_t index = 0; index < graph.value_count(); ++index) {
    const compiler::Value& value = graph.value(ValueId{index});
    if (value.kind == compiler::Value::Kind::constant)
      values[index] = TestTensor{value.descriptor, {value.data.view().begin(), value.data.view().end()}};
  }
  for (const NodeId id : graph.order()) {
    const KernelSpec spec = graph.spec(id);
    OptionalTensors operands;
    RunOptions options;
    for (const ValueId input : graph.node(id).inputs) {
      if (graph.is_constant(input)) options.constants.push_back(operands.size());
      operands.push_back(input.valid() ? values[input.index] : std::nullopt);
    }
    std::vector<TestTensor> results = run_kernel(find_reference_kernel(spec), spec, operands, options);
    for (std::size_t i = 0; i < results.size(); ++i) values[graph.node(id).outputs[i].index] = std::move(results[i]);
  }
  TestTensors outputs;
  for (const compiler::GraphOutput& output : graph.outputs())
    outputs.emplace_back(output.name, values[output.value.index].value());
  return outputs;
}

bool same_results(const TestTensors& a, const TestTensors& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].first != b[i].first || a[i].second.descriptor != b[i].second.descriptor) return false;
    if (a[i].second == b[i].second) continue;
    if (!is_float(a[i].second.descriptor.type)) return false;
    const Numbers left = numbers(a[i].second), right = numbers(b[i].second);
    for (std::size_t j = 0; j < left.size(); ++j)
      if (left[j].text() != right[j].text()) return false;  // text tells -0 from 0
  }
  return true;
}

}  // namespace webnn::tests
