// Reads webnn-graph-json, versions 1 and 2, as written by all known tools, into a graph.
#pragma once

#include <optional>
#include <string_view>

#include "compiler/frontend/load.hpp"

namespace webnn::compiler {

/// Reports all independent mistakes; nullopt when there are any.
std::optional<Graph> read_json_graph(std::string_view text, const LoadOptions& options, Diagnostics& diagnostics);

}  // namespace webnn::compiler
