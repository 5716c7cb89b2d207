// The format of ES modules: written, not read.
#include "compiler/frontend/format.hpp"
#include "compiler/javascript/javascript_module.hpp"
#include "compiler/javascript/javascript_page.hpp"
#include "schema/error.hpp"

namespace webnn::compiler {
namespace {

/// The longest text that V8 takes as a module.
constexpr std::uint64_t most_characters = (std::uint64_t{1} << 29) - 24;

void check_length(const JavascriptParts& parts) {
  if (parts.file_bytes / 3 * 4 <= most_characters) return;
  throw Error(ExitCode::resource,
              "a module with these weights inside would be longer than 512 MiB, which browsers refuse",
              "--weights external puts them into a file of their own");
}

/// The name of the file with the constants; empty: they are in the module.
std::string constants_file(const WriteOptions& options) {
  return options.weights == WeightsPlace::external ? path_beside(options.file, ".bin").filename().string() : "";
}

WrittenGraph write_javascript_files(const Graph& graph, const WriteOptions& options) {
  const JavascriptParts parts = javascript_parts(graph);
  const std::string constants = constants_file(options);
  if (constants.empty()) check_length(parts);
  WrittenGraph written;
  if (!constants.empty() && !parts.constants.empty())
    written.files.push_back({path_beside(options.file, ".bin"),
                             [&graph, parts](const ByteSink& sink) { write_javascript_weights(graph, parts, sink); }});
  written.files.push_back({options.file, [&graph, parts, constants](const ByteSink& sink) {
                             write_javascript_module(graph, parts, constants, sink);
                           }});
  return written;
}

WrittenFile write_page_beside(const Graph& graph, const WriteOptions& options) {
  std::function<void(const ByteSink&)> module;
  if (options.weights == WeightsPlace::in_graph)
    module = [&graph](const ByteSink& sink) { write_javascript_module(graph, javascript_parts(graph), "", sink); };
  return {path_beside(options.file, ".html"), [module, name = options.file.filename().string()](const ByteSink& sink) {
            write_javascript_page(name, module, sink);
          }};
}

constexpr WeightsPlace javascript_weights[] = {WeightsPlace::external, WeightsPlace::in_graph};

}  // namespace

constinit const Format javascript_format{.name = "javascript",
                                         .suffix = ".js",
                                         .write = write_javascript_files,
                                         .weights = javascript_weights,
                                         .external_file = "STEM.bin",
                                         .page = write_page_beside};

}  // namespace webnn::compiler
