// Division that rounds up, and the next multiple.
#pragma once

#include <concepts>
#include <type_traits>

namespace webnn::schema {

/// The least whole number that is at least `count / unit`. `count` is not negative, `unit` positive, and their sum fits.
template <std::integral Count, std::integral Unit>
constexpr std::common_type_t<Count, Unit> div_up(Count count, Unit unit) {
  using Both = std::common_type_t<Count, Unit>;
  return Both((Both(count) + Both(unit) - 1) / Both(unit));
}

/// The least multiple of `unit` that is at least `count`, under the same conditions.
template <std::integral Count, std::integral Unit>
constexpr std::common_type_t<Count, Unit> round_up(Count count, Unit unit) {
  return div_up(count, unit) * unit;
}

}  // namespace webnn::schema
