// 2 / pi for angles of any size (after Payne and Hanek). An angle is m 2^(e - 23) with an integer m below 2^24, so its
// quarters modulo 4 are m times those of 2^(e - 23) alone.
#pragma once

#include <cstdint>

namespace webnn::runtime::simd {

/// 2^(e - 23) 2 / pi modulo 4, for e up to 127, in two parts: multiples of 2^-27, whose products with m are exact in double
/// precision, and the rest.
struct LargeAngles {
  static constexpr int exponents = 128;
  double high[exponents], low[exponents];
};

consteval LargeAngles large_angles() {
  constexpr std::uint32_t two_over_pi[] = {0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041};
  // The bit of weight 2^-place.
  const auto bit = [&](int place) {
    return place < 1 ? 0u : (two_over_pi[(place - 1) / 32] >> (31 - (place - 1) % 32)) & 1u;
  };
  LargeAngles angles{};
  for (int e = 0; e < LargeAngles::exponents; ++e) {
    double weight = 2;
    int place = e - 24;  // of the bit that the scaling gives the weight 2
    for (const int end = place + 29; place < end; ++place, weight /= 2) angles.high[e] += weight * bit(place);
    for (const int end = place + 53; place < end; ++place, weight /= 2) angles.low[e] += weight * bit(place);
  }
  return angles;
}

alignas(64) inline constexpr LargeAngles angles_of_exponents = large_angles();

}  // namespace webnn::runtime::simd
