// Statistics of running times: percentiles, spread, outliers, confidence intervals, and whether two samples differ.
// Pure functions of numbers, without clock, input or output.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace webnn::cli {

/// The value below which `percent` (0 to 100) of the samples are, with linear interpolation between neighbours.
/// `sorted` must be ascending and not empty.
double percentile(std::span<const double> sorted, double percent);
/// The 50th percentile of samples in any order.
double median_of(std::vector<double> samples);
double mean_of(std::span<const double> samples);

struct Spread {
  std::size_t count = 0;
  double min = 0, max = 0, mean = 0;
  double deviation = 0;  // sample standard deviation (n - 1)
  double mad = 0;        // median absolute deviation from the median, unscaled
  /// Outside of Tukey's fences: 1.5 (mild) and 3 (severe) times the interquartile range beyond the quartiles.
  std::size_t mild_outliers = 0, severe_outliers = 0;
};
/// `sorted` must be ascending, with at least one sample.
Spread spread_of(std::span<const double> sorted);

struct Interval {
  double low = 0, high = 0;
  bool operator==(const Interval&) const = default;
};

using Statistic = std::function<double(std::vector<double>)>;

/// Percentile bootstrap: the interval that contains `statistic` of such a sample with `confidence` (0.95). Seeded:
/// equal samples give equal intervals.
Interval bootstrap_interval(std::span<const double> samples, const Statistic& statistic, double confidence);
/// The same for statistic(after) / statistic(before) - 1 of two independent samples.
Interval bootstrap_change(std::span<const double> before, std::span<const double> after, const Statistic& statistic,
                          double confidence);

/// Mann-Whitney U test, two-sided: whether one sample tends to be greater than the other. Makes no assumption about the
/// distribution, except that samples are independent.
struct MannWhitney {
  double u = 0;         // number of pairs in which `after` is greater; a tie counts half
  double p = 1;         // probability of at least such a difference if there is none
  double effect = 0.5;  // u as a share of all pairs
  double least_p = 1;   // minimum for samples of these sizes: above alpha, the test cannot find anything
};
/// Exact for up to 30 samples in total without ties; otherwise the normal approximation with corrections for ties and
/// continuity.
MannWhitney mann_whitney(std::span<const double> before, std::span<const double> after);

}  // namespace webnn::cli
