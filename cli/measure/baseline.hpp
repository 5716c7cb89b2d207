// Compares a measurement with an earlier one: which changes are reported, and which fail.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cli/measure/measure.hpp"
#include "cli/measure/statistics.hpp"

namespace webnn::cli {

/// "p50>+5%", "mean>10%", "throughput<-5%": a change of a metric that counts as a regression.
struct FailRule {
  std::string text;    // as written
  std::string metric;  // p50, p99.9, .., min, mean, throughput
  bool above = true;   // the change must not be above the limit; otherwise not below it
  double limit = 0;    // as a share: 0.05
};
/// Throws Error (usage) for an invalid rule.
FailRule parse_fail_rule(const std::string& text);

/// The value of a metric in one round: nanoseconds, or items per second for the throughput.
double metric_of(const Round& round, const std::string& metric);
/// Whether metric_of knows the metric.
bool is_metric(const std::string& metric);

/// What measured something. Empty where a report does not say.
struct Origin {
  std::string processor, executable;
  std::string choices;                         // options that choose kernels: "--isa native"
  std::map<std::string, std::string> devices;  // by name of a benchmark
};

/// The values of metrics by round, for each benchmark of an earlier report.
struct Baseline {
  std::map<std::string, std::map<std::string, std::vector<double>>> rounds;  // by name, by metric
  Origin origin;
};
/// Reads a report written by `bench --output-format json`, or any in Google Benchmark's schema (whose rows then only
/// give the mean). Throws Error: io, or invalid_input for another kind of file.
Baseline read_baseline(const std::filesystem::path& file);

struct BaselineVerdict {
  enum class Kind { passed, regression, inconclusive };
  std::string name, metric;
  std::string rule;  // empty: the change is only reported
  double before = 0, after = 0;
  double change = 0;         // after / before - 1
  Interval change_interval;  // with the confidence 1 - alpha
  MannWhitney test;
  Kind kind = Kind::passed;
  std::string reason;  // why it is inconclusive
  std::string hint;    // what to do about it
};

struct BaselineOptions {
  std::vector<FailRule> rules;
  double alpha = 0.05;
};

/// One verdict for each rule and each measurement; without rules, the change of p50. Rounds are the samples.
///
/// regression: the change exceeds the limit, and the Mann-Whitney test distinguishes the two sets at alpha.
/// inconclusive: the change exceeds the limit but could be chance, or it is within the limit but its confidence
/// interval is not. A measurement without a baseline is inconclusive too.
std::vector<BaselineVerdict> judge(const Baseline& baseline, const std::vector<Measurement>& measurements,
                                   const BaselineOptions& options);

/// What makes the numbers of a baseline no peers of these: another processor, version, device, or choice of kernels.
std::vector<std::string> differences(const Origin& of_baseline, const Origin& now);

/// "passed", "regression", "inconclusive"
std::string_view name_of(BaselineVerdict::Kind kind);

}  // namespace webnn::cli
