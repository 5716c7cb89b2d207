// Positions of extremes, for one instruction set; included by arg_reduction.cpp. The first of equal elements wins; a
// NaN wins only among NaNs.
#include <cstddef>
#include <cstdint>
#include <hwy/highway.h>

// clang-format off
#include "runtime/cpu/simd/elementwise/elementwise_math.inl.hpp"
#include "runtime/cpu/simd/float_io.inl.hpp"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace webnn::runtime::simd::HWY_NAMESPACE {

/// x, or -x when the minimum is searched.
template <bool greatest>
HWY_INLINE V oriented(V x) {
  return greatest ? x : hn::Neg(x);
}

/// For one run: finds the greatest element, then the first position that has it.
template <bool greatest, typename T>
std::int32_t arg_of_run(const T* x, std::size_t size) {
  const std::size_t n = lanes();
  const V least = hn::Neg(infinity());
  V best[2] = {least, least};  // Max(x, best) ignores a NaN in x
  std::size_t i = 0;
  for (; i + 2 * n <= size; i += 2 * n) {
    best[0] = greater_of(oriented<greatest>(load(x + i)), best[0]);
    best[1] = greater_of(oriented<greatest>(load(x + i + n)), best[1]);
  }
  for (; i + n <= size; i += n) best[0] = greater_of(oriented<greatest>(load(x + i)), best[0]);
  if (i < size) best[1] = greater_of(oriented<greatest>(load_first(x + i, size - i, not_a_number())), best[1]);
  const V extreme = hn::MaxOfLanes(Float(), greater_of(best[0], best[1]));
  for (i = 0; i < size; i += n) {
    const V values = i + n <= size ? load(x + i) : load_first(x + i, size - i, not_a_number());
    const std::intptr_t place = hn::FindFirstTrue(Float(), hn::Eq(oriented<greatest>(values), extreme));
    if (place >= 0) return std::int32_t(i) + std::int32_t(place);
  }
  return 0;  // all elements are NaN
}

template <bool greatest, typename T>
void arg_of_runs(const T* x, std::size_t size, std::size_t count, std::int32_t* to) {
  for (std::size_t i = 0; i < count; ++i) to[i] = arg_of_run<greatest>(x + i * size, size);
}

/// For `columns` adjacent lines, whose `rows` elements are `stride` elements apart.
template <bool greatest, typename T>
void arg_of_columns(const T* x, std::size_t columns, std::size_t rows, std::size_t stride, std::int32_t* to) {
  const std::size_t n = lanes();
  const Int di;
  for (std::size_t first = 0; first < columns; first += n) {
    const std::size_t count = HWY_MIN(n, columns - first);
    const T* from = x + first;
    V best = hn::Zero(Float());
    auto place = hn::Zero(di);
    for (std::size_t row = 0; row < rows; ++row, from += stride) {
      const V value = oriented<greatest>(count == n ? load(from) : load_first(from, count, hn::Zero(Float())));
      const auto better = hn::Or(hn::Gt(value, best), hn::AndNot(hn::IsNaN(value), hn::IsNaN(best)));
      const auto wins = row == 0 ? hn::FirstN(Float(), n) : better;
      best = hn::IfThenElse(wins, value, best);
      place = hn::IfThenElse(hn::RebindMask(di, wins), hn::Set(di, std::int32_t(row)), place);
    }
    alignas(64) std::int32_t places[16];
    hn::Store(place, di, places);
    for (std::size_t i = 0; i < count; ++i) to[first + i] = places[i];
  }
}

template <typename T>
auto choose_arg_of_runs(bool greatest) -> void (*)(const T*, std::size_t, std::size_t, std::int32_t*) {
  return greatest ? arg_of_runs<true, T> : arg_of_runs<false, T>;
}
template <typename T>
auto choose_arg_of_columns(bool greatest) -> void (*)(const T*, std::size_t, std::size_t, std::size_t, std::int32_t*) {
  return greatest ? arg_of_columns<true, T> : arg_of_columns<false, T>;
}

}  // namespace webnn::runtime::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
