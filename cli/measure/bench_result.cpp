#include "cli/measure/bench_result.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace webnn::cli {

BenchNumbers numbers_of(const BenchResult& result, const ReportOptions& options) {
  const Measurement& measurement = result.measurement;
  const std::vector<double> sorted = measurement.sorted_latencies();
  BenchNumbers numbers;
  numbers.spread = spread_of(sorted);
  for (const double percent : options.percentiles)
    numbers.percentiles.emplace_back(percent, percentile(sorted, percent));
  const auto means = measurement.by_round([](const Round& round) { return mean_of(round.latencies); });
  const auto medians = measurement.by_round([](const Round& round) { return percentile(round.latencies, 50); });
  const Statistic mean = [](const std::vector<double>& values) { return mean_of(values); };
  numbers.mean_interval = bootstrap_interval(means, mean, options.confidence);
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
