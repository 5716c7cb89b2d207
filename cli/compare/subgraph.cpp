#include "cli/compare/subgraph.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "schema/error.hpp"
#include "schema/text.hpp"

namespace webnn::cli {

using namespace compiler;

namespace {

class Builder {
 public:
  Builder(const Graph& graph, Operands operands) : graph_(graph), operands_(operands) { part_.graph.name = graph.name; }

  void add(NodeId id) {
    const Node& node = graph_.node(id);
    std::vector<ValueId> inputs;
    for (const ValueId input : node.inputs) inputs.push_back(input.valid() ? operand(input) : input);
    // With separate nodes, a result may share its name with an input that another node takes; the graph makes it
    // unique.
    std::vector<std::string> names;
    for (const ValueId output : node.outputs) names.push_back(graph_.value(output).name);
    std::vector<CallError> errors;
    const NodeId added = part_.graph.add_node(node.op, std::move(inputs), node.attributes, names, node.label, &errors);
    if (!added.valid())
      throw Error(ExitCode::internal, "operator " + in_quotes(node.label) + " cannot stand alone: " +
                                          (errors.empty() ? std::string("unknown") : errors[0].message));
    for (std::size_t i = 0; i < node.outputs.size(); ++i)
      results_[node.outputs[i].index] = part_.graph.node(added).outputs[i];
  }

  Subgraph finish(std::span<const ValueId> outputs) {
    for (const ValueId output : outputs) {
      part_.graph.add_output(graph_.value(output).name, results_.at(output.index));
      part_.outputs.push_back(output);
    }
    return std::move(part_);
  }

 private:
  ValueId operand(ValueId id) {
    if (operands_ == Operands::chained)
      if (const auto result = results_.find(id.index); result != results_.end()) return result->second;
    const auto [known, is_new] = taken_.try_emplace(id.index);
    if (!is_new) return known->second;
    const Value& value = graph_.value(id);
    if (value.kind == Value::Kind::constant) {
      known->second = part_.graph.add_constant(value.name, value.descriptor, value.data);
    } else {
      known->second = part_.graph.add_input(value.name, value.descriptor);
      part_.inputs.push_back(id);
    }
    return known->second;
  }

  const Graph& graph_;
  Operands operands_;
  Subgraph part_;
  std::unordered_map<std::uint32_t, ValueId> results_, taken_;  // by value of the whole graph
};

}  // namespace

Subgraph part_of(const Graph& graph, std::span<const NodeId> nodes, std::span<const ValueId> outputs,
                 Operands operands) {
  Builder builder(graph, operands);
  for (const NodeId id : nodes) builder.add(id);
  return builder.finish(outputs);
}

std::vector<ValueId> live_results(const Graph& graph, std::span<const NodeId> nodes) {
  std::vector<bool> inside(graph.node_count());
  for (const NodeId id : nodes) inside[id.index] = true;
  std::vector<ValueId> live;
  for (const NodeId id : nodes)
    for (const ValueId output : graph.node(id).outputs)
      if (graph.is_output(output) ||
          std::ranges::any_of(graph.users(output), [&](NodeId user) { return !inside[user.index]; }))
        live.push_back(output);
  return live;
}

}  // namespace webnn::cli
