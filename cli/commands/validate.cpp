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
/// folders are not followed, and hidden folders are not looked at.
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
      const bool is_hidden = at->path().filename().string().starts_with('.');
      if (type == fs::file_type::directory && !is_hidden) folders.push_back(at->path());
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

/// JSON of another kind, such as test vectors or settings, also with comments: it neither says that it is a graph, or nearly,
/// nor has a graph's members. What says so and is no JSON is damaged, and reported.
bool is_other_json(const api::Source& source) {
  const auto names_us = [](std::string_view text) { return text.find("webnn") != std::string_view::npos; };
  const auto format_in = [](std::string_view text) {  // of what is no JSON; empty: none
    constexpr std::string_view member = "\"format\"";
    const std::size_t at = text.find(member);
    if (at == std::string_view::npos) return std::string_view();
    const std::string_view rest = text.substr(at + member.size());
    const std::size_t begin = rest.find_first_not_of(" \t\r\n:\"");
    return begin == std::string_view::npos ? std::string_view() : rest.substr(begin, rest.find('"', begin) - begin);
  };
  if (source.format) return false;
  const std::optional<Json> document = Json::parse(source.text());
  if (!document) return !names_us(format_in(source.text()));
  const Json* const format = document->find("format");
  return format ? !format->text() || !names_us(*format->text()) : !document->find("nodes");
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

/// What is found out about one file.
struct FileReport {
  ExitCode code = ExitCode::success;
  bool is_expected = true;  // false: it was found in a folder, is no graph, and need not be one
  std::string verdict;      // "valid", "invalid", "weights manifest", "not a graph" or "not read"
  std::size_t errors = 0;
  std::optional<std::size_t> refusals;      // of a valid graph by the browser
  std::vector<compiler::OperatorUse> uses;  // with --operators
};

/// Compares a graph with what browsers take. Returns how many errors that adds.
std::optional<std::size_t> compare_with_browsers(const compiler::Graph& graph, const api::Model& model,
                                                 const ValidateOptions& options, Diagnostics& diagnostics) {
  if (options.browser.empty()) return std::nullopt;
  const std::size_t before = diagnostics.error_count();
  const compiler::ValuePlaces places(model.source().text(),
                                     api::load_options(model.source(), load_options(options.limits)));
  for (const compiler::Browser* browser : compiler::browsers_named(options.browser))
    compiler::check_browser(graph, *browser, places, diagnostics);
  return diagnostics.error_count() - before;
}

/// Reads the graph; an error names the file, since there may be many.
std::optional<compiler::Graph> read_graph(api::Model& model, Diagnostics& diagnostics) {
  try {
    if (model.read(diagnostics)) return model.take_graph();
    return std::nullopt;
  } catch (const Error& error) {
    throw Error(error.code(), in_quotes(model.name()) + ": " + error.what(), error.hint());
  }
}

void print_verdict(Console& console, const api::Model& model, const FileReport& report, const ValidateOptions& options,
                   const std::string& graph) {
  console.out << escaped(model.name()) << ": ";
  if (report.verdict == "valid") {
    console.out << "valid (" << graph << ")";
    if (report.refusals && *report.refusals == 0) console.out << ", taken by " << options.browser;
    if (report.refusals.value_or(0) != 0)
      console.out << ", refused by " << options.browser << ": " << counted(*report.refusals, "error");
  } else {
    console.out << "invalid, " << counted(report.errors, "error");
  }
  console.out << "\n";
  if (options.operators) print_operators(console.out, report.uses);
}

/// Reads and checks one file; what is wrong goes to `diagnostics`.
FileReport validate_file(const Candidate& candidate, const ValidateOptions& options, Console& console,
                         Diagnostics& diagnostics) {
  if (candidate.problem)
    throw Error(ExitCode::io, "cannot read " + in_quotes(candidate.file.string()) + ": " + candidate.problem.message());
  const bool text = options.format == "text";
  FileReport report;
  compiler::LoadOptions loading = load_options(options.limits);
  if (options.operators) loading.operators = &report.uses;
  api::Model model(open_source(candidate.file, options.limits), std::move(loading));
  const bool is_manifest = model.source().holds(compiler::Holds::weights_manifest);
  if (is_manifest || (!candidate.is_named() && is_other_json(model.source()))) {
    if (text)
      console.out << escaped(model.name()) << ": " << (is_manifest ? "weights manifest, " : "") << "not a graph\n";
    report.verdict = is_manifest ? "weights manifest" : "not a graph";
    report.is_expected = is_manifest && candidate.is_named();
    return report;
  }
  std::optional<compiler::Graph> graph = read_graph(model, diagnostics);
  const bool is_valid = graph && compiler::check_constants(*graph, model.name(), diagnostics);
  report.verdict = is_valid ? "valid" : "invalid";
  if (is_valid) report.refusals = compare_with_browsers(*graph, model, options, diagnostics);
  report.errors = diagnostics.error_count();
  report.code = exit_code_of(diagnostics);
  if (options.operators && report.uses.empty() && graph) report.uses = operators_of(*graph);
  if (text) {
    print_text_report(console.err, diagnostics, api::lines_of(model.source()), style_of(console));
    print_verdict(console, model, report, options, is_valid ? describe(*graph) : std::string());
  }
  return report;
}

/// {"file", "verdict", "errors"}, with --browser "refusals", with --operators "operators": [{"name", "nodes", ...}].
Json json_of(const Candidate& candidate, const FileReport& report, const ValidateOptions& options) {
  Json file{{"file", candidate.file.string()}, {"verdict", report.verdict}, {"errors", report.errors}};
  if (report.refusals) file["refusals"] = *report.refusals;
  if (!options.operators) return file;
  Json operators = Json::array();
  for (const compiler::OperatorUse& use : report.uses) {
    Json one{{"name", use.name}, {"nodes", use.nodes}, {"refused", use.refused}, {"unknown", use.unknown}};
    if (!use.problem.empty()) one["problem"] = use.problem;
    operators.push_back(std::move(one));
  }
  file["operators"] = std::move(operators);
  return file;
}

ExitCode validate(ValidateOptions options, Console& console) {
  if (options.operators && options.format != "text" && options.format != "json")
    throw Error(ExitCode::usage, "--operators is for the formats text and json");
  const std::vector<Candidate> candidates = expand(options.files);
  options.limits.shares_dimensions = candidates.size() > 1;
  Diagnostics all;
  ExitCode worst = ExitCode::success;
  bool found = false;
  Json files = Json::array();
  for (const Candidate& candidate : candidates) {
    FileReport report;
    try {
      Diagnostics diagnostics;
      report = validate_file(candidate, options, console, diagnostics);
      for (const Diagnostic& diagnostic : diagnostics.all()) all.add(diagnostic);
    } catch (const Error& error) {  // the other files are looked at all the same
      report.code = error.code();
      report.verdict = "not read";
      report_error(console, message_of(error));
    }
    found |= report.is_expected;
    worst = worse(worst, report.code);
    files.push_back(json_of(candidate, report, options));
  }
  if (!found) throw Error(ExitCode::usage, "there is no graph file in what was named");
  if (options.format == "json")
    print_json_report(console.out, all, &files);
  else if (options.format != "text")
    print_report(console.out, console.err, options.format, all);
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
