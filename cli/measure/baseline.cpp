#include "cli/measure/baseline.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "cli/json/json.hpp"
#include "compiler/frontend/mapped_file.hpp"
#include "schema/diagnostics.hpp"
#include "schema/error.hpp"
#include "schema/text.hpp"
#include "schema/version.hpp"

namespace webnn::cli {
namespace {

using namespace schema;
using Kind = BaselineVerdict::Kind;

constexpr std::uint64_t max_report_bytes = std::uint64_t{1} << 28;

std::optional<double> whole_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

/// "p99.9" -> 99.9
std::optional<double> percent_of(std::string_view metric) {
  if (!metric.starts_with('p')) return std::nullopt;
  const auto percent = whole_number(metric.substr(1));
  if (!percent || *percent < 0 || *percent > 100) return std::nullopt;
  return percent;
}

double nanoseconds_in(const std::string& unit) {
  if (unit == "us") return 1e3;
  if (unit == "ms") return 1e6;
  if (unit == "s") return 1e9;
  return 1;
}

std::string text_of(const Json& row, std::string_view member, std::string otherwise) {
  const Json* const found = row.find(member);
  return found && found->text() ? *found->text() : std::move(otherwise);
}

/// The metrics of a row: our own counters, and the mean that every report with this schema has.
void read_row(const Json& row, Baseline& baseline) {
  std::map<std::string, std::vector<double>> metrics;
  for (const auto& [name, value] : *row.members()) {
    const std::optional<double> number = value.number();
    if (!number) continue;
    if (name == "real_time") metrics["mean"].push_back(*number * nanoseconds_in(text_of(row, "time_unit", "ns")));
    if (name == "items_per_second") metrics["throughput"].push_back(*number);
    if (name != "mean" && is_metric(name)) metrics[name].push_back(*number);
  }
  for (auto& [metric, values] : metrics) {
    auto& rounds = baseline.rounds[text_of(row, "run_name", text_of(row, "name", {}))][metric];
    rounds.insert(rounds.end(), values.begin(), values.end());
  }
}

void decide(BaselineVerdict& verdict, const FailRule& rule, double alpha) {
  // So that "worse" is always "greater".
  const double sign = rule.above ? 1 : -1;
  const double change = sign * verdict.change, limit = sign * rule.limit;
  const double worst = std::max(sign * verdict.change_interval.low, sign * verdict.change_interval.high);
  if (change > limit && verdict.test.p < alpha) {
    verdict.kind = Kind::regression;
  } else if (change > limit) {
    verdict.kind = Kind::inconclusive;
    verdict.reason = verdict.test.least_p >= alpha ? "there are too few rounds to tell it from chance"
                                                   : "it is beyond the limit, but could be chance";
  } else if (worst > limit) {
    verdict.kind = Kind::inconclusive;
    verdict.reason = "the rounds differ so much that it could be beyond the limit";
  }
}

/// Of a map whose keys come from a report.
template <typename Value>
std::string first_names(const std::map<std::string, Value>& map) {
  constexpr std::size_t most_named = 8;
  std::vector<std::string> names;
  for (const auto& [name, value] : map)
    if (names.size() < most_named) names.push_back(in_quotes(name));
  return joined(names);
}

BaselineVerdict compare(const Measurement& measurement, const std::string& metric, const Baseline& baseline,
                        double alpha) {
  BaselineVerdict verdict;
  verdict.name = measurement.name;
  verdict.metric = metric;
  const auto of_name = baseline.rounds.find(measurement.name);
  if (of_name == baseline.rounds.end()) {
    verdict.kind = Kind::inconclusive;
    verdict.reason = "the baseline has no " + in_quotes(measurement.name);
    verdict.hint = "it has " + first_names(baseline.rounds) + "; measure that configuration, or a new baseline";
    return verdict;
  }
  const auto before = of_name->second.find(metric);
  if (before == of_name->second.end()) {
    verdict.kind = Kind::inconclusive;
    verdict.reason = "the baseline does not say " + in_quotes(metric) + " of " + in_quotes(measurement.name);
    verdict.hint = "it says " + first_names(of_name->second) + "; measure a new baseline" +
                   (percent_of(metric) ? " with --percentiles " + metric.substr(1) : std::string());
    return verdict;
  }
  const std::vector<double> after = measurement.by_round([&](const Round& round) { return metric_of(round, metric); });
  verdict.before = median_of(before->second);
  verdict.after = median_of(after);
  verdict.change = verdict.after / verdict.before - 1;
  verdict.change_interval = bootstrap_change(before->second, after, median_of, 1 - alpha);
  verdict.test = mann_whitney(before->second, after);
  return verdict;
}

}  // namespace

FailRule parse_fail_rule(const std::string& text) {
  const auto refuse = [&](const std::string& why) -> FailRule {
    throw Error(ExitCode::usage, "--fail-on " + in_quotes(text) + " " + why,
                "for example 'p50>+5%' or 'throughput<-5%'");
  };
  const std::size_t sign = text.find_first_of("<>");
  if (sign == std::string::npos || !text.ends_with('%')) return refuse("is not of the form METRIC>LIMIT%");
  FailRule rule{text, text.substr(0, sign), text[sign] == '>', 0};
  if (!is_metric(rule.metric)) {
    const std::string_view near = nearest(rule.metric, {"p50", "p90", "p99", "mean", "min", "throughput"});
    return refuse("has no known metric" + (near.empty() ? std::string() : ", did you mean " + in_quotes(near) + "?"));
  }
  std::string_view limit = std::string_view(text).substr(sign + 1);
  limit.remove_suffix(1);
  if (limit.starts_with('+')) limit.remove_prefix(1);
  const auto percent = whole_number(limit);
  if (!percent) return refuse("has no limit in percent");
  rule.limit = *percent / 100;
  return rule;
}

bool is_metric(const std::string& metric) {
  return metric == "mean" || metric == "min" || metric == "throughput" || percent_of(metric).has_value();
}

double metric_of(const Round& round, const std::string& metric) {
  if (metric == "mean") return mean_of(round.latencies);
  if (metric == "min") return round.latencies.front();
  if (metric == "throughput") return round.items / (round.wall * 1e-9);
  return percentile(round.latencies, percent_of(metric).value_or(50));
}

Baseline read_baseline(const std::filesystem::path& file) {
  const auto report = Json::parse(compiler::read_whole_file(file, max_report_bytes));
  const auto refuse = [&](const std::string& why) {
    throw Error(ExitCode::invalid_input, in_quotes(file.string()) + " is no report of `bench`: " + why,
                "`webnn-cli bench MODEL --output-format json -o FILE` writes one");
  };
  if (!report) refuse("it is not JSON");
  const Json* const rows = report->find("benchmarks");
  if (!rows || !rows->items()) refuse("it has no list 'benchmarks'");
  Baseline baseline;
  for (const Json& row : *rows->items())
    if (row.members() && text_of(row, "run_type", "iteration") == "iteration") read_row(row, baseline);
  if (baseline.rounds.empty()) refuse("it has no measured rounds");
  if (const Json* const context = report->find("context"); context && context->members()) {
    baseline.origin.processor = text_of(*context, "processor", {});
    baseline.origin.executable = text_of(*context, "executable", {});
    baseline.origin.choices = text_of(*context, "choices", {});
  }
  if (const Json* const results = report->find("results"); results && results->items())
    for (const Json& result : *results->items())
      if (result.members() && result.find("device"))
        baseline.origin.devices[text_of(result, "name", {})] = text_of(result, "device", {});
  return baseline;
}

std::vector<BaselineVerdict> judge(const Baseline& baseline, const std::vector<Measurement>& measurements,
                                   const BaselineOptions& options) {
  std::vector<BaselineVerdict> verdicts;
  for (const Measurement& measurement : measurements) {
    if (options.rules.empty()) verdicts.push_back(compare(measurement, "p50", baseline, options.alpha));
    for (const FailRule& rule : options.rules) {
      BaselineVerdict verdict = compare(measurement, rule.metric, baseline, options.alpha);
      verdict.rule = rule.text;
      if (verdict.kind == Kind::passed) decide(verdict, rule, options.alpha);
      verdicts.push_back(std::move(verdict));
    }
  }
  return verdicts;
}

std::vector<std::string> differences(const Origin& of_baseline, const Origin& now) {
  std::vector<std::string> found;
  const auto compare = [&](const std::string& of, const std::string& before, const std::string& after) {
    if (!before.empty() && before != after)
      found.push_back("the baseline" + of + " was measured with " + in_quotes(before) + ", this is " +
                      in_quotes(after));
  };
  compare("", of_baseline.processor, now.processor);
  compare("", of_baseline.executable, now.executable);
  compare("", of_baseline.choices, now.choices);
  for (const auto& [name, device] : now.devices)
    if (const auto before = of_baseline.devices.find(name); before != of_baseline.devices.end())
      compare(" of " + in_quotes(name), before->second, device);
  return found;
}

std::string_view name_of(BaselineVerdict::Kind kind) {
  constexpr std::string_view names[] = {"passed", "regression", "inconclusive"};
  return names[std::size_t(kind)];
}

}  // namespace webnn::cli
