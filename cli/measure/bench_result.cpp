#include "cli/measure/bench_result.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "schema/round_up.hpp"

namespace webnn::cli {

namespace {

/// The maximum number of rounds to draw from, because the cost of a draw grows with it.
constexpr std::size_t most_drawn = 100;

/// The same runs in at most `most_drawn` rounds, merging neighbours.
Measurement with_few_rounds(const Measurement& measurement) {
  const std::size_t count = measurement.rounds.size(), joined = schema::div_up(count, most_drawn);
  Measurement result;
  for (std::size_t i = 0; i < count; ++i) {
    if (i % joined == 0) result.rounds.emplace_back();
    std::vector<double>& latencies = result.rounds.back().latencies;
    const auto& more = measurement.rounds[i].latencies;
    const auto middle = std::ptrdiff_t(latencies.size());
    latencies.insert(latencies.end(), more.begin(), more.end());
    std::inplace_merge(latencies.begin(), latencies.begin() + middle, latencies.end());
  }
  return result;
}

/// The bootstrap draws rounds, by number, because the runs of one round are not independent; each round counts with all
/// its runs.
Interval interval_over_rounds(const Measurement& measurement, double estimate, double confidence,
                              const Statistic& statistic_of_rounds) {
  std::vector<double> numbers(measurement.rounds.size());
  std::iota(numbers.begin(), numbers.end(), 0.0);
  const Interval interval = bootstrap_interval(numbers, statistic_of_rounds, confidence);
  // Percentiles of a skewed bootstrap may exclude the estimate itself, which would be misleading.
  return {std::min(interval.low, estimate), std::max(interval.high, estimate)};
}

/// For the mean of all runs.
Interval interval_of_mean(const Measurement& measurement, double estimate, double confidence) {
  const auto sums = measurement.by_round(
      [](const Round& round) { return mean_of(round.latencies) * double(round.latencies.size()); });
  const auto counts = measurement.by_round([](const Round& round) { return double(round.latencies.size()); });
  return interval_over_rounds(measurement, estimate, confidence, [&](const std::vector<double>& drawn) {
    double sum = 0, count = 0;
    for (const double number : drawn) {
      sum += sums[std::size_t(number)];
      count += counts[std::size_t(number)];
    }
    return sum / count;
  });
}

/// For the median of all runs. `sorted` holds all latencies.
Interval interval_of_median(const Measurement& measurement, std::span<const double> sorted, double confidence) {
  const auto& rounds = measurement.rounds;
  const auto median = [&](const std::vector<double>& drawn) {
    std::size_t count = 0;
    for (const double number : drawn) count += rounds[std::size_t(number)].latencies.size();
    // The element at position `place` among all runs of the drawn rounds: the least one with more than `place` runs up
    // to it.
    const auto element = [&](std::size_t place) {
      return *std::ranges::partition_point(sorted, [&](double value) {
        std::size_t up_to = 0;
        for (const double number : drawn) {
          const auto& latencies = rounds[std::size_t(number)].latencies;
          up_to += std::size_t(std::ranges::upper_bound(latencies, value) - latencies.begin());
        }
        return up_to <= place;
      });
    };
    return (element((count - 1) / 2) + element(count / 2)) / 2;
  };
  return interval_over_rounds(measurement, percentile(sorted, 50), confidence, median);
}

}  // namespace

BenchNumbers numbers_of(const BenchResult& result, const ReportOptions& options) {
  const Measurement& measurement = result.measurement;
  const std::vector<double> sorted = measurement.sorted_latencies();
  BenchNumbers numbers;
  numbers.spread = spread_of(sorted);
  for (const double percent : options.percentiles)
    numbers.percentiles.emplace_back(percent, percentile(sorted, percent));
  const Measurement drawn_from = with_few_rounds(measurement);
  numbers.mean_interval = interval_of_mean(drawn_from, numbers.spread.mean, options.confidence);
  numbers.median_interval = interval_of_median(drawn_from, sorted, options.confidence);
  double wall = 0, items = 0;
  for (const Round& round : measurement.rounds) {
    wall += round.wall;
    items += round.items;
  }
  numbers.throughput = items / (wall * 1e-9);
  return numbers;
}

double round_deviation(const Measurement& measurement) {
  auto medians = measurement.by_round([](const Round& round) { return percentile(round.latencies, 50); });
  std::ranges::sort(medians);
  return spread_of(medians).deviation / mean_of(medians);
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
