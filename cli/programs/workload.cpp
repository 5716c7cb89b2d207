#include "cli/programs/workload.hpp"

#include <chrono>
#include <filesystem>

#include "api/compile_program.hpp"
#include "api/devices.hpp"
#include "api/program_file.hpp"
#include "cli/output/messages.hpp"
#include "cli/programs/chosen_device.hpp"
#include "cli/programs/provider_check.hpp"
#include "cli/programs/refused_program.hpp"
#include "cli/tuning/tuning_file.hpp"
#include "compiler/frontend/mapped_file.hpp"
#include "schema/error.hpp"
#include "schema/text.hpp"

namespace webnn::cli {

using namespace schema;

namespace {

/// Milliseconds from its construction.
class Stopwatch {
 public:
  double milliseconds() const {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

std::vector<InputSlot> input_slots(const compiler::Graph& graph) {
  std::vector<InputSlot> slots;
  for (const compiler::ValueId id : graph.inputs()) slots.push_back({graph.value(id).name, graph.value(id).descriptor});
  return slots;
}
std::vector<InputSlot> output_slots(const compiler::Graph& graph) {
  std::vector<InputSlot> slots;
  for (const compiler::GraphOutput& output : graph.outputs())
    slots.push_back({output.name, graph.value(output.value).descriptor});
  return slots;
}

std::vector<InputSlot> slots_of(std::span<const Binding> bindings) {
  std::vector<InputSlot> slots;
  for (const Binding& binding : bindings) slots.push_back({binding.name, binding.descriptor});
  return slots;
}

void refuse_compiler_options(const std::string& program, const CompileOptions& compile, const LimitOptions& limits) {
  std::string_view refused = compiler_only_option(compile);
  if (!limits.base_directory.empty()) refused = "--base-dir";
  if (!limits.weights_file.empty()) refused = "--weights-file";
  if (!refused.empty())
    throw Error(ExitCode::usage,
                std::string(refused) + " is for graphs, and " + in_quotes(program) + " is a compiled program",
                "give it to `webnn-cli compile`, which writes programs");
}

std::vector<std::span<const std::byte>> views_of(std::span<const compiler::Tensor> tensors) {
  std::vector<std::span<const std::byte>> views;
  for (const compiler::Tensor& tensor : tensors) views.push_back(tensor.data.view());
  return views;
}

Workload::Workload(const std::string& file, const LimitOptions& limits, Console& console)
    : file_(file), limits_(limits) {
  const Stopwatch watch;
  std::variant<ModelFile, ProgramFile> read = read_model_or_program(file, limits);
  if (ProgramFile* program = std::get_if<ProgramFile>(&read))
    program_ = std::move(*program);
  else
    graph_ = open_model(std::get<ModelFile>(read), limits, console);
  load_milliseconds_ = watch.milliseconds();
}

std::string Workload::name() const {
  return file_ == "-" ? std::string("stdin") : std::filesystem::path(file_).stem().string();
}

CompileOptions Workload::settled(CompileOptions options, Console& console) const {
  settle_device(options, console, program_ ? &*program_ : nullptr);
  return options;
}

void Workload::release_pages() const {
  if (program_) compiler::release_pages(program_->content);
  for (std::uint32_t i = 0; graph_ && i < graph_->value_count(); ++i)
    if (const compiler::ValueId id{i}; graph_->is_constant(id)) compiler::release_pages(graph_->value(id).data);
}

Ready Workload::prepare(const CompileOptions& given, Console& console) const {
  const CompileOptions options = settled(given, console);
  check_only(options);
  Ready ready{std::make_unique<api::Session>(context_options(options)), {}};
  const runtime::Device& device = ready.session->context().device();
  remark_device(console, device, options.threads);
  Diagnostics diagnostics;
  std::optional<Program> program;
  const Stopwatch compiling;
  if (program_) {
    refuse_compiler_options(program_->name, options, limits_);
    program = api::read_program_for(device, program_->content, program_->name, diagnostics);
  } else {
    compiler::Options compiler = compiler_options(options, console.err);
    compiler.tuning = load_tuning(options, device.target(), console);
    compiler.pass_times = [&](std::span<const compiler::PassTime> passes) {
      ready.times.passes.assign(passes.begin(), passes.end());
    };
    compiler::Graph graph = *graph_;
    bind_dimensions(graph, compiler);
    program = api::compile_program(std::move(graph), std::move(compiler), device,
                                   api::parse_device_name(options.device).provider, diagnostics);
    ready.times.compile = compiling.milliseconds();
  }
  if (program && !check_providers(*program, options, console, diagnostics)) program.reset();
  report_diagnostics(console, diagnostics, {});
  if (!program)
    throw Error(diagnostics.has_errors() ? exit_code_of(diagnostics) : ExitCode::usage,
                in_quotes(file_) + " cannot be run on " + std::string(device.name()),
                program_ ? "`webnn-cli inspect` shows what it needs" : "");
  note_fallback(console, fallen_back(*program));
  if (options.no_verify) program->constant_checksums.clear();
  const Stopwatch preparing;
  with_program_name(program_ ? &*program_ : nullptr, console, [&] { ready.session->load(std::move(*program)); });
  ready.times.prepare = preparing.milliseconds();
  return ready;
}

}  // namespace webnn::cli
