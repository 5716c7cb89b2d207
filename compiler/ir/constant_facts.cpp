#include "compiler/ir/constant_facts.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "schema/elements/elements.hpp"

namespace webnn::compiler {
namespace {

using Range = ConstantFacts::Range;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Range of_nan{0, infinity, 0};

/// Weights are many. As integers, magnitudes have the same order.
Range range_of_floats(std::span<const std::byte> bytes) {
  std::int32_t greatest = 0, least = 0x7fffffff, least_negative = 0;
  std::uint32_t negative = 0;
  for (std::size_t at = 0; at + 4 <= bytes.size(); at += 4) {
    std::uint32_t bits;
    std::memcpy(&bits, bytes.data() + at, sizeof bits);
    const auto magnitude = std::int32_t(bits & 0x7fffffffu);
    greatest = std::max(greatest, magnitude);
    least = std::min(least, magnitude);
    least_negative = std::max(least_negative, bits >> 31 ? magnitude : 0);
    negative |= bits;
  }
  const auto number = [](std::int32_t magnitude) { return double(std::bit_cast<float>(magnitude)); };
  if (std::isnan(number(greatest))) return of_nan;
  return {negative >> 31 ? -number(least_negative) : number(least), number(greatest), number(least)};
}

Range range_of_numbers(const Value& constant) {
  Range range{infinity, 0, infinity};
  const std::uint64_t count = element_count(constant.descriptor.shape);
  for (std::uint64_t i = 0; i < count; ++i) {
    const double number = load_element(constant.descriptor.type, constant.data.data(), i).as_double();
    if (std::isnan(number)) return of_nan;
    range.least_number = std::min(range.least_number, number);
    range.greatest_magnitude = std::max(range.greatest_magnitude, std::abs(number));
    range.least_magnitude = std::min(range.least_magnitude, std::abs(number));
  }
  return range;
}

}  // namespace

bool ConstantFacts::is_filled(const Value& constant) {
  std::optional<bool>& known = facts_of(constant).is_filled;
  if (!known) {
    const std::size_t width = bits_of(constant.descriptor.type) / 8;
    const std::span<const std::byte> data = constant.data.view();
    // Compared with itself, one element further on.
    known =
        width != 0 && data.size() >= width && std::memcmp(data.data(), data.data() + width, data.size() - width) == 0;
  }
  return *known;
}

const Range& ConstantFacts::range(const Value& constant) {
  std::optional<Range>& known = facts_of(constant).range;
  if (!known)
    known = constant.descriptor.type == DataType::float32 ? range_of_floats(constant.data.view())
                                                          : range_of_numbers(constant);
  return *known;
}

}  // namespace webnn::compiler
