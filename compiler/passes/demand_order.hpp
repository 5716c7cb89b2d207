// An order of execution that computes a value only when it is about to be used.
#pragma once

#include <vector>

#include "compiler/ir/graph.hpp"

namespace webnn::compiler {

/// Live nodes, producers before consumers: depth first from the graph's outputs, then the nodes that no output needs. A
/// file that lists nodes branch by branch or level by level may keep many values alive; this order finishes one branch
/// first.
std::vector<NodeId> demand_order(const Graph& graph);

}  // namespace webnn::compiler
