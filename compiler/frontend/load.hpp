// Opening a graph file of any supported form: the type is found by content.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "compiler/ir/graph.hpp"
#include "schema/diagnostics.hpp"

namespace webnn::compiler {

enum class FileKind : std::uint8_t { graph_json, graph_text, graph_binary, weights_manifest, program, unknown };

/// What the first bytes (JSON: the top-level "format" member) say.
FileKind detect(std::string_view content);

struct LoadOptions {
  std::optional<FileKind> kind;          // of the content, when the user says so; else it is found by content
  std::string file_name;                 // for messages
  std::filesystem::path base_directory;  // weights files are looked for in and below it; empty: weights are refused
  std::string weights_stem;              // of the weights' names there; empty: the graph file's
  std::filesystem::path weights_file;    // named by the user; empty: found beside the graph file
  std::uint64_t max_file_bytes = std::uint64_t{1} << 30;  // of the graph file; of a binary one without its constants
  std::uint32_t max_nodes = 1u << 20;
  std::uint32_t max_depth = 64;                               // nesting of JSON
  std::uint64_t max_tensor_bytes = schema::max_tensor_bytes;  // of each input, constant and result
  std::uint64_t max_filled_bytes = std::uint64_t{1} << 31;    // of all constants that are one number repeated
  /// Not null: weights may be missing. Counts the constants that refer to a weights file which is not there; they have
  /// bytes all the same, which take no memory and mean nothing.
  std::size_t* without_weights = nullptr;
};

/// The content of a graph file: mapped when it is binary, else read whole. Throws Error: io, or resource when it is
/// longer than `max_bytes` (asked of a binary one when it is read).
Bytes open_graph_file(const std::filesystem::path& file, std::uint64_t max_bytes);

/// Reads a graph file and maps its weights. Nullopt when there are errors. Throws Error when the file cannot be read at
/// all.
std::optional<Graph> load_graph(const std::filesystem::path& file, LoadOptions options, Diagnostics& diagnostics);

/// The same for content that is open already. Constants of a binary graph are views on it.
std::optional<Graph> read_graph(const Bytes& content, const LoadOptions& options, Diagnostics& diagnostics);
/// The same for text; a binary graph is copied.
std::optional<Graph> read_graph(std::string_view content, const LoadOptions& options, Diagnostics& diagnostics);

}  // namespace webnn::compiler
