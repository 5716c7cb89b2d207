// `webnn-cli run MODEL`: executes a graph or a program once, and prints or saves its outputs.
#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>

#include "api/internals.hpp"
#include "cli/command.hpp"
#include "cli/inputs/bound_inputs.hpp"
#include "cli/output/messages.hpp"
#include "cli/output/output_files.hpp"
#include "cli/output/run_report.hpp"
#include "cli/output/summary.hpp"
#include "cli/programs/cached_model.hpp"
#include "cli/programs/chosen_device.hpp"
#include "cli/programs/compile_options.hpp"
#include "cli/programs/model_file.hpp"
#include "cli/programs/provider_check.hpp"
#include "cli/programs/refused_program.hpp"
#include "cli/programs/workload.hpp"
#include "cli/tuning/tuning_file.hpp"
#include "schema/file/program_file.hpp"
#include "schema/text.hpp"

namespace webnn::cli {
namespace {

using namespace schema;
using compiler::Tensor;
namespace fs = std::filesystem;

struct RunOptions {
  std::string model;
  CompileOptions compile;
  LimitOptions limits;
  InputOptions inputs;
  std::string outputs_folder, labels, format = "text";
  std::size_t top = 0, repeat = 1;
  bool quiet = false, recompile = false, values = false;
};

std::vector<std::string> labels_for(const RunOptions& options, const std::vector<InputSlot>& outputs) {
  if (options.labels.empty()) return {};
  std::vector<std::string> labels = read_labels(options.labels);
  for (const InputSlot& output : outputs)
    if (element_count(output.descriptor.shape) == labels.size()) return labels;
  throw Error(ExitCode::usage, in_quotes(options.labels) + " has " + std::to_string(labels.size()) +
                                   " labels, but no output has as many elements");
}

/// The results of runs with the same data.
struct Results {
  std::vector<Output> outputs;       // of the first run
  std::vector<double> milliseconds;  // of each run, until its outputs are read
  std::string difference;            // the first run with different results, and where; empty: none
};

/// Runs the graph `times` times, with `data` for its inputs in order.
Results run_times(Context& context, const Graph& graph, std::span<const Tensor> data, std::size_t times) {
  NamedTensors inputs, outputs;
  for (std::size_t i = 0; i < data.size(); ++i) {
    const NamedDescriptor& input = graph.inputs()[i];
    const auto tensor = context.createTensor({.dataType = input.dataType, .shape = input.shape, .writable = true});
    context.writeTensor(tensor, data[i].data.view());
    inputs.emplace(input.name, tensor);
  }
  for (const NamedDescriptor& output : graph.outputs())
    outputs.emplace(output.name,
                    context.createTensor({.dataType = output.dataType, .shape = output.shape, .readable = true}));
  Results results;
  for (std::size_t run = 0; run < times; ++run) {
    const auto start = std::chrono::steady_clock::now();
    context.dispatch(graph, inputs, outputs);
    std::vector<Bytes> read;
    for (const NamedDescriptor& output : graph.outputs())
      read.emplace_back(context.readTensor(outputs.at(output.name)).get());
    results.milliseconds.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    for (std::size_t i = 0; i < read.size(); ++i) {
      const NamedDescriptor& output = graph.outputs()[i];
      if (run == 0)
        results.outputs.push_back({output.name, {{output.dataType, Shape(std::span(output.shape))}, read[i]}});
      else if (results.difference.empty() && !std::ranges::equal(read[i].view(), results.outputs[i].tensor.data.view()))
        results.difference =
            "output " + in_quotes(output.name) + " of run " + std::to_string(run + 1) + " differs from the first run's";
    }
  }
  return results;
}

/// What is to be run: the facts against which data are checked, and the work that is done only afterwards.
struct Runnable {
  std::vector<InputSlot> inputs, outputs;
  std::function<std::optional<Graph>(Diagnostics&)> make_ready;  // nullopt: errors, or ended by --stop-after
};

Runnable runnable(Program read, const Context& context, const RunOptions& options, Console& console) {
  note_fallback(console, fallen_back(read));
  auto program = std::make_shared<Program>(std::move(read));
  return {slots_of(program->inputs), slots_of(program->outputs),
          [=, compile = options.compile, &console](Diagnostics& diagnostics) -> std::optional<Graph> {
            if (!check_providers(*program, compile, console, diagnostics)) return std::nullopt;
            return api::Internals::prepare(context, std::move(*program));
          }};
}

Runnable open_graph(const ModelFile& model, const RunOptions& options, const Context& context, Console& console) {
  const runtime::Device& device = api::Internals::device(context);
  auto compiling = std::make_shared<compiler::Options>(compiler_options(options.compile, console.err));
  compiling->tuning = load_tuning(options.compile, device.target(), console);
  const auto cached = std::make_shared<CachedModel>(model, options.limits, options.compile, *compiling, device,
                                                    api::Internals::provider(context));
  if (auto program = cached->find()) {
    detail(console, "the program comes from the cache");
    return runnable(std::move(*program), context, options, console);
  }
  auto graph = std::make_shared<compiler::Graph>(open_model(model, options.limits, console));
  bind_dimensions(*graph, *compiling);
  return {input_slots(*graph), output_slots(*graph),
          [=, compile = options.compile, &console](Diagnostics& diagnostics) -> std::optional<Graph> {
            auto program =
                api::Internals::compile_program(context, std::move(*graph), std::move(*compiling), diagnostics);
            if (!program) return std::nullopt;
            cached->keep(*program, console);
            note_fallback(console, fallen_back(*program));
            if (!check_providers(*program, compile, console, diagnostics)) return std::nullopt;
            return api::Internals::prepare(context, std::move(*program));
          }};
}

/// The graph embedded in a program that was refused because it is for another machine; empty if there is none.
Bytes graph_instead(const ProgramFile& file, const Diagnostics& refusal) {
  return is_for_elsewhere(refusal.all().front().code) ? graph_of_program(file.content) : Bytes();
}

Runnable open_program(const ProgramFile& file, const RunOptions& options, const Context& context, Console& console) {
  refuse_compiler_options(file.name, options.compile, options.limits);
  Diagnostics diagnostics;
  std::optional<Program> program = api::Internals::read_program(context, file.content, file.name, diagnostics);
  Bytes graph = program ? Bytes() : graph_instead(file, diagnostics);
  const bool carries_graph = graph.size() != 0;
  if (carries_graph && options.recompile) {
    remark(console, Severity::note,
           "compiled again from the graph that " + in_quotes(file.name) +
               " carries: " + diagnostics.all().front().message);
    ModelFile model;
    model.name = file.name;
    model.content = std::move(graph);
    model.kind = compiler::FileKind::graph_binary;
    return open_graph(model, options, context, console);
  }
  report_diagnostics(console, diagnostics, {});
  if (!program)
    throw Error(exit_code_of(diagnostics), in_quotes(file.name) + " cannot be run here",
                carries_graph ? "it carries its graph: --recompile-if-needed compiles that again"
                              : "`webnn-cli inspect` shows what it needs");
  if (options.compile.no_verify) program->constant_checksums.clear();
  return runnable(std::move(*program), context, options, console);
}

ExitCode run(RunOptions options, Console& console) {
  check_only(options.compile);
  const std::variant<ModelFile, ProgramFile> file = read_model_or_program(options.model, options.limits);
  const ProgramFile* program = std::get_if<ProgramFile>(&file);
  if (!program) check_stop_shows(options.compile);
  settle_device(options.compile, console, program);
  Context context(context_options(options.compile));
  remark_device(console, api::Internals::device(context), options.compile.threads);
  const Runnable runnable = program ? open_program(*program, options, context, console)
                                    : open_graph(std::get<ModelFile>(file), options, context, console);
  std::vector<Tensor> data;
  std::vector<std::string> labels;
  if (options.compile.stop_after.empty()) {
    labels = labels_for(options, runnable.outputs);
    data = gather_inputs(options.inputs, runnable.inputs, options.limits.max_tensor_bytes);
    if (!options.outputs_folder.empty()) check_writable_folder(options.outputs_folder);
  }
  Diagnostics diagnostics;
  const std::optional<Graph> graph =
      with_program_name(program, console, [&] { return runnable.make_ready(diagnostics); });
  report_diagnostics(console, diagnostics, {});
  if (!graph) return exit_code_of(diagnostics);  // success after --stop-after

  Results results = run_times(context, *graph, data, options.repeat);
  if (!options.outputs_folder.empty())
    for (const Output& output : results.outputs)
      write_whole_file(fs::path(options.outputs_folder) / (file_name_of(output.name) + ".npy"),
                       compiler::npy_bytes(output.tensor.descriptor, output.tensor.data.view()));
  const bool json = options.format == "json", repeated = options.repeat > 1;
  if (!options.quiet) {
    RunReport report{std::move(results.outputs), options.top, options.values, labels, {}};
    if (!labels.empty() && report.top == 0) report.top = 5;
    if (repeated) report.runs = results.milliseconds;
    json ? print_run_json(console.out, report) : print_run_text(console.out, report);
    if (repeated && !json) console.err << runs_text(results.milliseconds) << "\n";
  }
  if (results.difference.empty()) return ExitCode::success;
  report_error(console,
               {results.difference, {"equal inputs must give equal bytes; --device cpu:reference tells more"}});
  return ExitCode::negative;
}

}  // namespace

Action declare_run(OptionList& list) {
  auto options = std::make_shared<RunOptions>();
  list.add("model", options->model, "a graph or program file; - reads standard input").required();
  add_input_options(list, options->inputs);
  list.add("--outputs", options->outputs_folder, "save each output as NAME.npy in this folder");
  list.add("--top", options->top, "print the N greatest elements of each output")
      .between(std::size_t{1}, std::size_t{1} << 31);
  list.add("--labels", options->labels, "a file with a label for each element of the output, one per line");
  list.flag("--values", options->values, "print every element of the outputs, with --output-format json as a list");
  list.add("--repeat", options->repeat, "run N times and say how long each took; the outputs must not differ")
      .between(std::size_t{1}, std::size_t{1} << 24)
      .shows_default();
  list.add("--output-format", options->format, "text or json").one_of({"text", "json"});
  list.flag("-q,--quiet", options->quiet, "print no summary");
  list.flag("--recompile-if-needed", options->recompile,
            "a program for another machine or of another version that carries its graph is compiled again");
  add_device_options(list, options->compile);
  add_tuning_option(list, options->compile);
  add_compiler_options(list, options->compile);
  add_format_option(list, options->limits);
  add_limit_options(list, options->limits);
  return [options](Console& console) { return run(*options, console); };
}

}  // namespace webnn::cli
