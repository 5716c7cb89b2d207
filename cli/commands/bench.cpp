// `webnn-cli bench MODEL|PROGRAM...`: latency and throughput, with statistics.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <memory>
#include <set>
#include <sstream>
#include <thread>

#include "cli/command.hpp"
#include "cli/inputs/bound_inputs.hpp"
#include "cli/json/json.hpp"
#include "cli/measure/bench_result.hpp"
#include "cli/options/number_list.hpp"
#include "cli/output/messages.hpp"
#include "cli/output/output_files.hpp"
#include "cli/output/progress.hpp"
#include "cli/programs/loaded_model.hpp"
#include "cli/tuning/tuning_file.hpp"
#include "cli/watchdog.hpp"
#include "runtime/threads/processors.hpp"
#include "schema/text.hpp"
#include "schema/version.hpp"

namespace webnn::cli {
namespace {

using namespace schema;
using compiler::Tensor;
using Clock = std::chrono::steady_clock;

struct BenchOptions {
  std::vector<std::string> models;
  CompileOptions compile;
  LimitOptions limits;
  InputOptions inputs;
  MeasureOptions measure;
  ReportOptions report;
  std::string threads = "0", streams = "1", percentiles = "50,90,95,99,99.9";
  std::string time = "3s", warm_up = "5s";
  std::string baseline, output, format = "text", progress = "auto";
  std::vector<std::string> fail_on;
  double alpha = 0.05, confidence = 95;
  bool allow_inconclusive = false, force = false;
};

/// One combination of the options to be measured.
struct Configuration {
  const LoadedModel* model;
  std::string name;
  CompileOptions compile;
  unsigned streams = 1;
  std::uint32_t batch = 1;
  bool has_default_threads = false;
};

/// A prepared configuration: one session for each stream.
struct Prepared {
  std::vector<std::unique_ptr<api::Session>> sessions;
  std::vector<Tensor> inputs;
  BenchResult result;
};

double nanoseconds_since(Clock::time_point start) {
  return double(std::chrono::nanoseconds(Clock::now() - start).count());
}

double milliseconds_of(const std::function<void()>& work) {
  const Clock::time_point start = Clock::now();
  work();
  return nanoseconds_since(start) * 1e-6;
}

/// "batch=1,4" -> {"batch=1", "batch=4"}
std::vector<std::string> alternatives_of(const std::string& dimension) {
  const std::size_t equals = dimension.rfind('=');
  if (equals == std::string::npos) return {dimension};  // refused when dimensions are parsed
  std::vector<std::string> alternatives;
  std::istringstream sizes(dimension.substr(equals + 1));
  for (std::string size; std::getline(sizes, size, ',');)
    alternatives.push_back(dimension.substr(0, equals + 1) + size);
  if (alternatives.empty()) alternatives.push_back(dimension);
  return alternatives;
}

/// All combinations of one alternative for each dimension.
std::vector<std::vector<std::string>> crossed_dimensions(const std::vector<std::string>& dimensions) {
  std::vector<std::vector<std::string>> combinations{{}};
  for (const std::string& dimension : dimensions) {
    std::vector<std::vector<std::string>> longer;
    for (const auto& combination : combinations)
      for (const std::string& alternative : alternatives_of(dimension)) {
        longer.push_back(combination);
        longer.back().push_back(alternative);
      }
    combinations = std::move(longer);
  }
  return combinations;
}

std::uint32_t batch_of(const std::vector<std::string>& dimensions) {
  for (const auto& [name, size] : dimension_sizes(dimensions))
    if (name == "batch") return size;
  return 1;
}

/// "digits/threads:1/batch:4"; options with a single value are left out, except for the threads.
std::string configuration_name(const LoadedModel& model, const Configuration& configuration, bool whole_path) {
  std::string name = whole_path ? model.file() : model.name();
  name += "/threads:" + std::to_string(configuration.compile.threads);
  for (const auto& [dimension, size] : dimension_sizes(configuration.compile.dimensions))
    name += "/" + dimension + ":" + std::to_string(size);
  if (configuration.streams != 1) name += "/streams:" + std::to_string(configuration.streams);
  return name;
}

std::vector<Configuration> cross(const std::vector<std::unique_ptr<LoadedModel>>& models, const BenchOptions& options,
                                 Console& console) {
  std::set<std::string> names;
  bool clash = false;
  for (const auto& model : models) clash |= !names.insert(model->name()).second;
  std::vector<Configuration> configurations;
  for (const auto& model : models) {
    const CompileOptions settled = model->settled(options.compile, console);
    for (const auto& dimensions : crossed_dimensions(options.compile.dimensions))
      for (const unsigned threads : count_list("--threads", options.threads, 0, 1024))
        for (const unsigned streams : count_list("--streams", options.streams, 1, 256)) {
          Configuration one{model.get(), {}, settled, streams, batch_of(dimensions)};
          one.compile.threads = runtime::threads_for(threads);
          one.has_default_threads = threads == 0;
          one.compile.dimensions = dimensions;
          one.name = configuration_name(*model, one, clash);
          configurations.push_back(std::move(one));
        }
  }
  return configurations;
}

/// Compiles, prepares and runs once, and records how long each took.
Prepared prepare(const Configuration& configuration, const BenchOptions& options, Console& console) {
  Prepared prepared;
  BenchResult& result = prepared.result;
  result.threads = configuration.compile.threads;
  result.streams = configuration.streams;
  result.batch = configuration.batch;
  result.measurement.name = configuration.name;
  configuration.model->release_pages();
  const bool peak_known = reset_peak_memory();
  const std::uint64_t before = resident_bytes();
  for (unsigned stream = 0; stream < configuration.streams; ++stream) {
    Ready ready = configuration.model->prepare(configuration.compile, console);
    if (stream == 0)
      result.phases = {configuration.model->load_milliseconds(), ready.times.compile, ready.times.prepare};
    prepared.sessions.push_back(std::move(ready.session));
  }
  const api::Session& first = *prepared.sessions[0];
  prepared.inputs = gather_any_inputs(options.inputs, api::slots_of(first.inputs()), options.limits.max_tensor_bytes,
                                      result.random_inputs);
  remark_other_files(console, options.inputs.folder, api::slots_of(first.inputs()), api::slots_of(first.outputs()));
  const auto views = views_of(prepared.inputs);
  for (auto& session : prepared.sessions) {
    session->write(views);
    const double milliseconds = milliseconds_of([&] { session->compute(); });
    if (&session == &prepared.sessions[0]) result.phases.first_run = milliseconds;
  }
  if (const std::uint64_t peak = peak_resident_bytes(); peak_known && peak > before) result.memory.peak = peak - before;
  const runtime::Executable& executable = prepared.sessions[0]->context().executable(first.executable());
  for (const Bytes& constant : executable.program().constants) result.memory.constants += constant.size();
  result.memory.arena = executable.arena_bytes();
  result.memory.scratch = executable.scratch_bytes();
  for (const auto bindings : {first.inputs(), first.outputs()})
    for (const Binding& binding : bindings) result.memory.tensors += byte_length(binding.descriptor);
  result.device = prepared.sessions[0]->context().device().name();
  return prepared;
}

/// The median of a few transfers, after the steady runs.
void time_transfers(Prepared& prepared) {
  const auto views = views_of(prepared.inputs);
  std::vector<double> writes, reads;
  for (int i = 0; i < 5; ++i) {
    writes.push_back(milliseconds_of([&] { prepared.sessions[0]->write(views); }));
    reads.push_back(milliseconds_of([&] { prepared.sessions[0]->read(); }));
  }
  prepared.result.phases.write = median_of(writes);
  prepared.result.phases.read = median_of(reads);
}

/// The latencies of `runs` runs of one session.
std::vector<double> run_stream(api::Session& session, std::size_t runs) {
  std::vector<double> latencies(runs);
  for (double& latency : latencies) {
    const Clock::time_point start = Clock::now();
    session.compute();
    latency = nanoseconds_since(start);
  }
  return latencies;
}

/// Runs all streams concurrently, each `runs` times.
Batch run_batch(const std::vector<std::unique_ptr<api::Session>>& sessions, std::size_t runs) {
  std::vector<std::vector<double>> latencies(sessions.size());
  const double cpu = processor_nanoseconds();
  const Clock::time_point start = Clock::now();
  {
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < sessions.size(); ++i)
      others.emplace_back([&, i] { latencies[i] = run_stream(*sessions[i], runs); });
    latencies[0] = run_stream(*sessions[0], runs);
  }
  Batch batch{{}, nanoseconds_since(start), processor_nanoseconds() - cpu};
  for (const auto& stream : latencies) batch.latencies.insert(batch.latencies.end(), stream.begin(), stream.end());
  return batch;
}

constexpr double noisy = 0.05;  // deviation of the rounds' medians, as a share

std::vector<std::string> warnings_of(const BenchReport& report) {
  unsigned threads = 1;
  for (const BenchResult& result : report.results) threads = std::max(threads, result.threads * result.streams);
  std::vector<std::string> warnings = doubts_about(report.machine, threads);
  for (const BenchResult& result : report.results) {
    if (!result.measurement.steady)
      warnings.push_back(result.measurement.name + " was not steady when its warm-up ended");
    if (const double deviation = round_deviation(result.measurement); deviation > noisy)
      warnings.push_back(result.measurement.name + " is noisy: the medians of its rounds differ by " +
                         std::to_string(std::lround(deviation * 100)) + " %");
  }
  return warnings;
}

std::string report_text(const BenchReport& report, const std::string& format) {
  std::ostringstream text;
  if (format == "json")
    text << bench_json(report).dump() << "\n";
  else if (format == "csv")
    print_bench_csv(text, report);
  else if (format == "md")
    print_bench_markdown(text, report);
  else
    print_bench_text(text, report);
  return text.str();
}

ExitCode outcome_of(const BenchReport& report, const BenchOptions& options, Console& console) {
  ExitCode code = ExitCode::success;
  for (const BaselineVerdict& verdict : report.verdicts) {
    using enum BaselineVerdict::Kind;
    if (verdict.rule.empty()) continue;
    if (verdict.kind == regression || (verdict.kind == inconclusive && !options.allow_inconclusive))
      code = ExitCode::negative;
    if (verdict.kind == inconclusive && !options.allow_inconclusive)
      report_error(console, {escaped(verdict.name) + " " + verdict.metric + ": " + verdict.reason,
                             {verdict.hint.empty() ? "measure longer with --time, or pass --allow-inconclusive"
                                                   : verdict.hint}});
  }
  return code;
}

/// For text output: what a JSON report contains itself.
void remark_report(const BenchReport& report, const std::vector<Configuration>& configurations, Console& console) {
  for (const BenchResult& result : report.results)
    if (!result.random_inputs.empty()) remark(console, Severity::note, random_inputs_text(result.random_inputs));
  if (std::ranges::any_of(configurations, &Configuration::has_default_threads))
    remark(console, Severity::note,
           counted(report.machine.default_threads.threads, "thread") +
               " by default: " + report.machine.default_threads.reason);
  for (const std::string& warning : report.warnings) remark(console, Severity::warning, warning);
}

Origin origin_of(const BenchReport& report) {
  Origin origin{report.machine.processor, "webnn-cli " + std::string(schema::version), report.choices, {}};
  for (const BenchResult& result : report.results) origin.devices[result.measurement.name] = result.device;
  return origin;
}

/// The options that choose kernels, as they are written.
std::string choices_text(const CompileOptions& options) {
  return "--isa " + options.isa + (options.kernels.empty() ? "" : " --kernels " + options.kernels) +
         (options.only ? " --only" : "") + (options.tuning.empty() ? "" : " --tuning " + options.tuning);
}

ExitCode bench(BenchOptions options, Console& console) {
  options.measure.seconds = std::chrono::duration<double>(parse_duration(options.time)).count();
  options.measure.warm_up_seconds = std::chrono::duration<double>(parse_duration(options.warm_up)).count();
  options.report.percentiles = number_list("--percentiles", options.percentiles, 0, 100);
  options.report.confidence = options.confidence / 100;
  BaselineOptions judging{{}, options.alpha};
  for (const std::string& rule : options.fail_on) judging.rules.push_back(parse_fail_rule(rule));
  if (!judging.rules.empty() && options.baseline.empty())
    throw Error(ExitCode::usage, "--fail-on needs something to compare with",
                "name an earlier report with --baseline; `bench --output-format json -o FILE` writes one");
  std::optional<Baseline> baseline;
  if (!options.baseline.empty()) baseline = read_baseline(options.baseline);
  if (!is_standard_output(options.output)) check_free(options.output, options.force);

  BenchReport report;
  report.options = options.report;
  report.machine = this_machine();
  report.choices = choices_text(options.compile);
  std::vector<std::unique_ptr<LoadedModel>> models;
  LimitOptions limits = options.limits;
  limits.dimensions = crossed_dimensions(options.compile.dimensions).front();
  for (const std::string& file : options.models)
    models.push_back(std::make_unique<LoadedModel>(file, limits, options.compile, console));
  const std::vector<Configuration> configurations = cross(models, options, console);
  std::vector<Prepared> prepared;
  for (const Configuration& configuration : configurations)
    prepared.push_back(prepare(configuration, options, console));

  std::vector<Subject> subjects;
  for (const Prepared& one : prepared)
    subjects.push_back({one.result.measurement.name, [&one](std::size_t runs) { return run_batch(one.sessions, runs); },
                        double(one.result.batch)});
  std::vector<Measurement> measurements;
  {
    Progress progress(console, options.progress, "bench");
    options.measure.progress = [&](double done) { progress.show(done); };
    measurements = measure(subjects, options.measure);
  }
  for (std::size_t i = 0; i < prepared.size(); ++i) {
    time_transfers(prepared[i]);
    prepared[i].result.measurement = measurements[i];
    report.results.push_back(prepared[i].result);
  }
  if (baseline) report.verdicts = judge(*baseline, measurements, judging);
  report.warnings = warnings_of(report);
  if (baseline) {
    std::ranges::move(differences(baseline->origin, origin_of(report)), std::back_inserter(report.warnings));
  }

  write_output(console, options.output, report_text(report, options.format));
  if (options.format != "json") remark_report(report, configurations, console);
  return outcome_of(report, options, console);
}

}  // namespace

