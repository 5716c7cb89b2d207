#include "cli/measure/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace webnn::cli {
namespace {

constexpr std::size_t resamples = 2000;
constexpr std::size_t exact_limit = 30;

/// A sample of the same size, drawn with replacement.
std::vector<double> resample(std::span<const double> samples, std::mt19937_64& engine) {
  std::vector<double> drawn(samples.size());
  for (double& value : drawn) value = samples[engine() % samples.size()];
  return drawn;
}

Interval middle_of(std::vector<double> statistics, double confidence) {
  std::ranges::sort(statistics);
  const double tail = (1 - confidence) / 2 * 100;
  return {percentile(statistics, tail), percentile(statistics, 100 - tail)};
}

/// For each value of U, the number of arrangements of m and n samples with it: counts[u], in floating point because the
/// numbers exceed integers.
std::vector<double> arrangements(std::size_t m, std::size_t n) {
  // counts(m, n)[u] = counts(m - 1, n)[u - n] + counts(m, n - 1)[u]: the greatest sample belongs to one set or the
  // other.
  std::vector<std::vector<double>> row(n + 1, {1.0});
  for (std::size_t i = 1; i <= m; ++i) {
    std::vector<std::vector<double>> next(n + 1);
    next[0] = {1.0};
    for (std::size_t j = 1; j <= n; ++j) {
      next[j].assign(i * j + 1, 0);
      for (std::size_t u = 0; u < row[j].size(); ++u) next[j][u + j] += row[j][u];
      for (std::size_t u = 0; u < next[j - 1].size(); ++u) next[j][u] += next[j - 1][u];
    }
    row = std::move(next);
  }
  return row[n];
}

double exact_p(std::size_t m, std::size_t n, double u) {
  const std::vector<double> counts = arrangements(m, n);
  const double all = std::accumulate(counts.begin(), counts.end(), 0.0);
  const double extreme = std::min(u, double(m * n) - u);
  double tail = 0;
  for (std::size_t i = 0; i < counts.size() && double(i) <= extreme; ++i) tail += counts[i];
  return std::min(1.0, 2 * tail / all);
}

/// `ties` is the sum of t^3 - t over all groups of t equal samples.
double normal_p(std::size_t m, std::size_t n, double u, double ties) {
  const double pairs = double(m) * double(n), all = double(m + n);
  const double variance = pairs / 12 * (all + 1 - ties / (all * (all - 1)));
  if (variance <= 0) return 1;
  const double distance = std::max(0.0, std::abs(u - pairs / 2) - 0.5);
  return std::erfc(distance / std::sqrt(variance) / std::sqrt(2.0));
}

}  // namespace

double percentile(std::span<const double> sorted, double percent) {
  const double place = percent / 100 * double(sorted.size() - 1);
  const auto below = std::size_t(place);
  if (below + 1 >= sorted.size()) return sorted.back();
  return sorted[below] + (place - double(below)) * (sorted[below + 1] - sorted[below]);
}

double median_of(std::vector<double> samples) {
  const auto middle = samples.begin() + std::ptrdiff_t(samples.size() / 2);
  std::ranges::nth_element(samples, middle);
  if (samples.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(samples.begin(), middle)) / 2;
}

double mean_of(std::span<const double> samples) {
  return std::accumulate(samples.begin(), samples.end(), 0.0) / double(samples.size());
}

Spread spread_of(std::span<const double> sorted) {
  Spread spread{sorted.size(), sorted.front(), sorted.back(), mean_of(sorted)};
  double squares = 0;
  for (const double value : sorted) squares += (value - spread.mean) * (value - spread.mean);
  if (sorted.size() > 1) spread.deviation = std::sqrt(squares / double(sorted.size() - 1));
  const double median = percentile(sorted, 50);
  std::vector<double> distances;
  distances.reserve(sorted.size());
  for (const double value : sorted) distances.push_back(std::abs(value - median));
  spread.mad = median_of(std::move(distances));
  const double low = percentile(sorted, 25), high = percentile(sorted, 75), range = high - low;
  for (const double value : sorted) {
    const double beyond = std::max(low - value, value - high);
    if (beyond > 3 * range)
      ++spread.severe_outliers;
    else if (beyond > 1.5 * range)
      ++spread.mild_outliers;
  }
  return spread;
}

Interval bootstrap_interval(std::span<const double> samples, const Statistic& statistic, double confidence) {
  std::mt19937_64 engine(1);
  std::vector<double> statistics;
  for (std::size_t i = 0; i < resamples; ++i) statistics.push_back(statistic(resample(samples, engine)));
  return middle_of(std::move(statistics), confidence);
}

Interval bootstrap_change(std::span<const double> before, std::span<const double> after, const Statistic& statistic,
                          double confidence) {
  std::mt19937_64 engine(1);
  std::vector<double> changes;
  for (std::size_t i = 0; i < resamples; ++i) {
    const double old_value = statistic(resample(before, engine));
    changes.push_back(statistic(resample(after, engine)) / old_value - 1);
  }
  return middle_of(std::move(changes), confidence);
}

MannWhitney mann_whitney(std::span<const double> before, std::span<const double> after) {
  struct Ranked {
    double value;
    bool is_after;
  };
  std::vector<Ranked> all;
  for (const double value : before) all.push_back({value, false});
  for (const double value : after) all.push_back({value, true});
  std::ranges::sort(all, {}, &Ranked::value);
  double rank_sum = 0, ties = 0;  // of `after`
  for (std::size_t first = 0; first < all.size();) {
    std::size_t end = first;
    while (end < all.size() && all[end].value == all[first].value) ++end;
    const double rank = double(first + end + 1) / 2;  // mean of first + 1 .. end
    for (std::size_t i = first; i < end; ++i)
      if (all[i].is_after) rank_sum += rank;
    const double equal = double(end - first);
    ties += equal * equal * equal - equal;
    first = end;
  }
  const std::size_t m = before.size(), n = after.size();
  MannWhitney result;
  result.u = rank_sum - double(n) * double(n + 1) / 2;
  if (m == 0 || n == 0) return result;
  result.effect = result.u / (double(m) * double(n));
  const bool small = m + n <= exact_limit;
  result.p = small && ties == 0 ? exact_p(m, n, result.u) : normal_p(m, n, result.u, ties);
  result.least_p = small ? exact_p(m, n, 0) : normal_p(m, n, 0, 0);
  return result;
}

}  // namespace webnn::cli
