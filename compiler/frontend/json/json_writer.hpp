// Writes a graph as webnn-graph-json version 2 in a canonical way: reading the text and writing it again gives the same
// bytes. Inputs, constants, nodes and outputs keep the graph's order.
#pragma once

#include <string>
#include <string_view>

#include "compiler/frontend/source_form.hpp"

namespace webnn::compiler {

/// Optional operands are written where every reader finds them: by position for conv2d, convTranspose2d and
/// layerNormalization, by name in the options for all other operators. Defaults that differ between readers are written
/// explicitly. Throws Error (internal) for a graph with something that files cannot express (post-ops, internal
/// operators).
std::string write_json_graph(const Graph& graph, const WeightsKeys& keys, const FilledConstants& filled = {});
inline std::string write_json_graph(const Graph& graph, WeightsStyle weights) {
  return write_json_graph(graph, weights_keys(graph, weights));
}

/// "text" with JSON's escapes, in quotes.
std::string json_string(std::string_view text);

}  // namespace webnn::compiler
