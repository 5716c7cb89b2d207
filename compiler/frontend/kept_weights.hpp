// How a graph file stores its constants: which are in a weights file, under which keys, and which are a single number.
// For writers that keep it that way.
#pragma once

#include <string_view>

#include "compiler/frontend/load.hpp"
#include "compiler/frontend/source_form.hpp"

namespace webnn::compiler {

/// The keys that `content` gives to the constants of `graph`, which was read from it. Constants whose bytes are in the
/// content itself have an empty key.
WeightsKeys kept_weights(std::string_view content, const LoadOptions& options, const Graph& graph);

/// Which constants `content` writes as a single number; none where the format cannot say so.
FilledConstants filled_constants(std::string_view content, const LoadOptions& options, const Graph& graph);

}  // namespace webnn::compiler
