// Proves a graph sound. The pipeline runs it after every pass; a sentence that it returns is a bug of a pass.
#pragma once

#include <string>
#include <vector>

#include "compiler/ir/graph.hpp"

namespace webnn::compiler {

/// What is wrong, one plain sentence each; empty when the graph is sound: ids in range, one producer for every result,
/// operands as the operator's row asks, descriptors as inferred, constants with all their bytes, unique names, existing
/// outputs and named dimensions, no cycle.
std::vector<std::string> verify(const Graph& graph);

}  // namespace webnn::compiler
