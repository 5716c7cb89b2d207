// `webnn-cli compile MODEL -o OUT.wnnc`: a graph file -> a program file.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "api/compile_program.hpp"
#include "api/devices.hpp"
#include "cli/command.hpp"
#include "cli/compile_options.hpp"
#include "cli/model_file.hpp"
#include "cli/output_files.hpp"
#include "cli/report.hpp"
#include "compiler/frontend/binary_reader.hpp"
#include "compiler/frontend/binary_writer.hpp"
#include "schema/file/program_file.hpp"
#include "schema/text.hpp"

namespace webnn::cli {
namespace {

using namespace schema;
namespace fs = std::filesystem;

struct CompileCommand {
  std::string model, output, emit = "program", target = "native";
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

ExitCode compile(const CompileCommand& command, Console& console) {
  const bool to_file = command.emit == "program";
  if (to_file && command.output.empty())
    throw Error(ExitCode::usage, "compile needs the name of the program file", "give it with -o OUT.wnnc");
  if (to_file && !command.force && fs::exists(command.output))
    throw Error(ExitCode::usage, in_quotes(command.output) + " exists", "--force overwrites it");
  compiler::Graph graph = open_model(command.model, command.limits, console);
  compiler::Options options = compiler_options(command.compile, to_file ? console.err : console.out);
  bind_dimensions(graph, options);
  const api::DeviceName device_name = api::parse_device_name(command.compile.device);
  const api::CompileTarget target = target_of(command, device_name);
  if (!to_file) options.print_after.emplace_back("emit_program");

  Diagnostics diagnostics;
  if (options.verify_constants && !compiler::check_constants(graph, command.model, diagnostics)) {
    report_diagnostics(console, diagnostics, {});
    return exit_code_of(diagnostics);
  }
  const Bytes carried = command.embed_graph ? binary_file(graph) : Bytes();
  auto program = api::compile_program_for(target.target, std::move(graph), std::move(options), *target.here,
                                          device_name.provider, diagnostics);
  report_diagnostics(console, diagnostics, {});
  if (!program) return exit_code_of(diagnostics);  // success after --stop-after
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
  add_device_options(app, command->compile);
  add_compiler_options(app, command->compile);
  add_limit_options(app, command->limits);
  app.get_option("--target")->excludes(app.get_option("--isa"));
  return [command](Console& console) { return compile(*command, console); };
}

}  // namespace webnn::cli
