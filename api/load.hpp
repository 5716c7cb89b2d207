// Loads graph files and program files: from a path to a compiled graph.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "api/webnn.hpp"

namespace webnn {

struct LoadOptions {
  std::map<std::string, std::uint32_t> dimensions{};  // sizes of named dimensions
  std::filesystem::path weightsFile{};                // empty: found next to the graph file
  /// The folder of weights files for `loadGraphText`; empty: the graph must not name weights files.
  std::filesystem::path baseDirectory{};

  bool keepLayouts = true;  // see BuildOptions

  // Limits for untrusted files.
  std::uint64_t maxFileBytes = std::uint64_t{1} << 30;  // of the graph file, without weights
  std::uint64_t maxTensorBytes = 0x7fffffff;            // of a single tensor
  std::uint32_t maxNodes = 1u << 20;

  /// Receives each warning, with its position in the file and a line break at the end.
  std::function<void(const std::string&)> warning{};
};

/// Reads a graph file (webnn-graph-json, .webnn text or binary) with its weights and compiles it. Throws Error: io when
/// a file cannot be read; invalid_input when it is wrong, with all diagnostics in what(), at least one line each; usage
/// for sizes of dimensions that are missing or wrong, and for a weights file that would not be read; unsupported when
/// the device lacks a kernel; resource when a limit is exceeded or memory runs out.
WEBNN_API Graph loadGraph(const Context& context, const std::filesystem::path& file, const LoadOptions& options = {});

/// The same for the text of a graph file; its name in diagnostics is "graph".
WEBNN_API Graph loadGraphText(const Context& context, std::string_view text, const LoadOptions& options = {});

/// Maps a program file (.wnnc, written by `webnn-cli compile`) and prepares it; nothing is compiled. The file must not
/// change while the graph exists. Throws Error: io when it cannot be read; program, with the reason in what(), when it
/// is not a program file, damaged, of another version, not safe to run, or for another device or processor; resource
/// when a limit is exceeded or memory runs out.
WEBNN_API Graph loadProgram(const Context& context, const std::filesystem::path& file);

}  // namespace webnn
