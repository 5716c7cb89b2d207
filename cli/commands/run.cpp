// `webnn-cli run MODEL`: executes a graph or a program once, and prints or saves its outputs; or with --batch once for
// each of many inputs.
#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <sys/stat.h>
#include <utility>

#include "api/runner/compilation.hpp"
#include "api/runner/session.hpp"
#include "cli/batch/batch.hpp"
#include "cli/batch/facts.hpp"
#include "cli/command.hpp"
#include "cli/inputs/bound_inputs.hpp"
#include "cli/output/messages.hpp"
#include "cli/output/output_files.hpp"
#include "cli/output/run_report.hpp"
#include "cli/output/summary.hpp"
#include "cli/programs/chosen_device.hpp"
#include "cli/programs/compile_model.hpp"
#include "cli/programs/compile_options.hpp"
#include "cli/programs/open_model.hpp"
#include "cli/programs/provider_check.hpp"
#include "cli/programs/refused_program.hpp"
#include "cli/tuning/tuning_file.hpp"
#include "runtime/threads/processors.hpp"
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
  BatchOptions batch;
  std::string outputs_folder, labels, format = "text";
  std::size_t top = 0, repeat = 1;
  bool quiet = false, recompile = false, values = false;
};

/// Where --outputs saves an output.
fs::path file_of_output(const RunOptions& options, std::string_view name) {
  return fs::path(options.outputs_folder) / (file_name_of(name) + ".npy");
}

std::vector<std::string> labels_for(const RunOptions& options, const std::vector<api::Slot>& outputs) {
  if (options.labels.empty()) return {};
  std::vector<std::string> labels = read_labels(options.labels);
  for (const api::Slot& output : outputs)
    if (element_count(output.descriptor.shape) == labels.size()) return labels;
  throw Error(ExitCode::usage, in_quotes(options.labels) + " has " + std::to_string(labels.size()) +
                                   " labels, but no output has as many elements");
}

/// Throws Error (usage) when an output would replace a file that an input is read from.
void check_inputs_stay(const RunOptions& options, std::span<const api::Slot> inputs,
                       std::span<const api::Slot> outputs) {
  std::map<std::pair<dev_t, ino_t>, fs::path> read;
  struct stat status {};
  for (fs::path& input : files_of_inputs(options.inputs, inputs))
    if (stat(input.c_str(), &status) == 0) read.emplace(std::pair(status.st_dev, status.st_ino), std::move(input));
  for (const api::Slot& output : outputs) {
    const fs::path file = file_of_output(options, output.name);
    if (stat(file.c_str(), &status) != 0) continue;  // it is not there yet
    if (const auto input = read.find({status.st_dev, status.st_ino}); input != read.end())
      throw Error(ExitCode::usage,
                  "the results would go to " + in_quotes(file.string()) + ", where input " +
                      in_quotes(input->second.string()) + " lies",
                  "name another folder with --outputs");
  }
}

/// The results of runs with the same data.
struct Results {
  std::vector<Output> outputs;       // of the first run
  std::vector<double> milliseconds;  // of each run, until its outputs are read
  std::string difference;            // the first run with different results, and where; empty: none
};

/// Runs the session's graph `times` times, with `data` for its inputs in order, of which only the session's copy is kept.
Results run_times(api::Session& session, std::vector<Tensor> data, std::size_t times) {
  session.write(views_of(data));
  data.clear();
  Results results;
  for (std::size_t run = 0; run < times; ++run) {
    const auto start = std::chrono::steady_clock::now();
    session.compute();
    std::vector<std::vector<std::byte>> read = session.read();
    results.milliseconds.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    for (std::size_t i = 0; i < read.size(); ++i) {
      const Binding& output = session.outputs()[i];
      if (run == 0)
        results.outputs.push_back({output.name, {output.descriptor, Bytes(std::move(read[i]))}});
      else if (results.difference.empty() && !std::ranges::equal(read[i], results.outputs[i].tensor.data.view()))
        results.difference =
            "output " + in_quotes(output.name) + " of run " + std::to_string(run + 1) + " differs from the first run's";
    }
  }
  return results;
}

/// The graph in a program that was refused because it is for something else; empty if it contains none.
Bytes graph_instead(const api::Source& file, const Diagnostics& refusal) {
  return is_for_elsewhere(refusal.all().front().code) ? graph_of_program(file.content) : Bytes();
}

api::Compilation start(const api::Model& model, const RunOptions& options, const runtime::Device& device,
                       Console& console) {
  if (model.is_program()) refuse_compiler_options(model.name(), options.compile, options.limits);
  Diagnostics diagnostics;
  api::CompileRequest request = compile_request(options.compile, device, device.target(), console);
  if (auto found = api::Compilation::start(model, device, std::move(request), diagnostics)) {
    if (found->is_from_cache()) detail(console, "the program comes from the cache");
    report_diagnostics(console, diagnostics, {});
    return std::move(*found);
  }
  Bytes graph = graph_instead(model.source(), diagnostics);
  const bool carries_graph = graph.size() != 0;
  if (carries_graph && options.recompile) {
    remark(console, Severity::note,
           "compiled again from the graph that " + in_quotes(model.name()) +
               " carries: " + diagnostics.all().front().message);
    const api::Source carried{model.name(), std::move(graph), {}, {}, &compiler::binary_format};
    LimitOptions limits = options.limits;
    limits.format.clear();  // that was the program's
    return start(open_model(carried, limits, console), options, device, console);
  }
  report_diagnostics(console, diagnostics, {});
  throw Error(exit_code_of(diagnostics), in_quotes(model.name()) + " cannot be run here",
              carries_graph ? "it carries its graph: --recompile-if-needed compiles that again"
                            : "`webnn-cli inspect` shows what it needs");
}

