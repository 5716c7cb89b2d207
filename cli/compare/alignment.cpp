#include "cli/compare/alignment.hpp"

#include "schema/text.hpp"

namespace webnn::cli {

using namespace compiler;

namespace {

bool same_results(const Graph& a, NodeId node, const Graph& b, NodeId other) {
  const std::vector<ValueId>&x = a.node(node).outputs, &y = b.node(other).outputs;
  if (x.size() != y.size()) return false;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (a.value(x[i]).descriptor != b.value(y[i]).descriptor) return false;
  return true;
}

std::string_view op_name(const Graph& graph, NodeId node) { return row(graph.node(node).op).name; }

}  // namespace

Alignment align(const Graph& reference, const Graph& checked) {
  Alignment alignment{std::vector<NodeId>(reference.node_count()), std::vector<ValueId>(checked.value_count())};
  std::vector<bool> taken(checked.node_count());
  std::vector<NodeId> left;
  for (const NodeId id : reference.order()) {
    const ValueId namesake = checked.find_value(reference.value(reference.node(id).outputs[0]).name);
    if (namesake.valid() && checked.value(namesake).kind == Value::Kind::result) {
      const NodeId other = checked.value(namesake).producer;
      alignment.nodes[id.index] = other;
      taken[other.index] = true;
    } else {
      left.push_back(id);
    }
  }
  std::vector<NodeId> others;
  for (const NodeId id : checked.order())
    if (!taken[id.index]) others.push_back(id);
  if (left.size() == others.size())
    for (std::size_t i = 0; i < left.size(); ++i)
      if (same_results(reference, left[i], checked, others[i])) alignment.nodes[left[i].index] = others[i];

  for (const ValueId id : checked.inputs()) {
    const ValueId namesake = reference.find_value(checked.value(id).name);
    if (namesake.valid() && reference.value(namesake).kind == Value::Kind::input)
      alignment.reference[id.index] = namesake;
  }
  for (std::uint32_t i = 0; i < alignment.nodes.size(); ++i) {
    const NodeId other = alignment.nodes[i];
    if (!other.valid() || !same_results(reference, {i}, checked, other)) continue;
    for (std::size_t k = 0; k < checked.node(other).outputs.size(); ++k)
      alignment.reference[checked.node(other).outputs[k].index] = reference.node({i}).outputs[k];
  }
  return alignment;
}

bool takes_the_same(const Graph& reference, NodeId node, const Graph& checked, NodeId counterpart,
                    const Alignment& alignment) {
  const std::vector<ValueId>& mine = reference.node(node).inputs;
  for (std::size_t i = 0; i < checked.node(counterpart).inputs.size(); ++i) {
    const ValueId other = checked.node(counterpart).inputs[i];
    if (!other.valid() || checked.is_constant(other)) continue;
    if (i >= mine.size() || alignment.reference[other.index] != mine[i]) return false;
  }
  return true;
}

std::string structural_difference(const Graph& reference, NodeId node, const Graph& checked, NodeId counterpart,
                                  const Alignment& alignment) {
  const Node &mine = reference.node(node), &other = checked.node(counterpart);
  if (mine.op != other.op)
    return "it is " + std::string(op_name(checked, counterpart)) + " instead of " +
           std::string(op_name(reference, node));
  if (!same_results(reference, node, checked, counterpart)) return "its results have other shapes or types";
  if (mine.attributes != other.attributes) return "its options differ";
  if (!takes_the_same(reference, node, checked, counterpart, alignment)) return "its operands come from elsewhere";
  for (std::size_t i = 0; i < std::min(mine.inputs.size(), other.inputs.size()); ++i) {
    if (!reference.is_constant(mine.inputs[i]) || !checked.is_constant(other.inputs[i])) continue;
    const Value &a = reference.value(mine.inputs[i]), &b = checked.value(other.inputs[i]);
    if (!std::ranges::equal(a.data.view(), b.data.view()))
      return "its constant " + in_quotes(b.name) + " has other contents";
  }
  return {};
}

}  // namespace webnn::cli
