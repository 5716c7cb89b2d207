// Comparing a measurement with an earlier one: which changes are told, and which fail.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "cli/measure/measure.hpp"
#include "cli/measure/statistics.hpp"

namespace webnn::cli {

/// "p50>+5%", "mean>10%", "throughput<-5%": a change of a metric that is a regression.
struct FailRule {
  std::string text;    // as it was written
  std::string metric;  // p50, p99.9, .., min, mean, throughput
  bool above = true;   // the change must not be above the limit; otherwise not below it
  double limit = 0;    // a share: 0.05
};
/// Throws Error (usage) for a text that is no rule.
FailRule parse_fail_rule(const std::string& text);

/// The value of a metric in one round: nanoseconds, or items in a second for throughput.
double metric_of(const Round& round, const std::string& metric);
/// Whether metric_of knows the word.
bool is_metric(const std::string& metric);

/// Values of metrics by round, for each benchmark of an earlier report.
struct Baseline {
  std::map<std::string, std::map<std::string, std::vector<double>>> rounds;  // by name, by metric
};
/// Reads a report that `bench --output-format json` has written, or any in Google Benchmark's schema (whose rows then
/// only know the mean). Throws Error: io, or invalid_input for another file.
Baseline read_baseline(const std::filesystem::path& file);

struct BaselineVerdict {
  enum class Kind { passed, regression, inconclusive };
  std::string name, metric;
  std::string rule;  // empty: the change is only told
  double before = 0, after = 0;
  double change = 0;         // after / before - 1
  Interval change_interval;  // at the confidence 1 - alpha
  MannWhitney test;
  Kind kind = Kind::passed;
  std::string reason;  // of what is inconclusive
};

struct BaselineOptions {
  std::vector<FailRule> rules;
  double alpha = 0.05;
};

/// One verdict for each rule and each measurement, or, without rules, what has become of p50. Rounds are the samples.
///
/// regression: the change is beyond the limit, and Mann-Whitney tells the two sets apart at alpha. inconclusive: it is
/// beyond the limit but could be chance, or it is within but its interval reaches beyond. A measurement that the
/// baseline does not know is inconclusive, too.
std::vector<BaselineVerdict> judge(const Baseline& baseline, const std::vector<Measurement>& measurements,
                                   const BaselineOptions& options);

/// "passed", "regression", "inconclusive"
std::string_view name_of(BaselineVerdict::Kind kind);

}  // namespace webnn::cli