/// Runs the session's graph with `data`, and saves and prints its outputs.
ExitCode run_once(api::Session& session, std::vector<Tensor> data, const std::vector<std::string>& labels,
                  const RunOptions& options, Console& console) {
  Results results = run_times(session, std::move(data), options.repeat);
  if (!options.outputs_folder.empty())
    for (const Output& output : results.outputs) write_tensor_file(file_of_output(options, output.name), output.tensor);
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

/// On the CPU each of the threads has inputs of its own: that keeps them busy while files are read and written, too.
ExitCode run_batch(const BatchRun& batch, const Program& program, const api::Model& model,
                   const runtime::Device& device, const RunOptions& options, Console& console) {
  BatchWork work{program, context_options(options.compile), 1,
                 batch_facts(model, options.compile, options.batch, options.inputs.images)};
  if (device.host_memory()) {
    work.workers = runtime::threads_for(options.compile.threads);
    work.context.threads = 1;
  }
  return with_program_name(model, console,
                           [&] { return batch.run(work, console, options.format == "json", options.quiet); });
}

ExitCode run(RunOptions options, Console& console) {
  check_only(options.compile);
  check_batch_options(options.batch, options.outputs_folder);
  const api::Model model = open_model(options.model, options.limits, console);
  if (!model.is_program()) check_stop_shows(options.compile);
  settle_device(options.compile, console, &model.source());
  api::Session session(context_options(options.compile));
  const runtime::Device& device = session.context().device();
  remark_device(console, device, options.compile.threads);
  api::Compilation compilation = start(model, options, device, console);
  std::vector<Tensor> data;
  std::vector<std::string> labels;
  std::optional<BatchRun> batch;
  if (options.compile.stop_after.empty() && options.batch.is_asked()) {
    batch.emplace(options.batch, options.outputs_folder, options.inputs.images, compilation.inputs(),
                  compilation.outputs(), options.limits.max_tensor_bytes);
  } else if (options.compile.stop_after.empty()) {
    labels = labels_for(options, compilation.outputs());
    check_inputs_fit(compilation.inputs(), options.compile);
    data = gather_inputs(options.inputs, compilation.inputs(), options.limits.max_tensor_bytes);
    remark_other_files(console, options.inputs.folder, compilation.inputs(), compilation.outputs());
    if (!options.outputs_folder.empty()) {
      check_inputs_stay(options, compilation.inputs(), compilation.outputs());
      check_writable_folder(options.outputs_folder);
    }
  }
  Diagnostics diagnostics;
  std::optional<Program> program = finish_program(compilation, options.compile, console, diagnostics);
  const bool is_ready = program.has_value();
  if (is_ready && !batch) with_program_name(model, console, [&] { session.load(std::move(*program)); });
  report_diagnostics(console, diagnostics, {});
  if (!is_ready) return exit_code_of(diagnostics);  // success after --stop-after
  return batch ? run_batch(*batch, *program, model, device, options, console)
               : run_once(session, std::move(data), labels, options, console);
}

}  // namespace

Action declare_run(OptionList& list) {
  auto options = std::make_shared<RunOptions>();
  list.add("model", options->model, "a graph or program file; - reads standard input").required();
  add_input_options(list, options->inputs);
  list.add("--outputs", options->outputs_folder,
           "save each output as NAME.npy in this folder, over that of an earlier run; with --batch, for each input "
           "STEM.npy, or STEM.safetensors of several outputs");
  list.add("--top", options->top, "print the N greatest elements of each output")
      .between(std::size_t{1}, std::size_t{1} << 31);
  list.add("--labels", options->labels, "a file with a label for each element of the output, one per line");
  list.flag("--values", options->values, "print every element of the outputs, with --output-format json as a list");
  list.add("--repeat", options->repeat, "run N times and say how long each took; the outputs must not differ")
      .between(std::size_t{1}, std::size_t{1} << 24)
      .shows_default();
  list.add("--output-format", options->format, "text or json").one_of({"text", "json"});
  list.flag("-q,--quiet", options->quiet, "print no summary");
  list.exclude("--quiet", "--values");
  add_batch_options(list, options->batch);
  list.flag("--recompile-if-needed", options->recompile,
            "a program for another machine or of another version that carries its graph is compiled again");
  add_device_options(list, options->compile);
  add_tuning_option(list, options->compile);
  add_compiler_options(list, options->compile);
  add_format_option(list, options->limits);
  add_limit_options(list, options->limits);
  list.allow_sandbox();
  return [options](Console& console) { return run(*options, console); };
}

}  // namespace webnn::cli
