#include "schema/elements/compare_tensors.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "schema/elements/elements.hpp"
#include "schema/elements/half.hpp"

namespace webnn::schema {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The rank of a float among all floats of its type in ascending order; both zeros have rank 0.
std::int64_t rank_of(DataType type, double value) {
  const bool is_half = type == DataType::float16;
  const std::uint32_t bits = is_half ? half_bits(float(value)) : std::bit_cast<std::uint32_t>(float(value));
  const std::uint32_t sign = is_half ? 0x8000u : 0x80000000u;
  const auto magnitude = std::int64_t(bits & (sign - 1));
  return bits & sign ? -magnitude : magnitude;
}

double absolute_distance(DataType type, const Number& a, const Number& b) {
  if (!is_float(type)) return double(ulp_distance(type, a, b));
  const double x = a.as_double(), y = b.as_double();
  if (x == y || (std::isnan(x) && std::isnan(y))) return 0;
  const double distance = std::fabs(x - y);
  return std::isnan(distance) ? infinity : distance;
}

double relative_distance(double absolute, double expected) {
  if (absolute == 0) return 0;
  return std::isfinite(expected) && expected != 0 ? absolute / std::fabs(expected) : infinity;
}

void count(double value, Oddities& oddities) {
  if (std::isnan(value)) ++oddities.nans;
  if (std::isinf(value)) ++oddities.infinities;
}

/// Sums over the elements that are finite on both sides.
struct Sums {
  std::size_t count = 0;
  double absolute = 0, squared = 0, peak = 0, dot = 0, actual = 0, expected = 0;

  void add(double a, double e, double distance) {
    ++count;
    absolute += distance;
    squared += distance * distance;
    peak = std::max(peak, std::fabs(e));
    dot += a * e;
    actual += a * a;
    expected += e * e;
  }
  double mean_absolute() const { return count ? absolute / double(count) : 0; }
  double cosine() const {
    if (actual == 0 && expected == 0) return 1;
    if (actual == 0 || expected == 0) return 0;
    return dot / (std::sqrt(actual) * std::sqrt(expected));
  }
  double peak_to_noise() const {
    if (squared == 0) return infinity;
    return 20 * std::log10(peak) - 10 * std::log10(squared / double(count));
  }
};

}  // namespace

std::uint64_t ulp_distance(DataType type, const Number& a, const Number& b) {
  if (!is_float(type)) {
    // The difference of any two 64-bit integers is exact when it is computed unsigned.
    const bool a_is_less = Number::compare(a, b) < 0;
    const auto bits = [type](const Number& n) { return is_signed(type) ? std::uint64_t(n.as_int64()) : n.as_uint64(); };
    return a_is_less ? bits(b) - bits(a) : bits(a) - bits(b);
  }
  if (a.is_nan() || b.is_nan()) return a.is_nan() && b.is_nan() ? 0 : no_ulp_distance;
  const std::int64_t distance = rank_of(type, a.as_double()) - rank_of(type, b.as_double());
  return std::uint64_t(distance < 0 ? -distance : distance);
}

Comparison compare_tensors(const OperandDescriptor& descriptor, std::span<const std::byte> actual,
                           std::span<const std::byte> expected, const Tolerance& tolerance) {
  const DataType type = descriptor.type;
  Comparison result;
  Sums sums;
  result.count = element_count(descriptor.shape);
  for (std::size_t i = 0; i < result.count; ++i) {
    const Number a = load_element(type, actual.data(), i);
    const Number e = load_element(type, expected.data(), i);
    const double a_real = a.as_double(), e_real = e.as_double();
    const std::uint64_t ulp = ulp_distance(type, a, e);
    const double absolute = absolute_distance(type, a, e);
    count(a_real, result.actual_oddities);
    count(e_real, result.expected_oddities);
    if (std::isfinite(a_real) && std::isfinite(e_real)) sums.add(a_real, e_real, absolute);
    if (ulp > result.max_ulp) {
      result.max_ulp = ulp;
      result.max_ulp_at = i;
    }
    if (absolute > result.max_absolute) {
      result.max_absolute = absolute;
      result.max_absolute_at = i;
    }
    result.max_relative = std::max(result.max_relative, relative_distance(absolute, e_real));
    const bool ulp_fits = ulp == 0 || (ulp != no_ulp_distance && double(ulp) <= tolerance.ulp);
    const bool distance_fits =
        std::isfinite(absolute) && absolute <= tolerance.absolute + tolerance.relative * std::fabs(e_real);
    if (ulp_fits || distance_fits) continue;
    if (result.mismatches++ == 0) result.first_mismatch = i;
  }
  result.mean_absolute = sums.mean_absolute();
  result.cosine = sums.cosine();
  result.peak_to_noise = sums.peak_to_noise();
  return result;
}

}  // namespace webnn::schema
