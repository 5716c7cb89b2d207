// The constants of a graph as a weights file: `.weights` with its manifest, or safetensors. The key of a tensor is the
// constant's name.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "compiler/frontend/source_form.hpp"
#include "compiler/ir/graph.hpp"

namespace webnn::compiler {

/// Takes the file's bytes piece by piece, so that no second copy of the weights is made.
using ByteSink = std::function<void(std::string_view piece)>;

/// The header "WGWT", version 1, then every constant but those that the graph file writes as one number. Each begins at
/// a multiple of 8, so that it can be mapped.
void write_weights(const Graph& graph, const ByteSink& sink, const FilledConstants& filled = {});
/// The manifest for the file that `write_weights` writes.
std::string write_weights_manifest(const Graph& graph, const FilledConstants& filled = {});
/// Throws Error (invalid_input) when a constant is of a 4-bit type, which safetensors has not.
void write_safetensors(const Graph& graph, const ByteSink& sink, const FilledConstants& filled = {});

}  // namespace webnn::compiler
