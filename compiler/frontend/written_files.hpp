// What the writer of a format makes of a graph: files, the graph's own and those beside it that hold its weights.
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

/// Where the bytes of constants are put.
enum class WeightsPlace : std::uint8_t {
  manifest,     // STEM.weights and STEM.manifest.json
  safetensors,  // STEM.safetensors
  in_graph,
  kept,      // where they are: the graph refers to the same keys, and nothing is written
  external,  // a file of the format's own
};

struct WriteOptions {
  std::filesystem::path file;  // the graph's; the others lie beside it
  WeightsPlace weights = WeightsPlace::in_graph;
  WeightsKeys keys = {};        // of a format that keeps the source
  FilledConstants filled = {};  // the same
  bool rename = false;          // names that the format has not become others
};

/// A file of the result and how its bytes are made.
struct WrittenFile {
  std::filesystem::path path;
  std::function<void(const ByteSink&)> write;
};

/// Refers to the graph and the options that it was made of.
struct WrittenGraph {
  std::vector<WrittenFile> files;  // the graph last, because it refers to the others
  /// The graph's name of a value or output, and the name in the file.
  std::vector<std::pair<std::string, std::string>> renamed;
};

/// A file whose content is at hand.
WrittenFile whole_file(std::filesystem::path path, std::string content);

/// "FOLDER/STEM" of a graph file with `ending` behind it.
std::filesystem::path path_beside(const std::filesystem::path& graph_file, std::string_view ending);

/// The files of WeightsPlace::manifest and safetensors; none for other places or when all constants are in the graph.
/// Throws Error (usage) when a file that is there already would be read instead.
std::vector<WrittenFile> weights_beside(const Graph& graph, const WriteOptions& options);

}  // namespace webnn::compiler
