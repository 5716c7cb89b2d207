#include "compiler/frontend/written_files.hpp"

#include "compiler/frontend/weights.hpp"
#include "schema/error.hpp"
#include "schema/text.hpp"

namespace webnn::compiler {

namespace fs = std::filesystem;

WrittenFile whole_file(fs::path path, std::string content) {
  return {std::move(path), [content = std::move(content)](const ByteSink& sink) { sink(content); }};
}

fs::path path_beside(const fs::path& graph_file, std::string_view ending) {
  return graph_file.parent_path() / (graph_file.stem().string() + std::string(ending));
}

std::vector<WrittenFile> weights_beside(const Graph& graph, const WriteOptions& options) {
  const bool manifest = options.weights == WeightsPlace::manifest;
  const bool safetensors = options.weights == WeightsPlace::safetensors;
  const FilledConstants& filled = options.filled;
  if (!(manifest || safetensors) || stored_constants(graph, filled).empty()) return {};
  const fs::path file = path_beside(options.file, manifest ? ".weights" : ".safetensors");
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  const std::string stem = options.file.stem().string();
  if (const std::string other = taken_instead(folder, stem, file.filename().string()); !other.empty())
    throw Error(ExitCode::usage,
                in_quotes((folder / other).string()) + " would be read instead of the weights of " +
                    in_quotes(options.file.string()),
                "write into another folder, or use --weights inline");
  if (safetensors) return {{file, [&](const ByteSink& sink) { write_safetensors(graph, sink, filled); }}};
  return {{file, [&](const ByteSink& sink) { write_weights(graph, sink, filled); }},
          whole_file(path_beside(options.file, ".manifest.json"), write_weights_manifest(graph, filled))};
}

}  // namespace webnn::compiler
