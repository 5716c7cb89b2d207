// `webnn-cli validate FILE|DIR...`: all mistakes of graph files. Weights manifests are recognised and left alone.
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <system_error>

#include "cli/command.hpp"
#include "cli/json/json.hpp"
#include "cli/output/messages.hpp"
#include "cli/programs/compile_options.hpp"
#include "cli/programs/open_model.hpp"
#include "compiler/browsers/check_browser.hpp"
#include "compiler/formats/all_formats.hpp"
#include "compiler/frontend/binary/binary_reader.hpp"
#include "schema/text.hpp"

namespace webnn::cli {
namespace {

using namespace schema;
namespace fs = std::filesystem;

struct ValidateOptions {
  std::vector<std::string> files;
  std::string format = "text";
  bool operators = false;
  std::string browser;  // empty: none
  LimitOptions limits;
};

/// By its name; the maps of names that `convert --rename` writes are none.
bool is_graph_file(const fs::path& file) {
  return compiler::is_graph_suffix(compiler::all_formats(), file.extension().string()) &&
         !file.string().ends_with(names_ending);
}

struct Candidate {
  compiler::FileName file;
  std::error_code problem = {};  // why it cannot be looked at

  bool is_named() const { return file.folder.empty(); }  // by the user; else it was found in a folder
};

/// What may be graph files anywhere below a folder, and what cannot be looked at there, in the order of the names. Links to
/// folders are not followed.
std::vector<Candidate> below(const fs::path& top) {
  std::vector<Candidate> files;
  std::vector<fs::path> folders{top};
  while (!folders.empty()) {
    const fs::path folder = std::move(folders.back());
    folders.pop_back();
    std::error_code problem;
    for (fs::directory_iterator at(folder, problem), end; !problem && at != end; at.increment(problem)) {
      std::error_code unknown;
      const fs::file_type type = at->symlink_status(unknown).type();
      if (type == fs::file_type::directory) folders.push_back(at->path());
      if (type != fs::file_type::none && !is_graph_file(at->path())) continue;
      const fs::file_status status = at->status(unknown);
      if (status.type() == fs::file_type::none) files.push_back({compiler::FileName::found(top, at->path()), unknown});
      if (fs::is_regular_file(status)) files.push_back({compiler::FileName::found(top, at->path())});
    }
    if (problem) files.push_back({compiler::FileName::found(top, folder), problem});
  }
  std::ranges::sort(files, {}, [](const Candidate& one) -> const fs::path& { return one.file.path; });
  return files;
}

/// The files themselves, and for a folder what is below it. Of a file that cannot be looked at its reader says why.
std::vector<Candidate> expand(const std::vector<std::string>& arguments) {
  std::vector<Candidate> files;
  for (const std::string& argument : arguments) {
    std::error_code unknown;
    if (argument == "-" || !fs::is_directory(argument, unknown))
      files.push_back({argument});
    else
      std::ranges::move(below(argument), std::back_inserter(files));
  }
  return files;
}

/// The exit codes of files from the mildest to the worst. One that is wrong counts more than one of which nothing is known.
constexpr ExitCode by_severity[] = {
    ExitCode::success, ExitCode::unsupported, ExitCode::resource,      ExitCode::io,
    ExitCode::usage,   ExitCode::program,     ExitCode::invalid_input, ExitCode::internal};

ExitCode worse(ExitCode a, ExitCode b) {
  return std::ranges::find(by_severity, a) < std::ranges::find(by_severity, b) ? b : a;
}

/// JSON of another kind, such as test vectors: it neither says that it is a graph nor has a graph's members. What is no
/// JSON at all is damaged, and reported.
bool is_other_json(const api::Source& source) {
  if (source.format) return false;
  const std::optional<Json> document = Json::parse(source.text());
  return document && !document->find("format") && !document->find("nodes");
}

/// A line for each operator: how often it occurs, and what became of it.
void print_operators(std::ostream& out, const std::vector<compiler::OperatorUse>& uses) {
  std::size_t width = std::string_view("operator").size();
  for (const compiler::OperatorUse& use : uses) width = std::max(width, escaped(use.name).size());
  const auto row = [&](std::string name, const std::string& nodes, const std::string& status) {
    name.resize(width, ' ');
    out << "  " << name << "  " << std::string(nodes.size() < 5 ? 5 - nodes.size() : 0, ' ') << nodes << "  " << status
        << "\n";
  };
  row("operator", "nodes", "status");
  for (const compiler::OperatorUse& use : uses) {
    std::string status = "ok";
    if (use.refused != 0) status = std::to_string(use.refused) + " refused: " + escaped(use.problem);
    if (use.unknown != 0)
      status = (use.refused != 0 ? status + "; " : "") + std::to_string(use.unknown) +
               " not looked at, an operand is refused";
    row(escaped(use.name), std::to_string(use.nodes), status);
  }
}

/// The operators of a WebNN graph, in the order of their names.
std::vector<compiler::OperatorUse> operators_of(const compiler::Graph& graph) {
  std::map<std::string, compiler::OperatorUse> uses;
  for (const compiler::NodeId id : graph.order()) {
    compiler::OperatorUse& use = uses[std::string(row(graph.node(id).op).name)];
    use.name = row(graph.node(id).op).name;
    ++use.nodes;
  }
  std::vector<compiler::OperatorUse> result;
  for (auto& [name, use] : uses) result.push_back(std::move(use));
  return result;
}

std::string describe(const compiler::Graph& graph) {
  std::size_t constants = 0;
  for (std::uint32_t i = 0; i < graph.value_count(); ++i) constants += graph.is_constant(compiler::ValueId{i});
  return counted(graph.order().size(), "node") + ", " + counted(constants, "constant") + ", " +
         counted(graph.inputs().size(), "input") + ", " + counted(graph.outputs().size(), "output");
}

/// Compares a graph with what browsers take. Returns what to say of it.
std::string compare_with_browsers(const compiler::Graph& graph, const api::Model& model, const ValidateOptions& options,
                                  Diagnostics& diagnostics) {
  if (options.browser.empty()) return {};
  const std::size_t before = diagnostics.error_count();
  const compiler::ValuePlaces places(model.source().text(),
                                     api::load_options(model.source(), load_options(options.limits)));
  for (const compiler::Browser* browser : compiler::browsers_named(options.browser))
    compiler::check_browser(graph, *browser, places, diagnostics);
  const std::size_t refused = diagnostics.error_count() - before;
  return refused == 0 ? ", taken by " + options.browser
                      : ", refused by " + options.browser + ": " + counted(refused, "error");
}

/// Reads and checks one file; what is wrong goes to `diagnostics`. Nullopt: it is no graph and need not be one.
std::optional<ExitCode> validate_file(const Candidate& candidate, const ValidateOptions& options, Console& console,
                                      Diagnostics& diagnostics) {
  if (candidate.problem)
    throw Error(ExitCode::io, "cannot read " + in_quotes(candidate.file.string()) + ": " + candidate.problem.message());
  const bool text = options.format == "text";
  compiler::LoadOptions loading = load_options(options.limits);
  std::vector<compiler::OperatorUse> uses;
  if (options.operators) loading.operators = &uses;
  api::Model model(open_source(candidate.file, options.limits), std::move(loading));
  const std::string& name = model.name();
  const bool is_manifest = model.source().holds(compiler::Holds::weights_manifest);
  if (is_manifest || (!candidate.is_named() && is_other_json(model.source()))) {
    if (text) console.out << escaped(name) << ": " << (is_manifest ? "weights manifest, " : "") << "not a graph\n";
    return is_manifest && candidate.is_named() ? std::optional(ExitCode::success) : std::nullopt;
  }
  std::optional<compiler::Graph> graph;
  if (model.read(diagnostics)) graph = model.take_graph();
  const bool is_valid = graph && compiler::check_constants(*graph, name, diagnostics);
  const std::string verdict = is_valid ? compare_with_browsers(*graph, model, options, diagnostics) : std::string();
  if (text) {
    print_text_report(console.err, diagnostics, api::lines_of(model.source()), style_of(console));
    console.out << escaped(name) << ": "
                << (is_valid ? "valid (" + describe(*graph) + ")" + verdict
                             : "invalid, " + counted(diagnostics.error_count(), "error"))
                << "\n";
    if (options.operators) print_operators(console.out, uses.empty() && graph ? operators_of(*graph) : uses);
  }
  return exit_code_of(diagnostics);
}

ExitCode validate(const ValidateOptions& options, Console& console) {
  if (options.operators && options.format != "text")
    throw Error(ExitCode::usage, "--operators prints a table, which is text", "leave out --output-format");
  Diagnostics all;
  ExitCode worst = ExitCode::success;
  bool found = false;
  for (const Candidate& candidate : expand(options.files)) {
    ExitCode code = ExitCode::success;
    try {
      Diagnostics diagnostics;
      const auto result = validate_file(candidate, options, console, diagnostics);
      found |= result.has_value();
      code = result.value_or(ExitCode::success);
      for (const Diagnostic& diagnostic : diagnostics.all()) all.add(diagnostic);
    } catch (const Error& error) {  // the other files are looked at all the same
      code = error.code();
      found = true;
      report_error(console, message_of(error));
    }
    worst = worse(worst, code);
  }
  if (!found) throw Error(ExitCode::usage, "there is no graph file in what was named");
  if (options.format != "text") print_report(console.out, console.err, options.format, all);
  return worst;
}

}  // namespace

Action declare_validate(OptionList& list) {
  auto options = std::make_shared<ValidateOptions>();
  list.add("files", options->files, "graph files, or folders that hold some; - reads standard input").required();
  list.add("--output-format", options->format, "text, json, github or sarif")
      .one_of({"text", "json", "github", "sarif"});
  list.flag("--operators", options->operators, "list the operators: how often each occurs, and whether it is read");
  const std::vector<std::string_view> browsers = compiler::browser_names();
  list.add("--browser", options->browser, "also report what of the graph this browser's WebNN refuses")
      .one_of({browsers.begin(), browsers.end()});
  add_format_option(list, options->limits);
  add_dimension_option(list, options->limits.dimensions);
  add_limit_options(list, options->limits);
  return [options](Console& console) { return validate(*options, console); };
}

}  // namespace webnn::cli
