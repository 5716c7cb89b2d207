#include "cli/measure/bench_result.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

namespace webnn::cli {

namespace {

/// Of the mean of all runs. Rounds are drawn, by their numbers, and weigh as much as they have runs.
Interval interval_of_mean(const Measurement& measurement, double confidence) {
  const auto sums = measurement.by_round(
      [](const Round& round) { return mean_of(round.latencies) * double(round.latencies.size()); });
  const auto counts = measurement.by_round([](const Round& round) { return double(round.latencies.size()); });
  std::vector<double> numbers(sums.size());
  std::iota(numbers.begin(), numbers.end(), 0.0);
  const Statistic mean = [&](const std::vector<double>& drawn) {
    double sum = 0, count = 0;
    for (const double number : drawn) {
      sum += sums[std::size_t(number)];
      count += counts[std::size_t(number)];
    }
    return sum / count;
  };
  return bootstrap_interval(numbers, mean, confidence);
}

}  // namespace

BenchNumbers numbers_of(const BenchResult& result, const ReportOptions& options) {
  const Measurement& measurement = result.measurement;
  const std::vector<double> sorted = measurement.sorted_latencies();
  BenchNumbers numbers;
  numbers.spread = spread_of(sorted);
  for (const double percent : options.percentiles)
    numbers.percentiles.emplace_back(percent, percentile(sorted, percent));
  const auto medians = measurement.by_round([](const Round& round) { return percentile(round.latencies, 50); });
  numbers.mean_interval = interval_of_mean(measurement, options.confidence);
  numbers.median_interval = bootstrap_interval(medians, median_of, options.confidence);
  double wall = 0, items = 0;
  for (const Round& round : measurement.rounds) {
    wall += round.wall;
    items += round.items;
  }
  numbers.throughput = items / (wall * 1e-9);
  std::vector<double> sorted_medians = medians;
  std::ranges::sort(sorted_medians);
  numbers.round_deviation = spread_of(sorted_medians).deviation / mean_of(medians);
  return numbers;
}

std::string percentile_name(double percent) {
  char text[32];
  std::snprintf(text, sizeof text, "p%.10g", percent);
  return text;
}

std::string percent_text(double share) {
  char text[40];
  std::snprintf(text, sizeof text, "%+.2f %%", share * 100);
  return text;
}

std::string time_text(double nanoseconds) {
  struct Unit {
    double size;
    const char* name;
  };
  constexpr Unit units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}};
  const Unit* unit = std::ranges::find_if(units, [&](const Unit& u) { return std::abs(nanoseconds) >= u.size; });
  if (unit == std::end(units)) unit = &units[3];
  const double value = nanoseconds / unit->size;
  char text[40];
  const int digits = std::abs(value) >= 99.995 ? 1 : std::abs(value) >= 9.9995 ? 2 : 3;
  std::snprintf(text, sizeof text, "%.*f %s", unit->size == 1 ? 0 : digits, value, unit->name);
  return text;
}

}  // namespace webnn::cli
