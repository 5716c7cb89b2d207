// split_outputs: a graph output that is an input, a constant or another output a second time -> an identity of it.
//
// Each output is memory of the caller, so each needs a node that writes it. Runs after the simplifications, which would
// remove the identities.
#include <unordered_set>

#include "compiler/passes/passes.hpp"

namespace webnn::compiler {

void split_outputs(Unit& unit) {
  Graph& graph = unit.graph;
  std::unordered_set<std::uint32_t> taken;
  for (std::size_t i = 0; i < graph.outputs().size(); ++i) {
    const ValueId value = graph.outputs()[i].value;
    if (graph.value(value).kind == Value::Kind::result && taken.insert(value.index).second) continue;
    const std::string name = graph.outputs()[i].name;
    const NodeId copy = graph.add_node("identity"_op, {value}, {}, std::span(&name, 1), name);
    graph.set_output(i, graph.node(copy).outputs[0]);
  }
}

}  // namespace webnn::compiler
