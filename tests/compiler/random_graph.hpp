// Random graphs that are hard on memory planning: values of equal sizes, views, nodes of several results, shared
// outputs.
#pragma once

#include "compiler/ir/graph.hpp"

namespace webnn::tests {

/// Deterministic in the seed. Outputs may be inputs, constants or one value several times.
compiler::Graph graph_for_memory(unsigned seed);

}  // namespace webnn::tests
