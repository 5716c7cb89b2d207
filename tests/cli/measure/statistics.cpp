// The statistics of `bench` on samples whose truth is known.
#include "cli/measure/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <random>

#include "cli/measure/bench_result.hpp"

namespace webnn::tests::statistics_test {
namespace {

using namespace webnn::cli;
using Samples = std::vector<double>;

/// Running times as they look: a floor, and a tail to the right.
Samples running_times(std::size_t count, double floor, std::uint32_t seed) {
  std::mt19937 engine(seed);
  std::lognormal_distribution<double> tail(0, 0.5);
  Samples samples;
  for (std::size_t i = 0; i < count; ++i) samples.push_back(floor * (1 + 0.05 * tail(engine)));
  return samples;
}

TEST_CASE("statistics: percentiles lie between their neighbours") {
  const Samples sorted{1, 2, 3, 4, 5};
  CHECK(percentile(sorted, 0) == 1);
  CHECK(percentile(sorted, 50) == 3);
  CHECK(percentile(sorted, 90) == doctest::Approx(4.6));
  CHECK(percentile(sorted, 100) == 5);
  CHECK(percentile(Samples{7}, 99.9) == 7);
  CHECK(median_of({4, 1, 3, 2}) == 2.5);
  CHECK(median_of({3, 1, 2}) == 2);
}

TEST_CASE("statistics: mean, deviation, MAD and outliers") {
  const Spread spread = spread_of(Samples{1, 2, 3, 4, 5, 6, 7, 8, 15, 40});
  CHECK(spread.count == 10);
  CHECK(spread.mean == doctest::Approx(9.1));
  CHECK(spread.deviation == doctest::Approx(11.5513).epsilon(1e-5));
  CHECK(spread.mad == doctest::Approx(2.5));
  CHECK(spread.mild_outliers == 1);    // 15: above 7.75 + 1.5 * 4.5
  CHECK(spread.severe_outliers == 1);  // 40
  CHECK(spread_of(Samples{5}).deviation == 0);
}

TEST_CASE("statistics: a 95 % interval holds the truth about 95 times of 100") {
  std::mt19937 engine(3);
  std::normal_distribution<double> normal(10, 1);
  const Statistic mean = [](const Samples& samples) { return mean_of(samples); };
  int held = 0;
  constexpr int trials = 200;
  for (int trial = 0; trial < trials; ++trial) {
    Samples samples(40);
    for (double& sample : samples) sample = normal(engine);
    const Interval interval = bootstrap_interval(samples, mean, 0.95);
    held += interval.low <= 10 && 10 <= interval.high;
  }
  CHECK(held >= 0.88 * trials);
  CHECK(held <= 0.99 * trials);
}

TEST_CASE("statistics: Mann-Whitney gives the probabilities of the tables") {
  // No overlap of 3 and 3: 1 of 20 arrangements on each side.
  const MannWhitney apart = mann_whitney(Samples{1, 2, 3}, Samples{4, 5, 6});
  CHECK(apart.u == 9);
  CHECK(apart.p == doctest::Approx(0.1));
  CHECK(apart.effect == 1);
  // Hollander and Wolfe's example of 10 and 5 samples: U = 15 and 35, exact p = 0.2544 on two sides.
  const MannWhitney example = mann_whitney(Samples{0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46},
                                           Samples{1.15, 0.88, 0.90, 0.74, 1.21});
  CHECK(example.u == 15);
  CHECK(example.p == doctest::Approx(0.2544).epsilon(1e-3));
  // Ties: the normal approximation. All equal: no difference whatever.
  CHECK(mann_whitney(Samples{1, 1, 1, 1}, Samples{1, 1, 1, 1}).p == 1);
  CHECK(mann_whitney(Samples{1, 2, 2, 3}, Samples{2, 3, 3, 4}).p > 0.1);
  // Two samples of two can never be told apart at 5 %.
  CHECK(mann_whitney(Samples{1, 2}, Samples{3, 4}).least_p > 0.05);
}

TEST_CASE("statistics: the approximation for large samples meets the exact test where both apply") {
  const Samples a = running_times(15, 100, 1), b = running_times(15, 102, 2);
  const double exact = mann_whitney(a, b).p;
  Samples tied_a = a, tied_b = b;
  tied_a[0] = tied_b[0] = 90;  // one tie far out changes nothing but the way it is computed
  CHECK(mann_whitney(tied_a, tied_b).p == doctest::Approx(exact).epsilon(0.5));
}

TEST_CASE("statistics: a shift of 10 % is found, none is found where none is, at the stated alpha") {
  constexpr double alpha = 0.05;
  constexpr int trials = 400;
  int found = 0, false_alarms = 0;
  for (std::uint32_t trial = 0; trial < trials; ++trial) {
    const Samples before = running_times(20, 100, 2 * trial), same = running_times(20, 100, 2 * trial + 1),
                  slower = running_times(20, 110, 2 * trial + 1);
    found += mann_whitney(before, slower).p < alpha;
    false_alarms += mann_whitney(before, same).p < alpha;
  }
  CHECK(found == trials);
  // 5 % of 400 are 20, with a standard deviation of 4.4.
  CHECK(false_alarms >= 5);
  CHECK(false_alarms <= 36);
}

TEST_CASE("statistics: the interval of a change holds the change") {
  const Samples before = running_times(40, 100, 5), after = running_times(40, 110, 6);
  const Interval change = bootstrap_change(before, after, median_of, 0.95);
  CHECK(change.low < 0.10);
  CHECK(change.high > 0.10);
  CHECK(change.high - change.low < 0.05);
  CHECK(bootstrap_change(before, after, median_of, 0.95) == change);  // seeded
}

/// Rounds of running times, some short, some slow.
Measurement uneven_rounds(std::uint32_t seed) {
  std::mt19937 engine(seed);
  Measurement measurement;
  for (int round = 0; round < 5 + int(seed % 20); ++round) {
    const double floor = engine() % 4 == 0 ? 150 : 100;
    Samples latencies = running_times(1 + engine() % 300, floor, std::uint32_t(engine()));
    std::ranges::sort(latencies);
    measurement.rounds.push_back({latencies, 1, 1, 1});
  }
  return measurement;
}

TEST_CASE("statistics: mean and p50 lie within their own intervals") {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    BenchResult result;
    result.measurement = uneven_rounds(seed);
    const BenchNumbers numbers = numbers_of(result, {{50}, 0.8});
    const double median = numbers.percentiles[0].second;
    CAPTURE(seed);
    CHECK(numbers.median_interval.low <= median);
    CHECK(median <= numbers.median_interval.high);
    CHECK(numbers.mean_interval.low <= numbers.spread.mean);
    CHECK(numbers.spread.mean <= numbers.mean_interval.high);
  }
}

TEST_CASE("statistics: the interval of p50 is that of all runs, not of the rounds' medians") {
  // Nine rounds of one slow run each, and one of a thousand fast runs: p50 is fast, whatever rounds are drawn, as long
  // as the long one is among them, which it is in 65 of 100 samples.
  BenchResult result;
  for (int round = 0; round < 9; ++round) result.measurement.rounds.push_back({{500}, 1, 1, 1});
  result.measurement.rounds.push_back({Samples(1000, 100), 1, 1, 1});
  const BenchNumbers numbers = numbers_of(result, {{50}, 0.6});
  CHECK(numbers.percentiles[0].second == 100);
  CHECK(numbers.median_interval.low == 100);
  const BenchNumbers sure = numbers_of(result, {{50}, 0.5});
  CHECK(sure.median_interval.low == 100);
}

}  // namespace
}  // namespace webnn::tests::statistics_test
