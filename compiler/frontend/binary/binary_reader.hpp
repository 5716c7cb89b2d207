// Binary graph file (.wnnb) -> Graph.
#pragma once

#include <optional>

#include "compiler/frontend/load.hpp"

namespace webnn::compiler {

/// Reads a binary graph. Nothing in it is believed: container, checksum of the metadata, FlatBuffers' Verifier, then
/// everything that a graph in text would be asked. The first damage ends the reading; mistakes of nodes are reported
/// each. Constants are views on `file`, which they keep alive, and are not read: `check_constants` does that.
std::optional<Graph> read_binary_graph(const Bytes& file, const LoadOptions& options, Diagnostics& diagnostics);

/// Compares the constants of a graph that was read from a binary file with their checksums, which reads them all; false
/// when one was reported, in `file_name`. Each is compared once; constants of other files have no checksums.
bool check_constants(Graph& graph, const std::string& file_name, Diagnostics& diagnostics);

}  // namespace webnn::compiler
