// Pooling of channels-last float32 and bytes, for one instruction set; included by pool2d.cpp.
#include <cstddef>
#include <cstdint>
#include <hwy/highway.h>

// clang-format off
#include "runtime/cpu/simd/elementwise/elementwise_math.inl.hpp"
#include "runtime/cpu/simd/float_io.inl.hpp"
#include "runtime/cpu/simd/reduction/fold.inl.hpp"
// clang-format on
#include "runtime/cpu/simd/reduction/pool_window.hpp"

HWY_BEFORE_NAMESPACE();
namespace webnn::runtime::simd::HWY_NAMESPACE {

using PoolTag = hn::ScalableTag<float>;
using PoolVector = hn::Vec<PoolTag>;

/// Maximum; NaN if any element is NaN.
struct Maximum {
  using Total = PlainTotal<Greatest>;  // of the parts of a window
  static PoolVector start(PoolTag d) { return hn::Set(d, -__builtin_inff()); }
  static PoolVector add(PoolVector sum, PoolVector x) {
    return hn::IfThenElse(hn::Or(hn::Gt(x, sum), hn::IsNaN(x)), x, sum);
  }
  static PoolVector join(PoolVector a, PoolVector b) { return add(a, b); }
  static PoolVector result(PoolVector sum, float) { return sum; }
};

struct Average {
  using Total = ExactTotal;
  static PoolVector start(PoolTag d) { return hn::Zero(d); }
  static PoolVector add(PoolVector sum, PoolVector x) { return hn::Add(sum, x); }
  static PoolVector join(PoolVector a, PoolVector b) { return hn::Add(a, b); }
  static PoolVector result(PoolVector sum, float count) {
    return hn::Div(sum, hn::Set(PoolTag(), count > 0 ? count : 1.0f));
  }
};

struct L2 {
  using Total = ExactTotal;
  static PoolVector start(PoolTag d) { return hn::Zero(d); }
  static PoolVector add(PoolVector sum, PoolVector x) { return hn::MulAdd(x, x, sum); }
  static PoolVector join(PoolVector a, PoolVector b) { return hn::Add(a, b); }
  static PoolVector result(PoolVector sum, float) { return hn::Sqrt(sum); }
};

/// The same of elements that are multiplied with a power of two before, so that their squares are in the range of float32.
template <bool are_large>
struct ScaledL2 : L2 {
  static PoolVector add(PoolVector sum, PoolVector x) {
    constexpr float scale = are_large ? 0x1p-80f : 0x1p+90f;
    return L2::add(sum, hn::Mul(x, hn::Set(PoolTag(), scale)));
  }
  static PoolVector result(PoolVector sum, float count) {
    constexpr float inverse = are_large ? 0x1p+80f : 0x1p-90f;
    return hn::Mul(L2::result(sum, count), hn::Set(PoolTag(), inverse));
  }
};

// A part of a window: whole rows or a piece of one, and small enough for plain sums. Most windows are one.
constexpr std::int64_t most_rows_of_part = 64, most_columns_of_part = 64;
inline bool is_one_part(const PoolWindow& window) {
  return window.rows <= most_rows_of_part && window.columns <= most_columns_of_part;
}
/// Calls body(part, x) for all parts.
template <typename Body>
HWY_INLINE void for_each_part(const PoolWindow& window, const float* x, Body&& body) {
  PoolWindow part = window;
  for (std::int64_t row = 0; row < window.rows; row += most_rows_of_part)
    for (std::int64_t column = 0; column < window.columns; column += most_columns_of_part) {
      part.rows = HWY_MIN(window.rows - row, most_rows_of_part);
      part.columns = HWY_MIN(window.columns - column, most_columns_of_part);
      body(part, x + row * window.row_step + column * window.column_step);
    }
}

/// Sums of a part over four vectors of channels. Each row has its own, which keeps long sums accurate.
template <typename Pool>
HWY_INLINE void add_four(const PoolWindow& part, const float* x, PoolVector (&sums)[4]) {
  const PoolTag d;
  const std::size_t lanes = hn::Lanes(d);
  auto sum0 = Pool::start(d), sum1 = sum0, sum2 = sum0, sum3 = sum0;
  for (std::int64_t row = 0; row < part.rows; ++row) {
    const float* at = x + row * part.row_step;
    auto row0 = Pool::start(d), row1 = row0, row2 = row0, row3 = row0;
    for (std::int64_t column = 0; column < part.columns; ++column, at += part.column_step) {
      row0 = Pool::add(row0, hn::LoadU(d, at));
      row1 = Pool::add(row1, hn::LoadU(d, at + lanes));
      row2 = Pool::add(row2, hn::LoadU(d, at + 2 * lanes));
      row3 = Pool::add(row3, hn::LoadU(d, at + 3 * lanes));
    }
    sum0 = Pool::join(sum0, row0);
    sum1 = Pool::join(sum1, row1);
    sum2 = Pool::join(sum2, row2);
    sum3 = Pool::join(sum3, row3);
  }
  sums[0] = sum0;
  sums[1] = sum1;
  sums[2] = sum2;
  sums[3] = sum3;
}

/// The same over `channels` channels, at most one vector.
template <typename Pool>
HWY_INLINE PoolVector add_one(const PoolWindow& part, const float* x, std::size_t channels) {
  const PoolTag d;
  auto sum = Pool::start(d);
  for (std::int64_t row = 0; row < part.rows; ++row) {
    const float* at = x + row * part.row_step;
    auto row_sum = Pool::start(d);
    for (std::int64_t column = 0; column < part.columns; ++column, at += part.column_step)
      row_sum = Pool::add(row_sum, load_first(d, at, channels, hn::Zero(d)));
    sum = Pool::join(sum, row_sum);
  }
  return sum;
}

/// One window over four vectors of channels.
template <typename Pool>
HWY_INLINE void pool_four(const PoolWindow& window, const float* x, float* y) {
  const PoolTag d;
  PoolVector sums[4];
  if (is_one_part(window)) {
    add_four<Pool>(window, x, sums);
  } else {
    typename Pool::Total totals[4];
    for_each_part(window, x, [&](const PoolWindow& part, const float* first) HWY_ATTR {
      add_four<Pool>(part, first, sums);
      for (std::size_t k = 0; k < 4; ++k) totals[k].add(sums[k]);
    });
    for (std::size_t k = 0; k < 4; ++k) sums[k] = totals[k].get();
  }
  const auto count = float(window.rows * window.columns);
  for (std::size_t k = 0; k < 4; ++k) hn::StoreU(Pool::result(sums[k], count), d, y + k * hn::Lanes(d));
}

/// One window over `channels` channels, at most one vector.
template <typename Pool>
HWY_INLINE void pool_one(const PoolWindow& window, const float* x, float* y, std::size_t channels) {
  PoolVector sum;
  if (is_one_part(window)) {
    sum = add_one<Pool>(window, x, channels);
  } else {
    typename Pool::Total total;
    for_each_part(window, x, [&](const PoolWindow& part, const float* first) HWY_ATTR {
      total.add(add_one<Pool>(part, first, channels));
    });
    sum = total.get();
  }
  store_first(Pool::result(sum, float(window.rows * window.columns)), PoolTag(), y, channels);
}

/// One window over `channels` channels from `x` to `y`.
template <typename Pool>
HWY_INLINE void pool_window(const PoolWindow& window, const float* x, float* y, std::size_t channels) {
  const std::size_t lanes = hn::Lanes(PoolTag());
  std::size_t i = 0;
  for (; i + 4 * lanes <= channels; i += 4 * lanes) pool_four<Pool>(window, x + i, y + i);
  for (; i < channels; i += lanes) pool_one<Pool>(window, x + i, y + i, channels - i < lanes ? channels - i : lanes);
}

/// The maximum of four vectors of channels if there is no NaN, which the processor's maximum would ignore. Returns
/// false when there may be one, which shows in the sum of all elements.
HWY_INLINE bool max_of_numbers(const PoolWindow& window, const float* x, float* y) {
  const PoolTag d;
  const std::size_t lanes = hn::Lanes(d);
  auto max0 = Maximum::start(d), max1 = max0, max2 = max0, max3 = max0;
  auto even = hn::Zero(d), odd = even;
  for (std::int64_t row = 0; row < window.rows; ++row) {
    const float* at = x + row * window.row_step;
    for (std::int64_t column = 0; column < window.columns; ++column, at += window.column_step) {
      const auto x0 = hn::LoadU(d, at), x1 = hn::LoadU(d, at + lanes);
      const auto x2 = hn::LoadU(d, at + 2 * lanes), x3 = hn::LoadU(d, at + 3 * lanes);
      max0 = greater_of(max0, x0);
      max1 = greater_of(max1, x1);
      max2 = greater_of(max2, x2);
      max3 = greater_of(max3, x3);
      even = hn::Add(even, hn::Add(x0, x2));
      odd = hn::Add(odd, hn::Add(x1, x3));
    }
  }
  if (!hn::AllFalse(d, hn::IsNaN(hn::Add(even, odd)))) return false;
  hn::StoreU(max0, d, y);
  hn::StoreU(max1, d, y + lanes);
  hn::StoreU(max2, d, y + 2 * lanes);
  hn::StoreU(max3, d, y + 3 * lanes);
  return true;
}

inline void max_pool(const PoolWindow& window, const float* x, float* y, std::size_t channels) {
  const std::size_t four = 4 * hn::Lanes(PoolTag());
  std::size_t i = 0;
  while (i + four <= channels && max_of_numbers(window, x + i, y + i)) i += four;
  pool_window<Maximum>(window, x + i, y + i, channels - i);
}
/// The maximum of bytes, which have no NaN.
template <typename T>
void max_pool_bytes(const PoolWindow& window, const T* x, T* y, std::size_t channels) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= channels; i += lanes) {
    auto most = hn::Set(d, T(-1) < T(0) ? T(-128) : T(0));
    for (std::int64_t row = 0; row < window.rows; ++row)
      for (std::int64_t column = 0; column < window.columns; ++column)
        most = hn::Max(most, hn::LoadU(d, x + i + row * window.row_step + column * window.column_step));
    hn::StoreU(most, d, y + i);
  }
  for (; i < channels; ++i) {
    T most = T(-1) < T(0) ? T(-128) : T(0);
    for (std::int64_t row = 0; row < window.rows; ++row)
      for (std::int64_t column = 0; column < window.columns; ++column) {
        const T value = x[std::int64_t(i) + row * window.row_step + column * window.column_step];
        most = value > most ? value : most;
      }
    y[i] = most;
  }
}
inline void max_pool_int8(const PoolWindow& window, const std::int8_t* x, std::int8_t* y, std::size_t channels) {
  max_pool_bytes(window, x, y, channels);
}
inline void max_pool_uint8(const PoolWindow& window, const std::uint8_t* x, std::uint8_t* y, std::size_t channels) {
  max_pool_bytes(window, x, y, channels);
}
using Int32 = hn::RebindToSigned<PoolTag>;

