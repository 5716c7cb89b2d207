#include "cli/programs/model_file.hpp"

#include "api/program_file.hpp"
#include "cli/output/messages.hpp"
#include "cli/programs/similar_files.hpp"
#include "compiler/formats/all_formats.hpp"
#include "schema/error.hpp"
#include "schema/text.hpp"

namespace webnn::cli {

using namespace schema;
namespace fs = std::filesystem;

void add_format_option(OptionList& list, LimitOptions& limits) {
  std::vector<std::string_view> words;
  for (const compiler::Format* format : compiler::read_formats(compiler::all_formats())) words.push_back(format->name);
  list.add("--format", limits.form, "what the file is: " + compiler::either_of(words) + "; else found by content")
      .one_of({words.begin(), words.end()});
}

void add_limit_options(OptionList& list, LimitOptions& limits) {
  list.add("--max-model-size", limits.max_model_bytes, "largest graph file, without its weights")
      .size()
      .shows_default("1 GiB");
  list.add("--max-nodes", limits.max_nodes, "most operators of a graph").shows_default();
  list.add("--max-tensor-bytes", limits.max_tensor_bytes, "largest single tensor").size().shows_default("2 GiB");
  list.add(
      "--base-dir", limits.base_directory,
      "folder of the weights, when it is not the graph file's; what comes from standard input needs it for weights");
  list.add("--weights-file", limits.weights_file, "the weights, when they do not lie beside the graph file");
}

ModelFile read_model_file(const fs::path& file, const LimitOptions& limits) {
  ModelFile model;
  const bool standard_input = file == "-";
  if (standard_input) {
    model.name = standard_input_name;
    model.weights_stem = "model";
  } else {
    model.name = file.string();
    model.base_directory = file.has_parent_path() ? file.parent_path() : fs::path(".");
  }
  if (!limits.base_directory.empty()) model.base_directory = limits.base_directory;
  try {
    model.content = with_similar_file(file, [&] {
      return compiler::open_graph_file(standard_input ? "/dev/stdin" : file, limits.max_model_bytes,
                                       compiler::all_formats());
    });
  } catch (const Error& error) {
    if (error.code() != ExitCode::resource) throw;
    throw Error(error.code(), error.what(), "--max-model-size raises the limit");
  }
  model.format_is_forced = !limits.form.empty();
  model.format = model.format_is_forced ? compiler::format_named(compiler::all_formats(), limits.form)
                                        : compiler::recognise(compiler::all_formats(), model.text());
  return model;
}

std::variant<ModelFile, ProgramFile> read_model_or_program(const std::string& file, const LimitOptions& limits) {
  if (file != "-" && limits.form.empty())
    if (auto program = api::map_program_file(file)) return ProgramFile{file, std::move(*program)};
  ModelFile model = read_model_file(file, limits);
  if (!model.holds(compiler::Holds::program)) return model;
  return ProgramFile{model.name, model.content};
}

compiler::LoadOptions load_options(const ModelFile& model, const LimitOptions& limits) {
  compiler::LoadOptions options;
  options.formats = compiler::all_formats();
  if (model.format_is_forced) options.format = model.format;
  options.file_name = model.name;
  options.base_directory = model.base_directory;
  options.weights_stem = model.weights_stem;
  options.weights_file = limits.weights_file;
  options.max_file_bytes = limits.max_model_bytes;
  options.max_nodes = limits.max_nodes;
  options.max_tensor_bytes = limits.max_tensor_bytes;
  return options;
}

SourceText source_of(const ModelFile& model) {
  return [&model](std::string_view file) { return file == model.name ? model.text() : std::string_view{}; };
}

std::optional<compiler::Graph> parse_model(const ModelFile& model, const LimitOptions& limits,
                                           Diagnostics& diagnostics) {
  return compiler::read_graph(model.content, load_options(model, limits), diagnostics);
}

compiler::Graph open_model(const std::string& file, const LimitOptions& limits, Console& console) {
  return open_model(read_model_file(file, limits), limits, console);
}

namespace {

compiler::Graph open_graph(const ModelFile& model, const LimitOptions& limits, Console& console, std::size_t* missing) {
  if (model.holds(compiler::Holds::weights_manifest))
    throw Error(ExitCode::invalid_input, in_quotes(model.name) + " is a weights manifest, not a graph",
                "name the graph file beside it");
  Diagnostics diagnostics;
  compiler::LoadOptions options = load_options(model, limits);
  options.without_weights = missing;
  auto graph = compiler::read_graph(model.content, options, diagnostics);
  report_diagnostics(console, diagnostics, source_of(model));
  if (!graph) {
    const std::string read_as = limits.form.empty() ? "" : " when it is read as " + in_quotes(limits.form);
    throw Error(exit_code_of(diagnostics), in_quotes(model.name) + " is not a valid graph" + read_as + ": " +
                                               counted(diagnostics.error_count(), "error"));
  }
  return std::move(*graph);
}

}  // namespace

compiler::Graph open_model(const ModelFile& model, const LimitOptions& limits, Console& console) {
  return open_graph(model, limits, console, nullptr);
}

compiler::Graph open_model(const ModelFile& model, const LimitOptions& limits, Console& console, std::size_t& missing) {
  return open_graph(model, limits, console, &missing);
}

}  // namespace webnn::cli
