// Mean, variance and rescaling, for one instruction set; included by normalization.cpp. Statistics take several passes,
// to avoid cancellation.
#include <cstddef>
#include <cstdint>
#include <hwy/highway.h>
#include <type_traits>

// clang-format off
#include "runtime/cpu/simd/elementwise/elementwise_math.inl.hpp"
#include "runtime/cpu/simd/float_io.inl.hpp"
#include "runtime/cpu/simd/reduction/fold.inl.hpp"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace webnn::runtime::simd::HWY_NAMESPACE {

/// Calls body(i, count) for whole vectors with count = lanes(), then for the rest.
template <typename Body>
HWY_INLINE void for_each_vector(std::size_t size, Body&& body) {
  const std::size_t n = lanes();
  std::size_t i = 0;
  for (; i + n <= size; i += n) body(i, n);
  if (i < size) body(i, size - i);
}
template <typename T>
HWY_INLINE V load_some(const T* p, std::size_t count) {
  return count == lanes() ? load(p) : load_first(p, count, hn::Zero(Float()));
}
template <typename T>
HWY_INLINE void store_some(V v, T* p, std::size_t count) {
  if (count == lanes()) {
    store(v, p);
  } else {
    store_first(v, p, count);
  }
}

/// A mean and its rounding error, so that elements near the mean keep their digits.
struct Mean {
  V value, lost;
  HWY_INLINE Mean(V v, V l) : value(v), lost(l) {}  // an implicit one would be compiled for the baseline processor
  HWY_INLINE V distance_of(V x) const { return hn::Sub(hn::Sub(x, value), lost); }
  using Squares = DistanceSum;
  /// The mean of squared distances from the mean, if `squares` is that of squared distances from `value`.
  HWY_INLINE V variance(V squares) const {
    const V exact = hn::NegMulAdd(lost, lost, squares), zero = hn::Zero(Float());
    return hn::IfThenElse(hn::Lt(exact, zero), zero, exact);  // NaN stays NaN
  }

  template <typename T>
  static HWY_INLINE Mean of(const T* x, std::size_t size) {
    const V count = set(float(size));
    const V value = hn::Div(Sum::across(fold_run<Sum>(x, size, hn::Zero(Float()))), count);
    return Mean(value, hn::Div(ShiftedSum::across(fold_run<ShiftedSum>(x, size, value)), count));
  }
  template <typename T>
  static HWY_INLINE void of_columns(const T* x, std::size_t columns, std::int64_t rows, std::int64_t stride,
                                    V (&value)[4], V (&lost)[4]) {
    const V zero = hn::Zero(Float()), count = set(float(rows));
    const V none[4] = {zero, zero, zero, zero};
    ColumnTotals<Sum> sums;
    fold_columns<Sum>(x, columns, rows, stride, none, sums);
    sums.get(value);
    for (V& each : value) each = hn::Div(each, count);
    ColumnTotals<ShiftedSum> shifted;
    fold_columns<ShiftedSum>(x, columns, rows, stride, value, shifted);
    shifted.get(lost);
    for (V& each : lost) each = hn::Div(each, count);
  }
};
/// In place of a mean: elements stay as they are, and the variance is the mean of their squares.
struct NoMean {
  V value, lost;
  HWY_INLINE NoMean(V v, V l) : value(v), lost(l) {}
  HWY_INLINE V distance_of(V x) const { return x; }
  HWY_INLINE V variance(V squares) const { return squares; }
  using Squares = SquareSum;

  template <typename T>
  static HWY_INLINE NoMean of(const T*, std::size_t) {
    return NoMean(hn::Zero(Float()), hn::Zero(Float()));
  }
  template <typename T>
  static HWY_INLINE void of_columns(const T*, std::size_t, std::int64_t, std::int64_t, V (&value)[4], V (&lost)[4]) {
    for (std::size_t k = 0; k < 4; ++k) value[k] = lost[k] = hn::Zero(Float());
  }
};
template <bool centred>
using MeanIf = std::conditional_t<centred, Mean, NoMean>;

/// y = scale * (x - mean) / sqrt(variance + epsilon) + bias, with the statistics of this run; when it is not `centred`,
/// y = scale * x / sqrt(mean of x^2 + epsilon) + bias. `scale` and `bias` have one element for each of the run's
/// elements, or are null.
template <typename T, bool centred>
void normalize_run(const T* x, T* y, std::size_t size, float epsilon, const float* scale, const float* bias) {
  using Center = MeanIf<centred>;
  using Squares = typename Center::Squares;
  const V count = set(float(size));
  const Center mean = Center::of(x, size);
  const V variance = mean.variance(hn::Div(Squares::across(fold_run<Squares>(x, size, mean.value)), count));
  const V factor = hn::Div(set(1.0f), hn::Sqrt(hn::Add(variance, set(epsilon))));
  if (scale != nullptr && bias != nullptr) {
    for_each_vector(size, [&](std::size_t i, std::size_t part) HWY_ATTR {
      const V normal = hn::Mul(mean.distance_of(load_some(x + i, part)), factor);
      store_some(hn::MulAdd(normal, load_some(scale + i, part), load_some(bias + i, part)), y + i, part);
    });
    return;
  }
  for_each_vector(size, [&](std::size_t i, std::size_t part) HWY_ATTR {
    V result = hn::Mul(mean.distance_of(load_some(x + i, part)), factor);
    if (scale != nullptr) result = hn::Mul(result, load_some(scale + i, part));
    if (bias != nullptr) result = hn::Add(result, load_some(bias + i, part));
    store_some(result, y + i, part);
  });
}

