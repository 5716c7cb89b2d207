// `webnn-cli compile MODEL -o OUT.wnnc`: a graph file -> a program file.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "api/compile_program.hpp"
#include "api/devices.hpp"
#include "cli/chosen_device.hpp"
#include "cli/command.hpp"
#include "cli/compile_options.hpp"
#include "cli/model_file.hpp"
#include "cli/output_files.hpp"
#include "cli/progress.hpp"
#include "cli/provider_check.hpp"
#include "cli/report.hpp"
#include "cli/tuning/tune.hpp"
#include "compiler/frontend/binary_reader.hpp"
#include "compiler/frontend/binary_writer.hpp"
#include "schema/file/program_file.hpp"
#include "schema/text.hpp"

namespace webnn::cli {
namespace {

using namespace schema;
namespace fs = std::filesystem;

struct CompileCommand {
  std::string model, output, emit = "program", target = "native", tune = "off", progress = "auto";
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

std::uint64_t write_program_file(const Program& program, const fs::path& path) {
  OutputFile file(path);
  std::uint64_t bytes = 0;
  write_program(program, [&](std::span<const std::byte> piece) {
    file.append({reinterpret_cast<const char*>(piece.data()), piece.size()});
    bytes += piece.size();
  });
  file.commit();
  return bytes;
}

/// What the program is for: the device, or with --target another processor.
api::CompileTarget target_of(const CompileCommand& command, const api::DeviceName& device) {
  if (device.kind == "cpu" && command.compile.isa == "native") return api::open_target(device, command.target);
  if (command.target != "native" && device.kind != "cpu")
    throw Error(ExitCode::usage, "--target names a processor, but --device is " + in_quotes(command.compile.device));
  auto here = api::open_device(context_options(command.compile));
  const Target limited = here->target();
  return {limited, std::move(here)};
}

void check_free(const std::string& file, bool force) {
  if (!file.empty() && !force && fs::exists(file))
    throw Error(ExitCode::usage, in_quotes(file) + " exists", "--force overwrites it");
}

void check_tuning(const CompileCommand& command) {
  if (command.compile.tuning.empty())
    throw Error(ExitCode::usage, "--tune writes down what it finds", "name the file with --tuning FILE");
  if (command.compile.device != "cpu")
    throw Error(ExitCode::usage,
                "--tune measures the CPU's kernels, but --device is " + in_quotes(command.compile.device));
  if (command.target != "native")
    throw Error(ExitCode::usage, "--tune measures on this machine, but --target is " + in_quotes(command.target));
  check_free(command.compile.tuning, command.force);
}

/// Measures, reports and writes the tuning file; its table. Nullopt when the graph cannot be compiled.
std::optional<compiler::Tuning> measure_tuning(const CompileCommand& command, const compiler::Graph& graph,
                                               const compiler::Options& options, Console& console,
                                               Diagnostics& diagnostics) {
  api::Session session(context_options(command.compile));
  compiler::Options silent = options;  // trials have nothing to show
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
  print_tuning(console.err, *measured, false);
  console.err << "wrote " << escaped(command.compile.tuning) << "\n";
  return table_of(*measured);
}

ExitCode compile(CompileCommand command, Console& console) {
  check_only(command.compile);
  settle_device(command.compile, console);
  const bool to_file = command.emit == "program" && !command.output.empty(), tunes = command.tune != "off";
  if (command.emit == "program" && !to_file && !tunes)
    throw Error(ExitCode::usage, "compile needs the name of the program file", "give it with -o OUT.wnnc");
  if (to_file) check_free(command.output, command.force);
  if (tunes) check_tuning(command);
  compiler::Graph graph = open_model(command.model, command.limits, console);
  compiler::Options options = compiler_options(command.compile, command.emit == "program" ? console.err : console.out);
  bind_dimensions(graph, options);
  const api::DeviceName device_name = api::parse_device_name(command.compile.device);
  const api::CompileTarget target = target_of(command, device_name);
  remark_device(console, *target.here, command.compile.threads);
  if (command.emit == "ir") options.print_after.emplace_back("emit_program");

  Diagnostics diagnostics;
  if (options.verify_constants && !compiler::check_constants(graph, command.model, diagnostics)) {
    report_diagnostics(console, diagnostics, {});
    return exit_code_of(diagnostics);
  }
  if (!tunes) {
    options.tuning = load_tuning(command.compile, target.target, console);
  } else if (auto tuning = measure_tuning(command, graph, options, console, diagnostics)) {
    options.tuning = std::move(*tuning);
  } else {
    report_diagnostics(console, diagnostics, {});
    return exit_code_of(diagnostics);
  }
  if (command.emit == "program" && !to_file) return ExitCode::success;
  const Bytes carried = command.embed_graph ? binary_file(graph) : Bytes();
  auto program = api::compile_program_for(target.target, std::move(graph), std::move(options), *target.here,
                                          device_name.provider, diagnostics);
  if (program && !check_providers(*program, command.compile, console, diagnostics)) program.reset();
  report_diagnostics(console, diagnostics, {});
  if (!program) return exit_code_of(diagnostics);  // success after --stop-after
  note_fallback(console, fallen_back(*program));
  program->graph = carried;
  if (!to_file) return ExitCode::success;
  const std::uint64_t bytes = write_program_file(*program, command.output);
  console.err << "wrote " << escaped(command.output) << ", " << bytes << " bytes, "
              << counted(program->steps.size(), "step") << " for " << name_of(program->target.device) << " ("
              << text_of(program->target.features) << ")\n";
  return ExitCode::success;
}

}  // namespace

Action declare_compile(CLI::App& app) {
  auto command = std::make_shared<CompileCommand>();
  app.add_option("model", command->model, "a graph file; - reads standard input")->required();
  app.add_option("-o,--output", command->output, "the program file to write");
  app.add_option("--emit", command->emit, "program: the file; ir: the compiled graph as text on standard output")
      ->check(CLI::IsMember({"program", "ir"}))
      ->capture_default_str();
  app.add_option("--target", command->target,
                 "the processor that it is for: native, x86-64-v2, x86-64-v3 (avx2), x86-64-v4 (avx512), amx; one that "
                 "this machine is not arranges the constants itself when it loads the program")
      ->capture_default_str();
  app.add_flag("--embed-graph", command->embed_graph,
               "carry the graph too, so that other machines can compile it again; about twice the size");
  app.add_flag("--force", command->force, "overwrite the file");
  app.add_option("--tune", command->tune,
                 "measure which kernels are fastest for this graph on this machine and write --tuning FILE; fast: "
                 "kernels, full: layouts too, and longer; off: read that file")
      ->check(CLI::IsMember({"off", "fast", "full"}))
      ->capture_default_str();
  add_progress_option(app, command->progress);
  add_device_options(app, command->compile);
  add_tuning_option(app, command->compile);
  add_compiler_options(app, command->compile);
  add_limit_options(app, command->limits);
  app.get_option("--target")->excludes(app.get_option("--isa"));
  return [command](Console& console) { return compile(*command, console); };
}

}  // namespace webnn::cli
