// `webnn-cli run MODEL`: execute a graph or a program once, print or save its outputs.
#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>

#include "api/internals.hpp"
#include "cli/bound_inputs.hpp"
#include "cli/cached_model.hpp"
#include "cli/chosen_device.hpp"
#include "cli/command.hpp"
#include "cli/compile_options.hpp"
#include "cli/model_file.hpp"
#include "cli/output_files.hpp"
#include "cli/provider_check.hpp"
#include "cli/refused_program.hpp"
#include "cli/report.hpp"
#include "cli/summary.hpp"
#include "cli/tuning/tuning_file.hpp"
#include "cli/workload.hpp"
#include "schema/file/program_file.hpp"
#include "schema/text.hpp"

namespace webnn::cli {
namespace {

using namespace schema;
using compiler::Tensor;
using nlohmann::ordered_json;
namespace fs = std::filesystem;

struct RunOptions {
  std::string model;
  CompileOptions compile;
  LimitOptions limits;
  InputOptions inputs;
  std::string outputs_folder, labels, format = "text";
  std::size_t top = 0;
  bool quiet = false, recompile = false;
};

struct Output {
  std::string name;
  Tensor tensor;
};

void print_best(std::ostream& out, const Output& output, const RunOptions& options,
                const std::vector<std::string>& labels) {
  for (const Ranked& ranked : best_elements(output.tensor, options.top)) {
    char line[64];
    std::snprintf(line, sizeof line, "  %8.4f  %6zu", ranked.value, ranked.index);
    out << line;
    if (!labels.empty()) out << "  " << escaped(labels[ranked.index]);
    out << "\n";
  }
}

void print_text(std::ostream& out, const std::vector<Output>& outputs, const RunOptions& options,
                const std::vector<std::string>& labels) {
  for (const Output& output : outputs) {
    const OperandDescriptor& descriptor = output.tensor.descriptor;
    out << escaped(output.name) << ": " << descriptor.text() << "\n";
    const bool ranked = options.top != 0 && (labels.empty() || labels.size() == element_count(descriptor.shape));
    if (ranked) {
      print_best(out, output, options, labels);
      continue;
    }
    const Statistics statistics = statistics_of(output.tensor);
    char line[128];
    std::snprintf(line, sizeof line, "  min %.6g  max %.6g  mean %.6g", statistics.min, statistics.max,
                  statistics.mean);
    out << line << "  NaN " << statistics.nan_count << "  infinite " << statistics.infinity_count << "\n"
        << "  [" << first_values(output.tensor, 8) << "]\n";
  }
}

void print_json(std::ostream& out, const std::vector<Output>& outputs, const RunOptions& options,
                const std::vector<std::string>& labels) {
  ordered_json list = ordered_json::array();
  for (const Output& output : outputs) {
    const OperandDescriptor& descriptor = output.tensor.descriptor;
    const Statistics statistics = statistics_of(output.tensor);
    ordered_json json{{"name", output.name},
                      {"dataType", name_of(descriptor.type)},
                      {"shape", std::vector<std::uint32_t>(descriptor.shape.begin(), descriptor.shape.end())},
                      {"min", statistics.min},
                      {"max", statistics.max},
                      {"mean", statistics.mean},
                      {"nanCount", statistics.nan_count},
                      {"infinityCount", statistics.infinity_count}};
    const bool labelled = labels.size() == element_count(descriptor.shape);
    for (const Ranked& ranked : best_elements(output.tensor, labels.empty() || labelled ? options.top : 0)) {
      ordered_json entry{{"index", ranked.index}, {"value", ranked.value}};
      if (labelled) entry["label"] = labels[ranked.index];
      json["top"].push_back(std::move(entry));
    }
    list.push_back(std::move(json));
  }
  out << ordered_json{{"schema", "webnn-cli/run/1"}, {"outputs", std::move(list)}}.dump(
             2, ' ', false, ordered_json::error_handler_t::replace)
      << "\n";
}

std::vector<std::string> labels_for(const RunOptions& options, const std::vector<InputSlot>& outputs) {
  if (options.labels.empty()) return {};
  std::vector<std::string> labels = read_labels(options.labels);
  for (const InputSlot& output : outputs)
    if (element_count(output.descriptor.shape) == labels.size()) return labels;
  throw Error(ExitCode::usage, in_quotes(options.labels) + " has " + std::to_string(labels.size()) +
                                   " labels, but no output has as many elements");
}

/// Runs the graph with `data` for its inputs, in their order.
std::vector<Output> run_once(Context& context, const Graph& graph, std::span<const Tensor> data) {
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
  context.dispatch(graph, inputs, outputs);
  std::vector<Output> results;
  for (const NamedDescriptor& output : graph.outputs())
    results.push_back({output.name,
                       {{output.dataType, Shape(std::span(output.shape))},
                        Bytes(context.readTensor(outputs.at(output.name)).get())}});
  return results;
}

/// What is to be run: everything about it that data are checked against, and the work that is done only then.
struct Runnable {
  std::vector<InputSlot> inputs, outputs;
  std::function<std::optional<Graph>(Diagnostics&)> make_ready;  // nullopt: errors, or the end after --stop-after
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

/// Of a refused program: the graph that it carries, to be compiled again, when the user allows that; else empty.
Bytes graph_instead(const ProgramFile& file, const RunOptions& options, const Diagnostics& refusal, Console& console) {
  const Bytes graph = is_for_elsewhere(refusal.all().front().code) ? graph_of_program(file.content) : Bytes();
  if (graph.size() == 0 || options.recompile) {
    if (graph.size() != 0)
      remark(
          console, Severity::note,
          "compiled again from the graph that " + in_quotes(file.name) + " carries: " + refusal.all().front().message);
    return graph;
  }
  throw Error(exit_code_of(refusal), in_quotes(file.name) + " cannot be run here: " + refusal.all().front().message,
              "it carries its graph: --recompile-if-needed compiles that again");
}

Runnable open_program(const ProgramFile& file, const RunOptions& options, const Context& context, Console& console) {
  refuse_compiler_options(file.name, options.compile, options.limits);
  Diagnostics diagnostics;
  std::optional<Program> program = api::Internals::read_program(context, file.content, file.name, diagnostics);
  if (!program)
    if (Bytes graph = graph_instead(file, options, diagnostics, console); graph.size() != 0) {
      ModelFile model;
      model.name = file.name;
      model.content = std::move(graph);
      model.kind = compiler::FileKind::graph_binary;
      return open_graph(model, options, context, console);
    }
  report_diagnostics(console, diagnostics, {});
  if (!program)
    throw Error(exit_code_of(diagnostics), in_quotes(file.name) + " cannot be run here",
                "`webnn-cli inspect` shows what it needs");
  if (options.compile.no_verify) program->constant_checksums.clear();
  return runnable(std::move(*program), context, options, console);
}

ExitCode run(RunOptions options, Console& console) {
  check_only(options.compile);
  const std::variant<ModelFile, ProgramFile> file = read_model_or_program(options.model, options.limits);
  const ProgramFile* program = std::get_if<ProgramFile>(&file);
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
  RunOptions shown = options;
  if (!labels.empty() && shown.top == 0) shown.top = 5;

  Diagnostics diagnostics;
  const std::optional<Graph> graph =
      with_program_name(program, console, [&] { return runnable.make_ready(diagnostics); });
  report_diagnostics(console, diagnostics, {});
  if (!graph) return exit_code_of(diagnostics);  // success after --stop-after

  const std::vector<Output> named = run_once(context, *graph, data);
  if (!options.outputs_folder.empty())
    for (const Output& output : named)
      write_whole_file(fs::path(options.outputs_folder) / (file_name_of(output.name) + ".npy"),
                       compiler::npy_bytes(output.tensor.descriptor, output.tensor.data.view()));
  if (options.quiet) return ExitCode::success;
  if (options.format == "json")
    print_json(console.out, named, shown, labels);
  else
    print_text(console.out, named, shown, labels);
  return ExitCode::success;
}

}  // namespace

Action declare_run(CLI::App& app) {
  auto options = std::make_shared<RunOptions>();
  app.add_option("model", options->model, "a graph or program file; - reads standard input")->required();
  add_input_options(app, options->inputs);
  app.add_option("--outputs", options->outputs_folder, "save each output as NAME.npy in this folder");
  app.add_option("--top", options->top, "print the N greatest elements of each output")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1} << 31));
  app.add_option("--labels", options->labels, "a file with a label for each element of the output, one per line");
  app.add_option("--output-format", options->format, "text or json")->check(CLI::IsMember({"text", "json"}));
  app.add_flag("-q,--quiet", options->quiet, "print no summary");
  app.add_flag("--recompile-if-needed", options->recompile,
               "a program for another machine or of another version that carries its graph is compiled again");
  add_device_options(app, options->compile);
  add_tuning_option(app, options->compile);
  add_compiler_options(app, options->compile);
  add_limit_options(app, options->limits);
  return [options](Console& console) { return run(*options, console); };
}

}  // namespace webnn::cli
