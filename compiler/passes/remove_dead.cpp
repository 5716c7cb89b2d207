// remove_dead (dead-code elimination): nodes without a path to a graph output -> nothing. Inputs stay, because callers
// bind them by name.
#include "compiler/passes/passes.hpp"

namespace webnn::compiler {

void remove_dead(Unit& unit) {
  Graph& graph = unit.graph;
  const std::vector<NodeId> order = graph.order();
  // Consumers come later in the order, so a single backward walk sees all uses of a result.
  for (auto id = order.rbegin(); id != order.rend(); ++id) {
    bool used = false;
    for (ValueId output : graph.node(*id).outputs) used = used || graph.use_count(output) != 0;
    if (!used) graph.erase(*id);
  }
}

}  // namespace webnn::compiler