Action declare_bench(OptionList& list) {
  auto options = std::make_shared<BenchOptions>();
  list.add("models", options->models, "graph or program files").required();
  list.add("-t,--threads", options->threads, "numbers of threads, each measured: 1,2; 0: as many as `devices` says");
  list.add("--streams", options->streams, "numbers of copies that run side by side, each measured: 1,2")
      .shows_default();
  list.add("--dim", options->compile.dimensions,
           "NAME=SIZE of a named dimension, or NAME=SIZE,SIZE to measure each; may be repeated")
      .repeatable();
  list.add("--time", options->time, "measured time of each configuration, at least").shows_default();
  list.add("--runs", options->measure.runs, "measured runs of each configuration, at least")
      .between(std::size_t{1}, std::size_t{1} << 24)
      .shows_default();
  list.add("--rounds", options->measure.rounds, "rounds in which configurations take turns; fewer of long runs")
      .between(std::size_t{1}, std::size_t{10000})
      .shows_default();
  list.add("--warm-up", options->warm_up, "longest time to wait until runs are steady").shows_default();
  list.add("--percentiles", options->percentiles, "which to report: 50,99").shows_default();
  list.add("--confidence", options->confidence, "of the intervals, in percent").between(50.0, 99.99).shows_default();
  list.add("--baseline", options->baseline, "an earlier report (JSON) to compare with");
  list.add("--fail-on", options->fail_on,
           "exit with 1 when the change is greater: METRIC>LIMIT%, METRIC one of p50, p99.9, .., min, mean, "
           "throughput; may be repeated")
      .repeatable();
  list.add("--alpha", options->alpha, "probability to take chance for a change").between(1e-6, 0.5).shows_default();
  list.flag("--allow-inconclusive", options->allow_inconclusive, "exit with 0 when the noise hides the answer");
  list.add("-o,--output", options->output, "write the report to this file; -: standard output");
  list.flag("--force", options->force, "overwrite the file");
  list.add("--output-format", options->format, "text, json (Google Benchmark's), csv or md")
      .one_of({"text", "json", "csv", "md"});
  add_progress_option(list, options->progress);
  add_input_options(list, options->inputs);
  add_device_option(list, options->compile);
  add_target_options(list, options->compile);
  add_tuning_option(list, options->compile);
  add_format_option(list, options->limits);
  add_limit_options(list, options->limits);
  list.allow_sandbox();
  return [options](Console& console) { return bench(*options, console); };
}

}  // namespace webnn::cli