/// Stores the averages from a window's sums.
template <typename To>
HWY_INLINE void store_averages(const PoolWindow& window, const AverageOfBytes& how, hn::Vec<Int32> sum, To* y) {
  const PoolTag d;
  const auto count = float(window.rows * window.columns);
  const auto factor = hn::Set(d, count > 0 ? how.factor / count : 0.0f);
  const auto offset = hn::Set(d, count > 0 ? how.offset : how.empty);
  const auto far = hn::Set(d, 65536.0f);  // below this, the conversion to integers is exact
  const auto value = lesser_of(greater_of(hn::MulAdd(hn::ConvertTo(d, sum), factor, offset), hn::Neg(far)), far);
  const hn::Rebind<To, PoolTag> narrow;
  hn::StoreU(hn::DemoteTo(narrow, hn::NearestInt(value)), narrow, y);
}

/// One window over `channels` channels.
template <typename From, typename To>
void average_bytes(const PoolWindow& window, const AverageOfBytes& how, const void* from, void* to,
                   std::size_t channels) {
  const auto* x = static_cast<const From*>(from);
  auto* y = static_cast<To*>(to);
  const Int32 d;
  const hn::Rebind<From, Int32> bytes;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= channels; i += lanes) {
    auto sum = hn::Zero(d);
    for (std::int64_t row = 0; row < window.rows; ++row) {
      const From* at = x + i + row * window.row_step;
      for (std::int64_t column = 0; column < window.columns; ++column, at += window.column_step)
        sum = hn::Add(sum, hn::PromoteTo(d, hn::LoadU(bytes, at)));
    }
    store_averages(window, how, sum, y + i);
  }
  if (i == channels) return;
  std::int32_t sums[16] = {};
  To averages[16];
  for (std::int64_t row = 0; row < window.rows; ++row)
    for (std::int64_t column = 0; column < window.columns; ++column)
      for (std::size_t k = i; k < channels; ++k)
        sums[(k - i) & 15] += x[std::int64_t(k) + row * window.row_step + column * window.column_step];
  store_averages(window, how, hn::LoadU(d, sums), averages);
  for (std::size_t k = i; k < channels; ++k) y[k] = averages[(k - i) & 15];
}

