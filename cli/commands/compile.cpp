// `webnn-cli compile MODEL -o OUT.wnnc`: turns a graph file into a program file.
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "api/devices.hpp"
#include "api/runner/compilation.hpp"
#include "cli/command.hpp"
#include "cli/output/messages.hpp"
#include "cli/output/output_files.hpp"
#include "cli/output/progress.hpp"
#include "cli/programs/build_files.hpp"
#include "cli/programs/chosen_device.hpp"
#include "cli/programs/compile_model.hpp"
#include "cli/programs/compile_options.hpp"
#include "cli/programs/compile_result.hpp"
#include "cli/programs/open_model.hpp"
#include "cli/programs/provider_check.hpp"
#include "cli/tuning/tune.hpp"
#include "compiler/frontend/binary/binary_reader.hpp"
#include "compiler/frontend/binary/binary_writer.hpp"
#include "runtime/cpu/cpu_features.hpp"
#include "schema/elements/memory_account.hpp"
#include "schema/text.hpp"

namespace webnn::cli {
namespace {

using namespace schema;
namespace fs = std::filesystem;

struct CompileCommand {
  std::string model, target = "native", tune = "off", format = "text", progress = "auto";
  std::string header, depfile;  // empty: none
  Emission emission;
  CompileOptions compile;
  LimitOptions limits;
  bool embed_graph = false, force = false;
};

/// The graph as a binary graph file in memory.
Bytes binary_file(const compiler::Graph& graph) {
  std::vector<std::byte> file;
  compiler::write_binary_graph(
      graph, [&](std::span<const std::byte> piece) { file.insert(file.end(), piece.begin(), piece.end()); });
  return Bytes(std::move(file));
}

/// The target of the program: the device, or with --target another processor.
api::CompileTarget target_of(const CompileCommand& command, const api::DeviceName& device) {
  if (device.kind == "cpu" && command.compile.isa == "native") return api::open_target(command.target);
  if (command.target != "native" && device.kind != "cpu")
    throw Error(ExitCode::usage, "--target names a processor, but --device is " + in_quotes(command.compile.device));
  auto here = api::open_device(context_options(command.compile));
  const Target limited = here->target();
  return {limited, std::move(here)};
}

void check_tuning(const CompileCommand& command) {
  if (command.compile.tuning.empty())
    throw Error(ExitCode::usage, "--tune writes down what it finds", "name the file with --tuning FILE");
  refuse_provider(command.compile, "--tune");
  if (command.target != "native")
    throw Error(ExitCode::usage, "--tune measures on this machine, but --target is " + in_quotes(command.target));
  refuse_standard_output("--tuning", command.compile.tuning);
  check_free(command.compile.tuning, command.force);
}

/// Measures, reports and writes the tuning file; returns its table. Nullopt when the graph cannot be compiled.
std::optional<compiler::Tuning> measure_tuning(const CompileCommand& command, const compiler::Graph& graph,
                                               const compiler::Options& options, Console& console,
                                               Diagnostics& diagnostics) {
  api::Session session(context_options(command.compile));
  compiler::Options silent = options;  // trials print nothing
  silent.print_before.clear(), silent.print_after.clear(), silent.stop_after.clear();
  silent.time_passes = silent.stats = false;
  TuneOptions tuning;
  tuning.extent = command.tune == "full" ? TuneExtent::full : TuneExtent::fast;
  tuning.max_tensor_bytes = command.limits.max_tensor_bytes;
  std::optional<MeasuredTuning> measured;
  {
    Progress progress(console, command.progress, "tune");
    tuning.progress = [&](double done) { progress.show(done); };
    const std::string name = command.model == "-" ? "stdin" : fs::path(command.model).stem().string();
    measured = tune(graph, silent, session, name, tuning, diagnostics);
  }
  if (!measured) return std::nullopt;
  write_whole_file(command.compile.tuning, tuning_json(*measured));
  if (command.format != "json") print_tuning(console.err, *measured, false);
  inform(console, "wrote " + command.compile.tuning);
  return table_of(*measured);
}

/// Of --header and --depfile, which stand beside a program file.
void check_build_files(const CompileCommand& command) {
  for (const auto& [option, file] :
       {std::pair("--header", &command.header), std::pair("--depfile", &command.depfile)}) {
    if (file->empty()) continue;
    if (!command.emission.is_program() || command.emission.output.empty() || command.emission.prints())
      throw Error(ExitCode::usage, std::string(option) + " is for a program that is written to a file",
                  "name the program file with -o OUT.wnnc");
    refuse_standard_output(option, *file);
    check_free(*file, command.force);
  }
}

/// Checks all options together, before any work.
void check_options(const CompileCommand& command, const Console& console) {
  const bool tunes = command.tune != "off";
  check_emission(command.emission, command.compile, tunes, command.format == "json", console);
  if (command.embed_graph && !command.emission.is_program())
    throw Error(ExitCode::usage, "--embed-graph is for programs, but --emit is " + command.emission.kind,
                "leave one of the two out");
  if (!is_standard_output(command.emission.output)) check_free(command.emission.output, command.force);
  check_build_files(command);
  if (tunes) check_tuning(command);
}

void report_written(const CompileCommand& command, const CompileReport& report, Console& console) {
  if (command.format == "json") {
    console.out << compile_json(report);
  } else if (!command.emission.prints() && !command.emission.output.empty()) {
    std::string text = "wrote " + command.emission.output + ", " + std::to_string(report.bytes) + " bytes";
    if (const Program* program = report.program; program && command.emission.is_program())
      text += ", " + counted(program->steps.size(), "step") + " for " + std::string(name_of(program->target.device)) +
              " (" + text_of(program->target.features) + ")";
    inform(console, text);
  }
}

ExitCode compile(CompileCommand command, Console& console) {
  const Emission& emission = command.emission;
  const bool json = command.format == "json", tunes = command.tune != "off";
  check_only(command.compile);
  settle_device(command.compile, console);
  check_options(command, console);
  const auto account = std::make_shared<MemoryAccount>(command.compile.max_memory);
  const AccountScope scope(account);
  api::Model model = open_model(command.model, command.limits, console);
  model.limit_work(command.compile.max_work);
  std::string rule;
  if (!command.depfile.empty()) {
    std::vector<fs::path> sources = files_of(model);
    if (!tunes && !command.compile.tuning.empty()) sources.emplace_back(command.compile.tuning);
    rule = dependency_rule(emission.output, sources);
  }
  compiler::Graph graph = model.take_graph_with(dimension_sizes(command.compile.dimensions));
  const api::DeviceName device_name = api::parse_device_name(command.compile.device);
  const api::CompileTarget target = target_of(command, device_name);
  remark_device(console, *target.here, command.compile.threads);

  Diagnostics diagnostics;
  if (!command.compile.no_verify && !compiler::check_constants(graph, command.model, diagnostics)) {
    report_diagnostics(console, diagnostics, {});
    return exit_code_of(diagnostics);
  }
  CompileOptions given = command.compile;
  if (tunes) given.tuning.clear();  // it is yet to be written
  api::CompileRequest request = compile_request(given, *target.here, target.target, console);
  request.options.dimensions.clear();  // the graph has them
  request.target = target.target;
  request.account = account;
  request.cache_folder.clear();
  auto compilation = api::Compilation::start(api::Model(std::move(graph), command.model), *target.here,
                                             std::move(request), diagnostics);
  compiler::Options& options = compilation->options();
  if (tunes) {
    std::optional<compiler::Tuning> tuning =
        measure_tuning(command, *compilation->graph(), options, console, diagnostics);
    if (!tuning) {
      report_diagnostics(console, diagnostics, {});
      return exit_code_of(diagnostics);
    }
    options.tuning = std::move(*tuning);
    if (!emission.writes() && !shows_compiler(command.compile) && !command.compile.stats && !json)
      return ExitCode::success;
  }

  CompileReport report{
      command.model, emission, nullptr, 0, {}, command.compile.stats, wanted_provider(command.compile)};
  std::string emitted;
  if (!emission.is_program())
    options.last_unit = [&](const compiler::Unit& unit, std::string_view pass) {
      emitted = emitted_text(emission, unit, pass);
    };
  if (json) {  // the report contains what would otherwise be printed
    if (options.time_passes)
      options.pass_times = [&](std::span<const compiler::PassTime> passes) {
        report.passes.assign(passes.begin(), passes.end());
      };
    options.time_passes = options.stats = false;
  }
  const Bytes carried = command.embed_graph ? binary_file(*compilation->graph()) : Bytes();
  auto program = finish_program(*compilation, command.compile, console, diagnostics);
  report_diagnostics(console, diagnostics, {});
  if (diagnostics.has_errors()) return exit_code_of(diagnostics);
  if (program) {  // unless --stop-after ended the compilation
    program->graph = carried;
    report.program = &*program;
  }
  if (!emission.is_program()) {
    write_output(console, emission.output, emitted);
    report.bytes = emitted.size();
  } else if (program && emission.writes()) {
    report.bytes = emit_program_file(*program, emission, console);
    if (!command.header.empty()) write_whole_file(command.header, program_header(*program, emission.output));
    if (!command.depfile.empty()) write_whole_file(command.depfile, rule);
  }
  report_written(command, report, console);
  return ExitCode::success;
}

}  // namespace

Action declare_compile(OptionList& list) {
  auto command = std::make_shared<CompileCommand>();
  list.add("model", command->model, "a graph file; - reads standard input").required();
  list.add("-o,--output", command->emission.output, "the file to write; -: standard output");
  list.add("--emit", command->emission.kind,
           "program: the program file; ir: the graph after the last pass, or --stop-after, as text; dot: as a "
           "Graphviz picture; the latter two on standard output without -o")
      .one_of({"program", "ir", "dot"})
      .shows_default();
  list.add("--target", command->target,
           "the processor that it is for: " + joined(runtime::cpu_target_names()) +
               "; one that this machine is not arranges the constants itself when it loads the program")
      .shows_default();
  list.flag("--embed-graph", command->embed_graph,
            "carry the graph too, so that other machines can compile it again; about twice the size");
  list.add("--header", command->header, "also write this header of C++: names, types and shapes of inputs and outputs");
  list.add("--depfile", command->depfile,
           "also write this rule of make or Ninja: the files that the program was made from");
  list.flag("--force", command->force, "overwrite the files");
  list.add("--tune", command->tune,
           "measure which kernels are fastest for this graph on this machine and write --tuning FILE; fast: "
           "kernels, full: layouts too, and longer; off: read that file")
      .one_of({"off", "fast", "full"})
      .shows_default();
  list.add("--output-format", command->format, "text or json: what was written, with --stats and --time-passes")
      .one_of({"text", "json"});
  add_progress_option(list, command->progress);
  add_device_options(list, command->compile);
  add_tuning_option(list, command->compile);
  add_compiler_options(list, command->compile);
  add_format_option(list, command->limits);
  add_limit_options(list, command->limits);
  list.exclude("--target", "--isa");
  list.allow_sandbox();
  return [command](Console& console) { return compile(*command, console); };
}

}  // namespace webnn::cli
