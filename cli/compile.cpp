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
#include "schema/file/program_file.hpp"
#include "schema/text.hpp"

namespace webnn::cli {
namespace {

using namespace schema;
namespace fs = std::filesystem;

struct CompileCommand {
  std::string model, output, emit = "program";
  CompileOptions compile;
  LimitOptions limits;
  bool force = false;
};

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

ExitCode compile(const CompileCommand& command, Console& console) {
  const bool to_file = command.emit == "program";
  if (to_file && command.output.empty())
    throw Error(ExitCode::usage, "compile needs the name of the program file", "give it with -o OUT.wnnc");
  if (to_file && !command.force && fs::exists(command.output))
    throw Error(ExitCode::usage, in_quotes(command.output) + " exists", "--force overwrites it");
  compiler::Graph graph = open_model(command.model, command.limits, console);
  compiler::Options options = compiler_options(command.compile, to_file ? console.err : console.out);
  const api::DeviceName device_name = api::parse_device_name(command.compile.device);
  const auto device = api::open_device(device_name, command.compile.isa);
  if (!to_file) options.print_after.emplace_back("emit_program");

  Diagnostics diagnostics;
  const auto program =
      api::compile_program(std::move(graph), std::move(options), *device, device_name.provider, diagnostics);
  report_diagnostics(console, diagnostics, {});
  if (!program) return exit_code_of(diagnostics);  // success after --stop-after
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
  app.add_flag("--force", command->force, "overwrite the file");
  add_device_options(app, command->compile);
  add_compiler_options(app, command->compile);
  add_limit_options(app, command->limits);
  return [command](Console& console) { return compile(*command, console); };
}

}  // namespace webnn::cli
