// Writes the constants of a graph as a weights file: `.weights` with its manifest, or safetensors. The key of a tensor
// is the constant's name.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "compiler/frontend/source_form.hpp"
#include "compiler/ir/graph.hpp"

namespace webnn::compiler {

/// Receives the file's bytes piece by piece, so that the weights are not copied a second time.
using ByteSink = std::function<void(std::string_view piece)>;

/// Writes the header "WGWT", version 1, then every constant except those that the graph file writes as a single number.
/// Each begins at a multiple of 8, so that it can be mapped.
void write_weights(const Graph& graph, const ByteSink& sink, const FilledConstants& filled = {});
/// The manifest for the file written by `write_weights`.
std::string write_weights_manifest(const Graph& graph, const FilledConstants& filled = {});
/// Throws Error (invalid_input) for a constant with a 4-bit type, which safetensors does not have.
void write_safetensors(const Graph& graph, const ByteSink& sink, const FilledConstants& filled = {});

}  // namespace webnn::compiler
