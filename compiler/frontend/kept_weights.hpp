// How a graph file writes its constants: which lie in a weights file, and under which keys, and which are one number.
// For writers that leave it so.
#pragma once

#include <string_view>

#include "compiler/frontend/load.hpp"
#include "compiler/frontend/source_form.hpp"

namespace webnn::compiler {

/// The keys that `content` names for the constants of `graph`, which was read from it. Constants whose bytes are in the
/// content itself have an empty key.
WeightsKeys kept_weights(std::string_view content, const LoadOptions& options, const Graph& graph);

/// Which constants `content` writes as one number. None where the format cannot say so.
FilledConstants filled_constants(std::string_view content, const LoadOptions& options, const Graph& graph);

}  // namespace webnn::compiler
