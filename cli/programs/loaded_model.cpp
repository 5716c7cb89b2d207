#include "cli/programs/loaded_model.hpp"

#include <chrono>
#include <filesystem>
#include <optional>
#include <utility>

#include "api/runner/compilation.hpp"
#include "cli/output/messages.hpp"
#include "cli/programs/chosen_device.hpp"
#include "cli/programs/compile_model.hpp"
#include "cli/programs/provider_check.hpp"
#include "cli/programs/refused_program.hpp"
#include "compiler/frontend/mapped_file.hpp"
#include "schema/elements/memory_account.hpp"
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

/// A program, or the graph alone: what its file holds besides constants is needed no longer, unless the graph is read
/// again for other sizes of its dimensions.
api::Model read_model(const std::string& file, LimitOptions limits, const CompileOptions& options, Console& console,
                      double& milliseconds) {
  const Stopwatch watch;
  const AccountScope account(options.max_memory);
  api::Source source = open_source(file, limits);
  if (!source.format || !source.format->computes_shapes) limits.dimensions.clear();
  api::Model model = open_model(std::move(source), limits, console);
  model.limit_work(options.max_work);
  if (model.computes_shapes())
    model.graph();
  else if (!model.is_program())
    model = api::Model(model.take_graph(), model.name());
  milliseconds = watch.milliseconds();
  return model;
}

}  // namespace

LoadedModel::LoadedModel(const std::string& file, const LimitOptions& limits, const CompileOptions& options,
                         Console& console)
    : file_(file), limits_(limits), model_(read_model(file, limits, options, console, load_milliseconds_)) {}

std::string LoadedModel::name() const {
  return file_ == "-" ? std::string("stdin") : std::filesystem::path(file_).stem().string();
}

compiler::Graph LoadedModel::graph_with(const std::vector<std::string>& dimensions) const {
  return api::Model(model_).take_graph_with(dimension_sizes(dimensions));
}

CompileOptions LoadedModel::settled(CompileOptions options, Console& console) const {
  settle_device(options, console, &model_.source());
  return options;
}

void LoadedModel::release_pages() const {
  const compiler::Graph* graph = model_.known_graph();
  if (!graph) return compiler::release_pages(model_.source().content);
  for (std::uint32_t i = 0; i < graph->value_count(); ++i)
    if (const compiler::ValueId id{i}; graph->is_constant(id)) compiler::release_pages(graph->value(id).data);
}

Ready LoadedModel::prepare(const CompileOptions& given, Console& console) const {
  const CompileOptions options = settled(given, console);
  check_only(options);
  Ready ready{std::make_unique<api::Session>(context_options(options)), {}};
  const runtime::Device& device = ready.session->context().device();
  remark_device(console, device, options.threads);
  if (!graph()) refuse_compiler_options(model_.name(), options, limits_);
  const Stopwatch compiling;
  api::CompileRequest request = compile_request(options, device, device.target(), console);
  request.cache_folder.clear();  // what compiling takes is of interest
  request.options.pass_times = [&](std::span<const compiler::PassTime> passes) {
    ready.times.passes.assign(passes.begin(), passes.end());
  };
  Diagnostics diagnostics;
  std::optional<Program> program;
  if (auto compilation = api::Compilation::start(model_, device, std::move(request), diagnostics))
    program = finish_program(*compilation, options, console, diagnostics);
  if (graph()) ready.times.compile = compiling.milliseconds();
  report_diagnostics(console, diagnostics, {});
  if (!program)
    throw Error(diagnostics.has_errors() ? exit_code_of(diagnostics) : ExitCode::usage,
                in_quotes(file_) + " cannot be run on " + std::string(device.name()),
                graph() ? "" : "`webnn-cli inspect` shows what it needs");
  if (options.no_verify) program->constant_checksums.clear();
  const Stopwatch preparing;
  with_program_name(model_, console, [&] { ready.session->load(std::move(*program)); });
  ready.times.prepare = preparing.milliseconds();
  return ready;
}

}  // namespace webnn::cli
