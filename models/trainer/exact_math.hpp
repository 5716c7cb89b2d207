// exp from exact operations only: the versions of libraries may differ in the last bit between machines.
#pragma once

#include <bit>
#include <cstdint>

namespace webnn::models {

/// e^x for |x| <= 700, within 2 units in the last place; 0 below that range.
inline double exact_exp(double x) {
  if (x < -700) return 0;
  constexpr double log2_e = 1.4426950408889634, ln2_high = 0x1.62e42fefa38p-1, ln2_low = 0x1.ef35793c7673p-45;
  const auto k = std::int64_t(x * log2_e + (x < 0 ? -0.5 : 0.5));
  const double r = (x - double(k) * ln2_high) - double(k) * ln2_low;  // |r| <= 0.35
  double sum = 1;
  for (int i = 14; i > 0; --i) sum = 1 + sum * r / i;
  return sum * std::bit_cast<double>(std::uint64_t(k + 1023) << 52);
}

}  // namespace webnn::models
