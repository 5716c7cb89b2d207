// Graph -> binary graph file (.wnnb): the container of schema/file with a FlatBuffer of schema/file/graph.fbs as its
// metadata and the constants behind it.
#pragma once

#include "compiler/ir/graph.hpp"
#include "schema/file/container.hpp"

namespace webnn::compiler {

/// Writes the graph: inputs, then constants, then the nodes in order. Equal graphs give equal bytes. Throws Error:
/// internal when a node is fused or internal, resource when the graph without its constants exceeds what the form can
/// hold.
void write_binary_graph(const Graph& graph, const FileSink& sink);

}  // namespace webnn::compiler
