// webnn-graph-json, versions 1 and 2, as every known tool writes it, into a graph.
#pragma once

#include <optional>
#include <string_view>

#include "compiler/frontend/load.hpp"

namespace webnn::compiler {

/// Reports all independent mistakes; nullopt when there is one.
std::optional<Graph> read_json_graph(std::string_view text, const LoadOptions& options, Diagnostics& diagnostics);

}  // namespace webnn::compiler
