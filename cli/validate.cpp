// `webnn-cli validate FILE|DIR...`: all mistakes of graph files. Weights manifests are recognised and left alone.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

#include "cli/command.hpp"
#include "cli/model_file.hpp"
#include "cli/report.hpp"
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
  return (ending == ".json" || ending == ".webnn") && !file.string().ends_with(".names.json");
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
  return std::to_string(graph.order().size()) + " nodes, " + std::to_string(constants) + " constants, " +
         std::to_string(graph.inputs().size()) + " inputs, " + std::to_string(graph.outputs().size()) + " outputs";
}

ExitCode validate(const ValidateOptions& options, Console& console) {
  Diagnostics all;
  std::map<std::string, std::string, std::less<>> sources;
  ExitCode code = ExitCode::success;
  const bool text = options.format == "text";
  for (const fs::path& file : expand(options.files)) {
    ModelFile model = read_model_file(file, options.limits);
    if (model.kind == compiler::FileKind::weights_manifest) {
      if (text) console.out << escaped(model.name) << ": weights manifest, not a graph\n";
      continue;
    }
    Diagnostics diagnostics;
    const auto graph = parse_model(model, options.limits, diagnostics);
    if (text) {
      print_text_report(console.err, diagnostics, source_of(model));
      console.out << escaped(model.name) << ": "
                  << (graph ? "valid (" + describe(*graph) + ")" : "invalid, " + count_of_errors(diagnostics)) << "\n";
    }
    if (!graph && code != ExitCode::invalid_input) code = exit_code_of(diagnostics);
    for (const Diagnostic& diagnostic : diagnostics.all()) all.add(diagnostic);
  }
  if (!text) print_report(console.out, console.err, options.format, all);
  return code;
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
