// float16 conversion, exhaustively: every half, and every boundary between two neighbouring halves.
#include <cmath>
#include <cstdint>
#include <doctest/doctest.h>
#include <initializer_list>
#include <limits>

#include "schema/elements/half.hpp"

namespace half_test {

using namespace webnn::schema;

namespace {

constexpr std::uint32_t infinity_bits = 0x7c00;

/// The value of a half by the definition of the format, independent of the conversion under test.
double defined_value(std::uint16_t half) {
  const int exponent = (half >> 10) & 31, mantissa = half & 1023;
  const double sign = (half & 0x8000) ? -1 : 1;
  if (exponent == 31) return mantissa ? std::numeric_limits<double>::quiet_NaN() : sign * HUGE_VAL;
  if (exponent == 0) return sign * std::ldexp(mantissa, -24);
  return sign * std::ldexp(1024 + mantissa, exponent - 25);
}

}  // namespace

TEST_CASE("half: all 65536 halves widen to the defined value and narrow back to themselves") {
  int wrong = 0;
  for (std::uint32_t bits = 0; bits <= 0xffff; ++bits) {
    const auto half = std::uint16_t(bits);
    const float value = half_value(half);
    const double expected = defined_value(half);
    if (std::isnan(expected)) {
      // A NaN stays one with its sign; narrowing makes it quiet and keeps the payload.
      const bool kept = std::isnan(value) && half_bits(value) == (half | 0x200);
      wrong += !kept;
    } else {
      wrong += !(value == expected && std::signbit(value) == std::signbit(expected) && half_bits(value) == half);
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("half: between two neighbours the nearer one is taken, and at the middle the even one") {
  int wrong = 0;
  for (std::uint32_t sign : {0u, 0x8000u})
    for (std::uint32_t low = 0; low + 1 <= infinity_bits; ++low) {
      const std::uint32_t high = low + 1;
      // Infinity stands at 2^16 for rounding: one step beyond the largest finite half.
      const double below = defined_value(std::uint16_t(low));
      const double above = high == infinity_bits ? 65536.0 : defined_value(std::uint16_t(high));
      const float middle = float((below + above) / 2);  // exact: one bit more than a half has
      const std::uint32_t even = low % 2 == 0 ? low : high;
      const auto narrowed = [sign](float magnitude) { return std::uint32_t{half_bits(sign ? -magnitude : magnitude)}; };
      wrong += narrowed(middle) != (sign | even);
      wrong += narrowed(std::nextafter(middle, 0.0f)) != (sign | low);
      wrong += narrowed(std::nextafter(middle, HUGE_VALF)) != (sign | high);
    }
  CHECK(wrong == 0);
}

TEST_CASE("half: floats beyond the range become infinity, tiny ones zero of their sign") {
  CHECK(half_bits(std::numeric_limits<float>::max()) == 0x7c00);
  CHECK(half_bits(-std::numeric_limits<float>::infinity()) == 0xfc00);
  CHECK(half_bits(65519.996f) == 0x7bff);
  CHECK(half_bits(65520.0f) == 0x7c00);
  CHECK(half_bits(std::numeric_limits<float>::denorm_min()) == 0x0000);
  CHECK(half_bits(-std::numeric_limits<float>::denorm_min()) == 0x8000);
}

}  // namespace half_test
