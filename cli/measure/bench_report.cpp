// The reports of `bench`: text, Google Benchmark's JSON, CSV, markdown.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <ostream>

#include "cli/json/json.hpp"
#include "cli/measure/bench_result.hpp"
#include "cli/output/summary.hpp"
#include "schema/text.hpp"
#include "schema/version.hpp"

namespace webnn::cli {
namespace {

using schema::counted;
using schema::escaped;

std::string number_text(double value, const char* form = "%.4g") {
  char text[64];
  std::snprintf(text, sizeof text, form, value);
  return text;
}

std::string milliseconds_text(double milliseconds) { return time_text(milliseconds * 1e6); }

std::string interval_text(const Interval& interval) {
  return time_text(interval.low) + " .. " + time_text(interval.high);
}

void print_result(std::ostream& out, const BenchResult& result, const ReportOptions& options) {
  const BenchNumbers numbers = numbers_of(result, options);
  const Spread& spread = numbers.spread;
  const std::string confidence = number_text(options.confidence * 100) + " %";
  out << escaped(result.measurement.name) << "  (" << result.device << ")\n  latency    ";
  for (const auto& [percent, value] : numbers.percentiles)
    out << percentile_name(percent) << " " << time_text(value) << "  ";
  out << "\n  mean       " << time_text(spread.mean) << ", " << confidence << " within "
      << interval_text(numbers.mean_interval) << "; p50 within " << interval_text(numbers.median_interval)
      << "\n  spread     min " << time_text(spread.min) << ", max " << time_text(spread.max) << ", deviation "
      << time_text(spread.deviation) << ", MAD " << time_text(spread.mad) << ", "
      << counted(spread.mild_outliers + spread.severe_outliers, "outlier") << " (" << spread.severe_outliers
      << " severe)\n  runs       " << spread.count << " in " << counted(result.measurement.rounds.size(), "round")
      << ", after " << result.measurement.warm_up_runs << " to warm up\n  throughput "
      << number_text(numbers.throughput, "%.5g") << "/s\n  phases     load " << milliseconds_text(result.phases.load)
      << ", compile " << milliseconds_text(result.phases.compile) << ", prepare "
      << milliseconds_text(result.phases.prepare) << ", first run " << milliseconds_text(result.phases.first_run)
      << ", write inputs " << milliseconds_text(result.phases.write) << ", read outputs "
      << milliseconds_text(result.phases.read) << "\n  memory     ";
  if (result.memory.peak != 0) out << "peak " << size_text(result.memory.peak) << ": ";
  out << "constants " << size_text(result.memory.constants) << ", arena " << size_text(result.memory.arena)
      << ", scratch " << size_text(result.memory.scratch) << ", tensors " << size_text(result.memory.tensors) << "\n";
}

void print_verdicts(std::ostream& out, const std::vector<BaselineVerdict>& verdicts) {
  if (verdicts.empty()) return;
  out << "compared with the baseline:\n";
  for (const BaselineVerdict& verdict : verdicts) {
    out << "  " << escaped(verdict.name) << "  " << verdict.metric << "  ";
    if (verdict.before > 0)
      out << percent_text(verdict.change) << " (" << percent_text(verdict.change_interval.low) << " .. "
          << percent_text(verdict.change_interval.high) << ", p = " << number_text(verdict.test.p, "%.3g") << ")";
    if (!verdict.rule.empty()) out << "  " << escaped(verdict.rule) << ": " << name_of(verdict.kind);
    if (!verdict.reason.empty()) out << (verdict.rule.empty() ? "" : ", ") << verdict.reason;
    out << "\n";
  }
}

std::string date_text() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  char text[64];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S%z", &local);
  return std::string(text).insert(22, ":");  // RFC 3339 wants +00:00
}

Json context_json(const BenchReport& report) {
  const Machine& machine = report.machine;
  return {{"date", date_text()},
          {"host_name", machine.host},
          {"executable", "webnn-cli " + std::string(schema::version)},
          {"num_cpus", machine.processors},
          {"default_threads", machine.default_threads.threads},
          {"default_threads_reason", machine.default_threads.reason},
          {"mhz_per_cpu", std::lround(machine.megahertz)},
          {"cpu_scaling_enabled", !machine.governor.empty() && machine.governor != "performance"},
          {"processor", machine.processor},
          {"choices", report.choices},
          {"caches", Json::array()},
          {"load_avg", machine.load},
#ifdef NDEBUG
          {"library_build_type", "release"}};
#else
          {"library_build_type", "debug"}};
#endif
}

