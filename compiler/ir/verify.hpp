// Checks that a graph is sound. The pipeline runs it after every pass; every problem that it finds is a bug in a pass.
#pragma once

#include <string>
#include <vector>

#include "compiler/ir/graph.hpp"

namespace webnn::compiler {

/// What is wrong, one plain sentence each; empty when the graph is sound: ids in range, one producer for every result,
/// operands as the operator's row requires, descriptors as inferred, constants with all their bytes, unique names,
/// existing outputs and named dimensions, no cycle.
std::vector<std::string> verify(const Graph& graph);

}  // namespace webnn::compiler
