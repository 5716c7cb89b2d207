// The difference between two tensors: in units in the last place, absolute, relative, and as an angle between vectors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "schema/elements/number.hpp"
#include "schema/elements/types.hpp"

namespace webnn::schema {

/// How much may differ. An element passes when it is within `ulp`, or within absolute + relative * |expected|. Equal
/// elements and two NaNs always pass.
struct Tolerance {
  double ulp = 0;
  double absolute = 0;
  double relative = 0;
};

inline constexpr std::uint64_t no_ulp_distance = ~std::uint64_t{0};

/// Units in the last place between two elements of a type: for floats the difference of their bit patterns as
/// sign-magnitude numbers (so +0 = -0), for integers the plain difference. The distance of two NaNs is 0, that of a NaN
/// and a number is `no_ulp_distance`.
std::uint64_t ulp_distance(DataType type, const Number& a, const Number& b);

/// Counts of NaN, infinities and the like.
struct Oddities {
  std::size_t nans = 0;
  std::size_t infinities = 0;
};

struct Comparison {
  std::size_t count = 0;  // elements compared
  std::size_t mismatches = 0;
  std::optional<std::size_t> first_mismatch;
  /// The maxima are also the smallest `ulp` and `absolute` tolerances that would pass; no_ulp_distance and infinity
  /// when only one side is NaN. The places are those of the first element with the maximum.
  std::uint64_t max_ulp = 0;
  std::size_t max_ulp_at = 0;
  double max_absolute = 0;
  std::size_t max_absolute_at = 0;
  double max_relative = 0;  // |actual - expected| / |expected|; infinity where expected is zero and actual is not
  // Over the elements that are finite on both sides:
  double mean_absolute = 0;
  double cosine = 1;         // of the angle between the two vectors; 1 when both are zero, 0 when one is
  double peak_to_noise = 0;  // PSNR in decibels, with the greatest |expected| as the peak; infinity when all are equal
  Oddities actual_oddities, expected_oddities;

  bool passed() const { return mismatches == 0; }
};

/// Compares two row-major tensors with the same descriptor; both must hold byte_length(descriptor) bytes.
Comparison compare_tensors(const OperandDescriptor& descriptor, std::span<const std::byte> actual,
                           std::span<const std::byte> expected, const Tolerance& tolerance);

}  // namespace webnn::schema
