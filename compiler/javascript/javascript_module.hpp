// A graph as an ES module that builds it with MLGraphBuilder, and the file of its constants.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/frontend/weights_writer.hpp"
#include "compiler/ir/graph.hpp"

namespace webnn::compiler {

/// What of a graph is written: all that its outputs need. A browser asks for no other inputs.
struct JavascriptParts {
  std::vector<ValueId> inputs, constants;
  std::vector<NodeId> nodes;           // producers first
  std::vector<std::uint64_t> offsets;  // of the constants in their file
  std::uint64_t file_bytes = 0;
};

/// Throws Error (unsupported) when a dimension has no size, or the graph has operators that the builder lacks.
JavascriptParts javascript_parts(const Graph& graph);

/// The constants one after another, each at an offset that every typed array may begin at.
void write_javascript_weights(const Graph& graph, const JavascriptParts& parts, const ByteSink& sink);

/// Writes the module. `weights_file` is the name of the file beside it that holds the constants; empty: they are in the
/// module.
void write_javascript_module(const Graph& graph, const JavascriptParts& parts, const std::string& weights_file,
                             const ByteSink& sink);

}  // namespace webnn::compiler
