#include "api/runner/source.hpp"

namespace webnn::api {

using namespace schema;
namespace fs = std::filesystem;

namespace {

/// Reads the content and finds its format.
void read_content(Source& source, const compiler::FileName& file, const compiler::LoadOptions& options) {
  if (!options.base_directory.empty()) source.base_directory = options.base_directory;
  source.content = compiler::open_graph_file(file, options.max_file_bytes, options.formats);
  source.format = options.format ? options.format : compiler::recognise(options.formats, source.text());
}

}  // namespace

Source open_source(const compiler::FileName& file, const compiler::LoadOptions& options) {
  Source source;
  source.name = file.string();
  source.base_directory = file.path.has_parent_path() ? file.path.parent_path() : fs::path(".");
  read_content(source, file, options);
  return source;
}

Source open_standard_input(const compiler::LoadOptions& options) {
  Source source;
  source.name = standard_input_name;
  source.weights_stem = "model";
  read_content(source, "/dev/stdin", options);
  return source;
}

compiler::LoadOptions load_options(const Source& source, const compiler::LoadOptions& options) {
  compiler::LoadOptions loading = options;
  loading.file_name = source.name;
  loading.base_directory = source.base_directory;
  loading.weights_stem = source.weights_stem;
  return loading;
}

SourceText lines_of(const Source& source) {
  return [&source](std::string_view file) { return file == source.name ? source.text() : std::string_view{}; };
}

}  // namespace webnn::api
