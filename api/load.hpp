// Graph files and program files: from a path to a compiled graph.
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
  std::map<std::string, std::uint32_t> dimensions{};  // a size for each dimension that the file only names
  std::filesystem::path weightsFile{};                // empty: found beside the graph file
  /// Folder of the weights files of `loadGraphText`; empty: such a graph may not name weights files.
  std::filesystem::path baseDirectory{};

  bool keepLayouts = true;  // see BuildOptions

  // What an untrusted file may cost.
  std::uint64_t maxFileBytes = std::uint64_t{1} << 30;  // of the graph file, without weights
  std::uint64_t maxTensorBytes = 0x7fffffff;            // of a single tensor
  std::uint32_t maxNodes = 1u << 20;

  /// Gets each warning, with its place in the file and ending in a line break.
  std::function<void(const std::string&)> warning{};
};

/// Reads a graph file (webnn-graph-json, .webnn text or binary) with its weights and compiles it. Throws Error: io when
/// a file cannot be read; invalid_input when it is wrong, with all diagnostics in what(), a line or more each;
/// unsupported when the device lacks a kernel; resource when a limit is exceeded or memory runs out.
WEBNN_API Graph loadGraph(const Context& context, const std::filesystem::path& file, const LoadOptions& options = {});

/// The same for the text of a graph file; its name in diagnostics is "graph".
WEBNN_API Graph loadGraphText(const Context& context, std::string_view text, const LoadOptions& options = {});

/// Maps a program file (.wnnc, written by `webnn-cli compile`) and makes it ready; nothing is compiled. The file must
/// not change while the graph lives. Throws Error: io when it cannot be read; program, with the reason in what(), when
/// it is no program file, damaged, of another version, not safe to run, or for another device or processor; resource
/// when a limit is exceeded or memory runs out.
WEBNN_API Graph loadProgram(const Context& context, const std::filesystem::path& file);

}  // namespace webnn