using PoolBytes = void (*)(const PoolWindow& window, const AverageOfBytes& how, const void* from, void* to,
                           std::size_t channels);
/// Selects by whether the operand and the result are unsigned.
inline PoolBytes find_average(bool from, bool to) {
  constexpr PoolBytes functions[2][2] = {
      {average_bytes<std::int8_t, std::int8_t>, average_bytes<std::int8_t, std::uint8_t>},
      {average_bytes<std::uint8_t, std::int8_t>, average_bytes<std::uint8_t, std::uint8_t>}};
  return functions[from][to];
}

inline void average_pool(const PoolWindow& window, const float* x, float* y, std::size_t channels) {
  pool_window<Average>(window, x, y, channels);
}
inline void l2_pool(const PoolWindow& window, const float* x, float* y, std::size_t channels) {
  const PoolTag d;
  constexpr float least = 0x1p-50f;  // below, squares of elements may be subnormal
  const std::size_t lanes = hn::Lanes(d);
  pool_window<L2>(window, x, y, channels);
  for (std::size_t i = 0; i < channels; i += lanes) {
    const std::size_t count = channels - i < lanes ? channels - i : lanes;
    const auto roots = load_first(d, y + i, count, hn::Set(d, 1.0f));
    const auto are_large = hn::IsInf(roots), are_small = hn::Lt(roots, hn::Set(d, least));
    if (hn::AllFalse(d, hn::Or(are_large, are_small))) continue;
    pool_one<ScaledL2<true>>(window, x + i, y + i, count);
    const auto large = load_first(d, y + i, count, roots);
    pool_one<ScaledL2<false>>(window, x + i, y + i, count);
    const auto small = load_first(d, y + i, count, roots);
    store_first(hn::IfThenElse(are_large, large, hn::IfThenElse(are_small, small, roots)), d, y + i, count);
  }
}

}  // namespace webnn::runtime::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
