// The results of `bench` for one configuration, and how they are printed.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

#include "cli/json/json.hpp"
#include "cli/measure/baseline.hpp"
#include "cli/measure/machine.hpp"
#include "cli/measure/measure.hpp"
#include "cli/measure/statistics.hpp"

namespace webnn::cli {

/// Milliseconds for what happens around the steady runs.
struct Phases {
  double load = 0, compile = 0, prepare = 0, first_run = 0, write = 0, read = 0;
};

struct Memory {
  std::uint64_t peak = 0;  // additional memory of preparation and the first run, in bytes; 0: unknown
  std::uint64_t constants = 0, arena = 0, scratch = 0, tensors = 0;
};

struct BenchResult {
  Measurement measurement;  // named after the configuration: "digits/threads:1"
  std::string device;
  unsigned threads = 1, streams = 1;
  std::uint32_t batch = 1;  // inputs of one run, for the throughput
  Phases phases;
  Memory memory;
  std::vector<std::string> random_inputs;  // inputs without data from the user
};

/// The numbers of the report about the latencies of a result, in nanoseconds.
struct BenchNumbers {
  Spread spread;
  std::vector<std::pair<double, double>> percentiles;  // percent, latency
  Interval mean_interval, median_interval;             // for the mean and p50 of all runs, at `confidence`
  double throughput = 0;                               // inputs per second
};

struct ReportOptions {
  std::vector<double> percentiles{50, 90, 95, 99, 99.9};
  double confidence = 0.95;
};

BenchNumbers numbers_of(const BenchResult& result, const ReportOptions& options);

/// The standard deviation of the rounds' medians, as a share of their mean.
double round_deviation(const Measurement& measurement);

/// "p99.9"
std::string percentile_name(double percent);
/// "12.34 us": four digits and a unit.
std::string time_text(double nanoseconds);
/// "+1.23 %"
std::string percent_text(double share);

struct BenchReport {
  Machine machine;
  std::string choices;  // Origin::choices
  std::vector<BenchResult> results;
  std::vector<std::string> warnings;
  std::vector<BaselineVerdict> verdicts;  // of --baseline
  ReportOptions options;
};

void print_bench_text(std::ostream& out, const BenchReport& report);
/// Google Benchmark's schema (context, benchmarks), in which a repetition is a round, with our own `schema`, `results`
/// and `verdicts`.
Json bench_json(const BenchReport& report);
void print_bench_csv(std::ostream& out, const BenchReport& report);
void print_bench_markdown(std::ostream& out, const BenchReport& report);

}  // namespace webnn::cli