Json row_json(const BenchResult& result, std::size_t family, const std::string& suffix) {
  const std::string& name = result.measurement.name;
  return {{"name", name + suffix},
          {"family_index", family},
          {"per_family_instance_index", 0},
          {"run_name", name},
          {"run_type", suffix.empty() ? "iteration" : "aggregate"},
          {"repetitions", result.measurement.rounds.size()}};
}

/// One row for each round, with the round's percentiles as counters.
void add_rounds(Json& rows, const BenchResult& result, std::size_t family, const ReportOptions& options) {
  for (std::size_t i = 0; i < result.measurement.rounds.size(); ++i) {
    const Round& round = result.measurement.rounds[i];
    const auto runs = double(round.latencies.size());
    Json row = row_json(result, family, "");
    row.update({{"repetition_index", i},
                {"threads", result.threads},
                {"iterations", round.latencies.size()},
                {"real_time", mean_of(round.latencies)},
                {"cpu_time", round.cpu / runs},
                {"time_unit", "ns"},
                {"items_per_second", metric_of(round, "throughput")},
                {"min", round.latencies.front()}});
    for (const double percent : options.percentiles)
      row[percentile_name(percent)] = percentile(round.latencies, percent);
    rows.push_back(std::move(row));
  }
}

void add_aggregates(Json& rows, const BenchResult& result, std::size_t family, const BenchNumbers& numbers) {
  double cpu = 0;
  for (const Round& round : result.measurement.rounds) cpu += round.cpu;
  cpu /= double(numbers.spread.count);
  const auto add = [&](const std::string& aggregate, double value, double cpu_time, bool is_share) {
    Json row = row_json(result, family, "_" + aggregate);
    row.update({{"threads", result.threads},
                {"aggregate_name", aggregate},
                {"aggregate_unit", is_share ? "percentage" : "time"},
                {"iterations", numbers.spread.count},
                {"real_time", value},
                {"cpu_time", cpu_time},
                {"time_unit", "ns"}});
    rows.push_back(std::move(row));
  };
  add("mean", numbers.spread.mean, cpu, false);
  add("median", percentile(result.measurement.sorted_latencies(), 50), cpu, false);
  add("stddev", numbers.spread.deviation, 0, false);
  add("cv", numbers.spread.deviation / numbers.spread.mean, 0, true);
}

Json interval_json(const Interval& interval) { return {interval.low, interval.high}; }

Json result_json(const BenchResult& result, const BenchNumbers& numbers) {
  Json percentiles = Json::object();
  for (const auto& [percent, value] : numbers.percentiles) percentiles[percentile_name(percent)] = value;
  const Spread& spread = numbers.spread;
  return {{"name", result.measurement.name},
          {"device", result.device},
          {"threads", result.threads},
          {"streams", result.streams},
          {"batch", result.batch},
          {"randomInputs", result.random_inputs},
          {"runs", spread.count},
          {"steady", result.measurement.steady},
          {"nanoseconds",
           {{"min", spread.min},
            {"max", spread.max},
            {"mean", spread.mean},
            {"meanInterval", interval_json(numbers.mean_interval)},
            {"medianInterval", interval_json(numbers.median_interval)},
            {"deviation", spread.deviation},
            {"medianAbsoluteDeviation", spread.mad},
            {"percentiles", std::move(percentiles)}}},
          {"outliers", {{"mild", spread.mild_outliers}, {"severe", spread.severe_outliers}}},
          {"throughput", numbers.throughput},
          {"phasesMilliseconds",
           {{"load", result.phases.load},
            {"compile", result.phases.compile},
            {"prepare", result.phases.prepare},
            {"firstRun", result.phases.first_run},
            {"writeInputs", result.phases.write},
            {"readOutputs", result.phases.read}}},
          {"memoryBytes",
           {{"peak", result.memory.peak},
            {"constants", result.memory.constants},
            {"arena", result.memory.arena},
            {"scratch", result.memory.scratch},
            {"tensors", result.memory.tensors}}}};
}

