// An order of execution that computes each value only when it is about to be used.
#pragma once

#include <vector>

#include "compiler/ir/graph.hpp"

namespace webnn::compiler {

/// Live nodes, producers before consumers: depth first from the graph's outputs, then the nodes that no output needs.
/// In a file that lists nodes branch by branch or level by level, many values may be live at once; this order finishes
/// one branch first.
std::vector<NodeId> demand_order(const Graph& graph);

}  // namespace webnn::compiler
