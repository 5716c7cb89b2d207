// Binary graph file (.wnnb) -> Graph.
#pragma once

#include <optional>

#include "compiler/frontend/load.hpp"

namespace webnn::compiler {

/// Reads a binary graph. The file is not trusted: container, metadata checksum and FlatBuffers' Verifier are checked,
/// then everything that is checked for a graph in text. Damage ends the reading; mistakes in nodes are all reported.
/// Constants are views of `file`, keep it alive and are not read: `check_constants` does that.
std::optional<Graph> read_binary_graph(const Bytes& file, const LoadOptions& options, Diagnostics& diagnostics);

/// Compares the constants of a graph from a binary file with their checksums, which reads all of them. False when one
/// differs, which is reported for `file_name`. Each constant is compared only once; constants from other files have no
/// checksums.
bool check_constants(Graph& graph, const std::string& file_name, Diagnostics& diagnostics);

}  // namespace webnn::compiler