Json verdict_json(const BaselineVerdict& verdict) {
  return {{"name", verdict.name},
          {"metric", verdict.metric},
          {"rule", verdict.rule},
          {"verdict", name_of(verdict.kind)},
          {"reason", verdict.reason},
          {"before", verdict.before},
          {"after", verdict.after},
          {"change", verdict.change},
          {"changeInterval", interval_json(verdict.change_interval)},
          {"p", verdict.test.p}};
}

/// The cells of a table for one result; the first row has the titles.
std::vector<std::vector<std::string>> table_of(const BenchReport& report, bool exact) {
  const auto time = [&](double nanoseconds) {
    return exact ? number_text(nanoseconds, "%.0f") : time_text(nanoseconds);
  };
  std::vector<std::vector<std::string>> rows{{"name", "device", "threads", "streams", "batch", "runs"}};
  const std::string unit = exact ? "_ns" : "";
  for (const double percent : report.options.percentiles) rows[0].push_back(percentile_name(percent) + unit);
  for (const char* title : {"mean", "deviation", "mad"}) rows[0].push_back(title + unit);
  for (const char* title : {"per_second", "load_ms", "compile_ms", "prepare_ms", "first_run_ms", "peak_bytes"})
    rows[0].emplace_back(title);
  for (const BenchResult& result : report.results) {
    const BenchNumbers numbers = numbers_of(result, report.options);
    std::vector<std::string> cells{result.measurement.name,        result.device,
                                   std::to_string(result.threads), std::to_string(result.streams),
                                   std::to_string(result.batch),   std::to_string(numbers.spread.count)};
    for (const auto& [percent, value] : numbers.percentiles) cells.push_back(time(value));
    for (const double value : {numbers.spread.mean, numbers.spread.deviation, numbers.spread.mad})
      cells.push_back(time(value));
    cells.push_back(number_text(numbers.throughput, "%.6g"));
    for (const double value :
         {result.phases.load, result.phases.compile, result.phases.prepare, result.phases.first_run})
      cells.push_back(number_text(value, "%.4g"));
    cells.push_back(std::to_string(result.memory.peak));
    rows.push_back(std::move(cells));
  }
  return rows;
}

/// RFC 4180.
std::string csv_cell(const std::string& name) {
  const std::string text = escaped(name);
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string markdown_cell(const std::string& text) {
  std::string cell;
  for (const char c : escaped(text)) cell += c == '|' ? "\\|" : std::string(1, c);
  return cell;
}

}  // namespace

void print_bench_text(std::ostream& out, const BenchReport& report) {
  for (const BenchResult& result : report.results) print_result(out, result, report.options);
  print_verdicts(out, report.verdicts);
}

Json bench_json(const BenchReport& report) {
  Json rows = Json::array(), results = Json::array(), verdicts = Json::array();
  for (std::size_t i = 0; i < report.results.size(); ++i) {
    const BenchNumbers numbers = numbers_of(report.results[i], report.options);
    add_rounds(rows, report.results[i], i, report.options);
    add_aggregates(rows, report.results[i], i, numbers);
    results.push_back(result_json(report.results[i], numbers));
  }
  for (const BaselineVerdict& verdict : report.verdicts) verdicts.push_back(verdict_json(verdict));
  return {{"schema", "webnn-cli/bench/1"}, {"context", context_json(report)}, {"benchmarks", std::move(rows)},
          {"results", std::move(results)}, {"verdicts", std::move(verdicts)}, {"warnings", report.warnings}};
}

void print_bench_csv(std::ostream& out, const BenchReport& report) {
  for (const auto& row : table_of(report, true))
    for (std::size_t i = 0; i < row.size(); ++i) out << csv_cell(row[i]) << (i + 1 == row.size() ? "\n" : ",");
}

void print_bench_markdown(std::ostream& out, const BenchReport& report) {
  const auto table = table_of(report, false);
  for (std::size_t i = 0; i < table.size(); ++i) {
    out << "|";
    for (const std::string& cell : table[i]) out << " " << markdown_cell(cell) << " |";
    out << "\n";
    if (i != 0) continue;
    out << "|";
    for (std::size_t column = 0; column < table[0].size(); ++column) out << (column < 2 ? " --- |" : " ---: |");
    out << "\n";
  }
}

}  // namespace webnn::cli
