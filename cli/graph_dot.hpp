// A graph as a Graphviz picture.
#pragma once

#include <iosfwd>

#include "compiler/ir/graph.hpp"

namespace webnn::cli {

/// Operators as boxes coloured by family, inputs and outputs as ellipses, shapes on the arrows; constants are left out.
void print_dot(std::ostream& out, const compiler::Graph& graph);

}  // namespace webnn::cli
