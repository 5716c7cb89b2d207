// Graph -> binary graph file (.wnnb): the container of schema/file, with a FlatBuffer of schema/file/graph.fbs as
// metadata, followed by the constants.
#pragma once

#include "compiler/ir/graph.hpp"
#include "schema/file/container.hpp"

namespace webnn::compiler {

/// Writes inputs, then constants, then the nodes in order. Equal graphs give equal bytes. Throws Error: internal when a
/// node is fused or an internal operator, resource when the graph without its constants exceeds what the format can
/// hold.
void write_binary_graph(const Graph& graph, const FileSink& sink);

}  // namespace webnn::compiler
