// `webnn-cli validate FILE|DIR...`: all mistakes of graph files. Weights manifests are recognised and left alone.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>

#include "cli/command.hpp"
#include "cli/model_file.hpp"
#include "cli/report.hpp"
#include "compiler/frontend/binary_reader.hpp"
#include "schema/text.hpp"

namespace webnn::cli {
namespace {

using namespace schema;
namespace fs = std::filesystem;

struct ValidateOptions {
  std::vector<std::string> files;
  std::string format = "text";
  LimitOptions limits;
};

/// By its name; the maps of names that `convert --rename` writes are none.
bool is_graph_file(const fs::path& file) {
  const std::string ending = file.extension().string();
  return (ending == ".json" || ending == ".webnn" || ending == ".wnnb") && !file.string().ends_with(".names.json");
}

/// The files themselves, and for a folder the graph files anywhere below it, in the order of their names.
std::vector<fs::path> expand(const std::vector<std::string>& arguments) {
  std::vector<fs::path> files;
  for (const std::string& argument : arguments) {
    if (argument == "-" || !fs::is_directory(argument)) {
      files.emplace_back(argument);
      continue;
    }
    std::vector<fs::path> found;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(argument))
      if (entry.is_regular_file() && is_graph_file(entry.path())) found.push_back(entry.path());
    std::ranges::sort(found);
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

std::string describe(const compiler::Graph& graph) {
  std::size_t constants = 0;
  for (std::uint32_t i = 0; i < graph.value_count(); ++i) constants += graph.is_constant(compiler::ValueId{i});
  return counted(graph.order().size(), "node") + ", " + counted(constants, "constant") + ", " +
         counted(graph.inputs().size(), "input") + ", " + counted(graph.outputs().size(), "output");
}

/// Reads and checks one file; what is wrong goes to `diagnostics`.
ExitCode validate_file(const fs::path& file, const ValidateOptions& options, Console& console,
                       Diagnostics& diagnostics) {
  const bool text = options.format == "text";
  const ModelFile model = read_model_file(file, options.limits);
  if (model.kind == compiler::FileKind::weights_manifest) {
    if (text) console.out << escaped(model.name) << ": weights manifest, not a graph\n";
    return ExitCode::success;
  }
  auto graph = parse_model(model, options.limits, diagnostics);
  if (graph && !compiler::check_constants(*graph, model.name, diagnostics)) graph.reset();
  if (text) {
    print_text_report(console.err, diagnostics, source_of(model), style_of(console));
    console.out << escaped(model.name) << ": "
                << (graph ? "valid (" + describe(*graph) + ")"
                          : "invalid, " + counted(diagnostics.error_count(), "error"))
                << "\n";
  }
  return exit_code_of(diagnostics);
}

ExitCode validate(const ValidateOptions& options, Console& console) {
  Diagnostics all;
  ExitCode worst = ExitCode::success;
  const std::vector<fs::path> files = expand(options.files);
  if (files.empty()) throw Error(ExitCode::usage, "there is no graph file in what was named");
  for (const fs::path& file : files) {
    ExitCode code = ExitCode::success;
    try {
      Diagnostics diagnostics;
      code = validate_file(file, options, console, diagnostics);
      for (const Diagnostic& diagnostic : diagnostics.all()) all.add(diagnostic);
    } catch (const Error& error) {  // the other files are looked at all the same
      code = error.code();
      report_error(console, message_of(error));
    }
    if (code != ExitCode::success && worst != ExitCode::invalid_input) worst = code;
  }
  if (options.format != "text") print_report(console.out, console.err, options.format, all);
  return worst;
}

}  // namespace

Action declare_validate(CLI::App& app) {
  auto options = std::make_shared<ValidateOptions>();
  app.add_option("files", options->files, "graph files, or folders that hold some; - reads standard input")->required();
  app.add_option("--output-format", options->format, "text, json, github or sarif")
      ->check(CLI::IsMember({"text", "json", "github", "sarif"}));
  add_limit_options(app, options->limits);
  return [options](Console& console) { return validate(*options, console); };
}

}  // namespace webnn::cli
