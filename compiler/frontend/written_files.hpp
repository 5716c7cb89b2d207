// The result of writing a graph in a format: the graph file, and the files with its weights.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/frontend/source_form.hpp"
#include "compiler/frontend/weights_writer.hpp"
#include "compiler/ir/graph.hpp"

namespace webnn::compiler {

/// Where the bytes of constants are written.
enum class WeightsPlace : std::uint8_t {
  manifest,     // STEM.weights and STEM.manifest.json
  safetensors,  // STEM.safetensors
  in_graph,
  kept,      // nothing is written; the graph refers to the existing files by the same keys
  external,  // a file specific to the format
};

struct WriteOptions {
  std::filesystem::path file;  // the graph file; the others go into the same folder
  WeightsPlace weights = WeightsPlace::in_graph;
  WeightsKeys keys = {};        // for formats with `keeps_source`
  FilledConstants filled = {};  // likewise
  bool rename = false;          // replaces names that the format cannot hold
};

/// A file to write, and the function that writes its bytes.
struct WrittenFile {
  std::filesystem::path path;
  std::function<void(const ByteSink&)> write;
};

/// Refers to the graph and the options it was made from.
struct WrittenGraph {
  std::vector<WrittenFile> files;  // the graph last, because it refers to the others
  /// Pairs of a value's or output's name in the graph and its name in the file.
  std::vector<std::pair<std::string, std::string>> renamed;
};

/// A file with this content.
WrittenFile whole_file(std::filesystem::path path, std::string content);

/// "FOLDER/STEM" of a graph file, followed by `ending`.
std::filesystem::path path_beside(const std::filesystem::path& graph_file, std::string_view ending);

/// The files of WeightsPlace::manifest and safetensors; none for other places or when all constants are in the graph.
/// Throws Error (usage) when an existing file would be read instead of them.
std::vector<WrittenFile> weights_beside(const Graph& graph, const WriteOptions& options);
/// The places of a format that uses it, the default first.
inline constexpr WeightsPlace places_beside[] = {WeightsPlace::manifest, WeightsPlace::in_graph,
                                                 WeightsPlace::safetensors, WeightsPlace::kept};

}  // namespace webnn::compiler