/// The same with a single scale and bias for the whole run.
template <typename T>
void normalize_plane(const T* x, T* y, std::size_t size, float epsilon, float scale, float bias) {
  const V count = set(float(size));
  const Mean mean = Mean::of(x, size);
  const V variance = mean.variance(hn::Div(DistanceSum::across(fold_run<DistanceSum>(x, size, mean.value)), count));
  const V factor = hn::Div(set(scale), hn::Sqrt(hn::Add(variance, set(epsilon))));
  for_each_vector(size, [&](std::size_t i, std::size_t part) HWY_ATTR {
    store_some(hn::MulAdd(mean.distance_of(load_some(x + i, part)), factor, set(bias)), y + i, part);
  });
}

/// For `columns` (at most 4 vectors) adjacent lines, whose `rows` elements are `stride` elements apart. Scale and bias
/// belong to rows (`row_scale`, `row_bias`) or to columns, or are null.
template <typename T, bool centred>
void normalize_columns(const T* x, T* y, std::size_t columns, std::size_t rows, std::size_t stride, float epsilon,
                       const float* row_scale, const float* row_bias, const float* column_scale,
                       const float* column_bias) {
  using Center = MeanIf<centred>;
  using Squares = typename Center::Squares;
  const V zero = hn::Zero(Float()), no_bias = set(-0.0f), count = set(float(rows));
  V mean[4], lost[4], factor[4], scale[4], bias[4] = {no_bias, no_bias, no_bias, no_bias}, values[4];
  Center::of_columns(x, columns, std::int64_t(rows), std::int64_t(stride), mean, lost);
  ColumnTotals<Squares> squares;
  fold_columns<Squares>(x, columns, std::int64_t(rows), std::int64_t(stride), mean, squares);
  squares.get(factor);
  for (std::size_t k = 0; k < 4; ++k) {
    const V variance = Center(mean[k], lost[k]).variance(hn::Div(factor[k], count));
    factor[k] = hn::Div(set(1.0f), hn::Sqrt(hn::Add(variance, set(epsilon))));
  }
  if (column_scale != nullptr) {
    load_columns(column_scale, columns, zero, scale);
    for (std::size_t k = 0; k < 4; ++k) factor[k] = hn::Mul(factor[k], scale[k]);
  }
  if (column_bias != nullptr) load_columns(column_bias, columns, zero, bias);
  for (std::size_t row = 0; row < rows; ++row) {
    load_columns(x + row * stride, columns, zero, values);
    const V of_row = set(row_scale != nullptr ? row_scale[row] : 1.0f);
    const V more = set(row_bias != nullptr ? row_bias[row] : -0.0f);
    for (std::size_t k = 0; k < 4; ++k) {
      const V normal = hn::Mul(Center(mean[k], lost[k]).distance_of(values[k]), factor[k]);
      values[k] = hn::MulAdd(normal, of_row, hn::Add(bias[k], more));
    }
    store_columns(values, y + row * stride, columns);
  }
}

/// factor = scale / sqrt(variance + epsilon) for every channel; scale may be null.
template <typename T>
void batch_factors(const T* variance, const T* scale, std::size_t channels, float epsilon, float* factor) {
  for_each_vector(channels, [&](std::size_t i, std::size_t part) HWY_ATTR {
    const V one = scale != nullptr ? load_some(scale + i, part) : set(1.0f);
    store_some(hn::Div(one, hn::Sqrt(hn::Add(load_some(variance + i, part), set(epsilon)))), factor + i, part);
  });
}

/// Converts `count` elements to float32.
template <typename T>
void widen(const T* from, float* to, std::size_t count) {
  for_each_vector(
      count, [&](std::size_t i, std::size_t part) HWY_ATTR { store_some(load_some(from + i, part), to + i, part); });
}

/// y = (x - mean) * factor + bias, with one of each for every element, or for the whole run.
template <typename T>
void rescale_each(const T* x, T* y, std::size_t size, const float* mean, const float* factor, const float* bias) {
  for_each_vector(size, [&](std::size_t i, std::size_t part) HWY_ATTR {
    const V distance = hn::Sub(load_some(x + i, part), load_some(mean + i, part));
    store_some(hn::MulAdd(distance, load_some(factor + i, part), load_some(bias + i, part)), y + i, part);
  });
}
template <typename T>
void rescale_run(const T* x, T* y, std::size_t size, float mean, float factor, float bias) {
  for_each_vector(size, [&](std::size_t i, std::size_t part) HWY_ATTR {
    store_some(hn::MulAdd(hn::Sub(load_some(x + i, part), set(mean)), set(factor), set(bias)), y + i, part);
  });
}

inline std::size_t normalized_columns_at_once() { return 4 * lanes(); }

}  // namespace webnn::runtime::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
