#include "api/load.hpp"

#include <limits>
#include <utility>

#include "api/internals.hpp"
#include "compiler/frontend/load.hpp"
#include "compiler/frontend/mapped_file.hpp"
#include "schema/render_diagnostics.hpp"
#include "schema/text.hpp"

namespace webnn {
namespace {

using schema::Diagnostic;
using schema::Diagnostics;
using schema::Severity;

compiler::LoadOptions reader_options(const LoadOptions& options) {
  compiler::LoadOptions result;
  result.base_directory = options.baseDirectory;
  result.weights_file = options.weightsFile;
  result.max_file_bytes = options.maxFileBytes;
  result.max_tensor_bytes = options.maxTensorBytes;
  result.max_nodes = options.maxNodes;
  return result;
}

/// Passes warnings to the caller; throws the errors, if any, as one exception.
void report(const Diagnostics& diagnostics, const std::string& file, std::string_view text,
            const LoadOptions& options) {
  std::string errors;
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    const std::string rendered = render(diagnostic, diagnostic.location.file == file ? text : std::string_view{});
    if (diagnostic.severity == Severity::error)
      errors += "\n" + rendered;
    else if (options.warning)
      options.warning(rendered);
  }
  if (errors.empty()) return;
  errors.pop_back();
  throw Error(exit_code_of(diagnostics),
              schema::in_quotes(file) + " has " + schema::counted(diagnostics.error_count(), "error") + ":" + errors);
}

Graph load(const Context& context, const schema::Bytes& content, const compiler::LoadOptions& reading,
           const LoadOptions& options) {
  Diagnostics diagnostics;
  std::optional<compiler::Graph> graph = compiler::read_graph(content, reading, diagnostics);
  std::optional<Graph> result;
  if (graph) {
    compiler::Options compiling;
    compiling.keep_layouts = options.keepLayouts;
    compiling.dimensions.assign(options.dimensions.begin(), options.dimensions.end());
    result = api::Internals::compile(context, std::move(*graph), std::move(compiling), diagnostics);
  }
  report(diagnostics, reading.file_name, {reinterpret_cast<const char*>(content.data()), content.size()}, options);
  return std::move(*result);
}

}  // namespace

Graph loadGraph(const Context& context, const std::filesystem::path& file, const LoadOptions& options) {
  compiler::LoadOptions reading = reader_options(options);
  reading.file_name = file.string();
  reading.base_directory = file.has_parent_path() ? file.parent_path() : ".";
  return load(context, compiler::open_graph_file(file, options.maxFileBytes), reading, options);
}

Graph loadGraphText(const Context& context, std::string_view text, const LoadOptions& options) {
  compiler::LoadOptions reading = reader_options(options);
  reading.file_name = "graph";
  const std::span<const std::byte> bytes = std::as_bytes(std::span(text));
  return load(context, schema::Bytes(std::vector<std::byte>(bytes.begin(), bytes.end())), reading, options);
}

Graph loadProgram(const Context& context, const std::filesystem::path& file) {
  const schema::Bytes bytes = compiler::map_file(file, std::numeric_limits<std::uint64_t>::max());
  Diagnostics diagnostics;
  std::optional<schema::Program> program = api::Internals::read_program(context, bytes, file.string(), diagnostics);
  report(diagnostics, file.string(), {}, {});
  return api::Internals::prepare(context, std::move(*program));
}

}  // namespace webnn
