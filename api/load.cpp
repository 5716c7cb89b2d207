#include "api/load.hpp"

#include <limits>
#include <utility>

#include "api/internals.hpp"
#include "api/runner/model.hpp"
#include "api/runner/read_program.hpp"
#include "compiler/frontend/mapped_file.hpp"
#include "schema/elements/memory_account.hpp"
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

/// Passes warnings to the caller; throws the errors, if any, as one exception. Of very many, the first are told: each is
/// looked for in the file.
void report(const Diagnostics& diagnostics, const std::string& file, std::string_view text,
            const std::function<void(const std::string&)>& warning) {
  constexpr std::size_t most_told = 100;
  std::string errors;
  std::size_t error_count = 0, warning_count = 0;
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    if (++(diagnostic.severity == Severity::error ? error_count : warning_count) > most_told) continue;
    const std::string rendered = render(diagnostic, diagnostic.location.file == file ? text : std::string_view{});
    if (diagnostic.severity == Severity::error)
      errors += "\n" + rendered;
    else if (warning)
      warning(rendered);
  }
  const auto more = [](std::size_t count) { return "... and " + std::to_string(count - most_told) + " more\n"; };
  if (warning && warning_count > most_told) warning(more(warning_count));
  if (errors.empty()) return;
  if (error_count > most_told) errors += "\n" + more(error_count);
  errors.pop_back();
  throw Error(exit_code_of(diagnostics),
              schema::in_quotes(file) + " has " + schema::counted(diagnostics.error_count(), "error") + ":" + errors);
}

Graph load(const Context& context, api::Source source, const LoadOptions& options) {
  compiler::Options compiling;
  compiling.keep_layouts = options.keepLayouts;
  compiling.dimensions.assign(options.dimensions.begin(), options.dimensions.end());
  return api::Internals::load(context, std::move(source), reader_options(options), std::move(compiling),
                              options.warning);
}

}  // namespace

Graph api::Internals::load(const Context& context, Source source, const compiler::LoadOptions& reading,
                           compiler::Options compiling, const std::function<void(const std::string&)>& warning) {
  const schema::AccountScope account(max_memory(context));
  Diagnostics diagnostics;
  Model model(std::move(source), reading);
  model.limit_work(max_work(context));
  std::optional<Graph> result;
  if (model.read(diagnostics)) result = compile(context, model.take_graph(), std::move(compiling), diagnostics);
  report(diagnostics, model.name(), model.source().text(), warning);
  return std::move(*result);
}

Graph loadGraph(const Context& context, const std::filesystem::path& file, const LoadOptions& options) {
  api::Source source{file.string(), compiler::open_graph_file(file, options.maxFileBytes), ".", {}, nullptr};
  if (file.has_parent_path()) source.base_directory = file.parent_path();
  return load(context, std::move(source), options);
}

Graph loadGraphText(const Context& context, std::string_view text, const LoadOptions& options) {
  const std::span<const std::byte> bytes = std::as_bytes(std::span(text));
  schema::Bytes content(std::vector<std::byte>(bytes.begin(), bytes.end()));
  return load(context, {"graph", std::move(content), options.baseDirectory, {}, nullptr}, options);
}

Graph loadProgram(const Context& context, const std::filesystem::path& file) {
  const schema::Bytes bytes = compiler::map_file(file, std::numeric_limits<std::uint64_t>::max());
  Diagnostics diagnostics;
  std::optional<schema::Program> program =
      api::read_program_for(api::Internals::device(context), bytes, file.string(), diagnostics);
  report(diagnostics, file.string(), {}, {});
  return api::Internals::prepare(context, std::move(*program));
}

}  // namespace webnn
