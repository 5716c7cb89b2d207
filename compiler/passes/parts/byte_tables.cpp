#include "compiler/passes/parts/byte_tables.hpp"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compiler/ir/addition.hpp"
#include "compiler/ir/free_name.hpp"
#include "compiler/passes/parts/constant_folder.hpp"

namespace webnn::compiler {
namespace {

bool is_byte(DataType type) { return type == DataType::int8 || type == DataType::uint8; }

/// For each value: the 8-bit value that it is a function of, and through how many nodes.
class Sources {
 public:
  explicit Sources(const Graph& graph) : graph_(graph), of_(graph.value_count()) {
    for (std::uint32_t i = 0; i < graph.value_count(); ++i)
      if (is_byte(graph.value({i}).descriptor.type)) of_[i] = {ValueId{i}, 0};
    for (const NodeId id : graph.order()) look_at(graph.node(id));
  }

  /// The value itself if it has bytes and is not a function of another one; invalid for others.
  ValueId operator[](ValueId value) const { return of_[value.index].value; }

 private:
  struct Source {
    ValueId value;
    std::size_t nodes = 0;
  };
  static constexpr std::size_t most_nodes = 64;

  void look_at(const Node& node) {
    const Family family = row(node.op).family;
    if ((family != Family::unary && family != Family::binary && node.op != "dequantizeLinear"_op &&
         node.op != "quantizeLinear"_op && node.op != "@byteTable"_op) ||
        !node.post_ops.empty())
      return;
    Source found;
    // Only elementwise operators take a function of bytes as any operand; others only as their first operand.
    const bool anywhere = family == Family::unary || family == Family::binary;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      if (node.op == "@byteTable"_op && i == 1) continue;
      const Value& input = graph_.value(node.inputs[i]);
      if (graph_.is_constant(node.inputs[i]) && element_count(input.descriptor.shape) == 1) continue;
      const Source& source = of_[node.inputs[i].index];
      if (!(anywhere || i == 0) || !source.value.valid() || (found.value.valid() && found.value != source.value))
        return;
      found = {source.value, found.nodes + source.nodes};
    }
    const ValueId output = node.outputs[0];
    if (!found.value.valid() || ++found.nodes > most_nodes ||
        graph_.value(output).descriptor.shape != graph_.value(found.value).descriptor.shape)
      return;
    of_[output.index] = found;
  }

  const Graph& graph_;
  std::vector<Source> of_;
};

/// Adds copies of the nodes that compute functions of `source`, applied to all bytes. Functions share what they have in
/// common: long ones with many results would otherwise be copied for each.
class TableBuilder {
 public:
  TableBuilder(Graph& graph, ValueId source) : graph_(graph) {
    std::vector<std::byte> bytes(256);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = std::byte(i);
    const OperandDescriptor all{graph_.value(source).descriptor.type, {std::uint32_t(bytes.size())}};
    known_[source.index] = graph_.add_constant("bytes", all, Bytes(std::move(bytes)));
  }

  /// The table of a function. `settle` follows, or `forget` if the addition is not kept.
  ValueId value(ValueId of, Addition& addition) {
    if (const auto found = known_.find(of.index); found != known_.end()) return found->second;
    ValueId made;
    if (graph_.is_constant(of)) {
      const Value& constant = graph_.value(of);
      made =
          element_count(constant.descriptor.shape) == 1
              ? graph_.add_constant(derived_name(constant.name), {constant.descriptor.type, {1}}, Bytes(constant.data))
              : of;
    } else {
      const Node node = graph_.node(graph_.value(of).producer);  // a copy, because nodes are added
      std::vector<ValueId> inputs;
      for (const ValueId input : node.inputs) inputs.push_back(value(input, addition));
      made = addition.value(node.op, std::move(inputs), node.attributes, node.label);
      added_.push_back(of.index);
    }
    known_[of.index] = made;
    return made;
  }
  /// Folds the nodes that were added: `nodes`.
  void settle(const std::vector<NodeId>& nodes, ConstantFolder& folder) {
    std::vector<std::string> names;  // a result keeps its name when it becomes a constant
    for (const std::uint32_t of : added_) names.push_back(graph_.value(known_[of]).name);
    for (const NodeId node : nodes) folder.fold(node);
    for (std::size_t i = 0; i < added_.size(); ++i) known_[added_[i]] = graph_.find_value(names[i]);
    added_.clear();
  }
  void forget() {
    for (const std::uint32_t of : added_) known_.erase(of);
    added_.clear();
  }

 private:
  Graph& graph_;
  std::map<std::uint32_t, ValueId> known_;
  std::vector<std::uint32_t> added_;  // since `settle`
};

}  // namespace

bool make_byte_tables(Unit& unit, const Acceptable& acceptable) {
  Graph& graph = unit.graph;
  const Sources sources(graph);
  ConstantFolder folder(unit);
  std::map<std::uint32_t, TableBuilder> builders;        // by source
  std::set<std::pair<std::uint32_t, DataType>> refused;  // sources and types of tables that no kernel takes
  bool found = false;
  for (const NodeId id : graph.order()) {
    const ValueId result = graph.node(id).outputs[0];
    if (graph.node(id).op != "quantizeLinear"_op || !is_byte(graph.value(result).descriptor.type)) continue;
    const ValueId source = sources[result];
    if (source == result) continue;
    const std::pair call(source.index, graph.value(result).descriptor.type);
    if (refused.contains(call)) continue;
    Addition addition(graph);
    TableBuilder& builder = builders.try_emplace(source.index, graph, source).first->second;
    const ValueId table = builder.value(result, addition);
    const std::vector<NodeId> nodes = addition.nodes();
    const NodeId look_up = addition.node("@byteTable"_op, {source, table}, {}, graph.node(id).label);
    if (addition.failed() || !acceptable(graph, id, look_up)) {
      builder.forget();
      refused.insert(call);
      continue;
    }
    addition.keep();
    builder.settle(nodes, folder);
    const ValueId looked_up = graph.node(look_up).outputs[0];
    const std::string name = graph.value(result).name;
    graph.replace_uses(result, looked_up);
    graph.erase(id);
    graph.rename(looked_up, name);
    found = true;
  }
  return found;
}

}  // namespace webnn::compiler
