// softmax along memory or across rows, for one instruction set; included by softmax.cpp. For float32, exponentials are
// kept in the output until their sum is known; float16 would round them, so they are computed again.
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

/// The maximum of a run, as far as softmax needs it: with a NaN in the run all results are NaN, whatever this is.
struct SoftmaxGreatest : Greatest {
  using Total = PlainTotal<SoftmaxGreatest>;
  static HWY_INLINE V combine(V total, V x) { return greater_of(x, total); }
  static HWY_INLINE V across(V total) { return hn::MaxOfLanes(Float(), total); }
};

/// y = e^(x - greatest); returns their sum in all lanes.
HWY_INLINE V exponentials_of_run(const float* x, float* y, std::size_t size, V greatest) {
  const std::size_t n = lanes();
  V a = hn::Zero(Float()), b = a;
  ExactTotal total;
  std::size_t i = 0;
  while (i + 2 * n <= size) {
    const std::size_t end = HWY_MIN(size, i + fold_chunk * n);
    for (; i + 2 * n <= end; i += 2 * n) {
      const V e = exponential(hn::Sub(load(x + i), greatest)), f = exponential(hn::Sub(load(x + i + n), greatest));
      store(e, y + i);
      store(f, y + i + n);
      a = hn::Add(a, e);
      b = hn::Add(b, f);
    }
    if (i + 2 * n > size) break;  // the rest is added to these sums
    total.add(hn::Add(a, b));
    a = b = hn::Zero(Float());
  }
  if (i + n <= size) {
    const V e = exponential(hn::Sub(load(x + i), greatest));
    store(e, y + i);
    a = hn::Add(a, e);
    i += n;
  }
  if (i < size) {
    const V e = exponential(hn::Sub(load_first(x + i, size - i, greatest), greatest));
    store_first(e, y + i, size - i);
    b = hn::Add(b, hn::IfThenElseZero(hn::FirstN(Float(), size - i), e));
  }
  total.add(hn::Add(a, b));
  return hn::SumOfLanes(Float(), total.get());
}

/// One run of `size` elements; x and y may be the same.
inline void softmax_run(const float* x, float* y, std::size_t size) {
  const std::size_t n = lanes();
  const V zero = hn::Zero(Float());
  const V greatest = SoftmaxGreatest::across(fold_run<SoftmaxGreatest>(x, size, zero));
  const V factor = hn::Div(set(1.0f), exponentials_of_run(x, y, size, greatest));
  std::size_t i = 0;
  for (; i + n <= size; i += n) store(hn::Mul(load(y + i), factor), y + i);
  if (i < size) store_first(hn::Mul(load_first(y + i, size - i, zero), factor), y + i, size - i);
}
inline void softmax_run(const schema::Half* x, schema::Half* y, std::size_t size) {
  const std::size_t n = lanes();
  const V greatest = SoftmaxGreatest::across(fold_run<SoftmaxGreatest>(x, size, hn::Zero(Float())));
  const V factor = hn::Div(set(1.0f), ExponentialSum::across(fold_run<ExponentialSum>(x, size, greatest)));
  std::size_t i = 0;
  for (; i + n <= size; i += n) store(hn::Mul(exponential(hn::Sub(load(x + i), greatest)), factor), y + i);
  if (i == size) return;
  const V last = load_first(x + i, size - i, greatest);
  store_first(hn::Mul(exponential(hn::Sub(last, greatest)), factor), y + i, size - i);
}

/// `columns` (at most 4 vectors) adjacent lines, whose `rows` elements are `stride` elements apart.
template <typename T>
void softmax_columns(const T* x, T* y, std::size_t columns, std::size_t rows, std::size_t stride) {
  const V zero = hn::Zero(Float());
  const V none[4] = {zero, zero, zero, zero};
  V greatest[4], factor[4], values[4];
  ColumnTotals<SoftmaxGreatest> totals;
  fold_columns<SoftmaxGreatest>(x, columns, std::int64_t(rows), std::int64_t(stride), none, totals);
  totals.get(greatest);
  const auto exponentials = [&](const T* from) HWY_ATTR {
    load_columns(from, columns, zero, values);
    for (std::size_t k = 0; k < 4; ++k) values[k] = exponential(hn::Sub(values[k], greatest[k]));
  };
  ColumnTotals<ExponentialSum> sums;
  std::size_t row = 0;
  for (bool is_first = true;; is_first = false) {
    for (V& sum : factor) sum = zero;
    for (const std::size_t end = HWY_MIN(rows, row + fold_chunk); row < end; ++row) {
      exponentials(x + row * stride);
      for (std::size_t k = 0; k < 4; ++k) factor[k] = hn::Add(factor[k], values[k]);
      if constexpr (std::is_same_v<T, float>) store_columns(values, y + row * stride, columns);
    }
    if (is_first && row == rows) break;  // as most often
    for (std::size_t k = 0; k < 4; ++k) sums.of[k].add(factor[k]);
    if (row == rows) {
      sums.get(factor);
      break;
    }
  }
  for (V& sum : factor) sum = hn::Div(set(1.0f), sum);
  for (row = 0; row < rows; ++row) {
    if constexpr (std::is_same_v<T, float>) {
      load_columns(y + row * stride, columns, zero, values);
    } else {
      exponentials(x + row * stride);
    }
    for (std::size_t k = 0; k < 4; ++k) values[k] = hn::Mul(values[k], factor[k]);
    store_columns(values, y + row * stride, columns);
  }
}

/// Contiguous runs `begin` to `end`.
template <typename T>
void softmax_runs(const T* x, T* y, std::size_t begin, std::size_t end, std::size_t size) {
  for (std::size_t i = begin; i < end; ++i) softmax_run(x + i * size, y + i * size, size);
}

/// Runs that are too short to fill a vector are processed in blocks, as columns, if there are many.
constexpr std::size_t short_run = 8;
inline bool softmax_takes_short_runs(std::size_t runs, std::size_t size) {
  return size <= short_run && size < lanes() && runs >= lanes();
}

/// Transposes a whole block of float32 runs to columns, and back; false where there is no instruction for it.
HWY_INLINE bool columns_of_runs(const float* runs, float* columns, std::size_t size) {
  const std::size_t n = lanes(), block = 4 * n;
  for (std::size_t i = 0; i < block; i += n) {
    V a, b, c, d;
    if (size == 2) {
      hn::LoadInterleaved2(Float(), runs + 2 * i, a, b);
    } else if (size == 3) {
      hn::LoadInterleaved3(Float(), runs + 3 * i, a, b, c);
      store(c, columns + 2 * block + i);
    } else if (size == 4) {
      hn::LoadInterleaved4(Float(), runs + 4 * i, a, b, c, d);
      store(c, columns + 2 * block + i);
      store(d, columns + 3 * block + i);
    } else {
      return false;
    }
    store(a, columns + i);
    store(b, columns + block + i);
  }
  return true;
}
HWY_INLINE bool runs_of_columns(const float* columns, float* runs, std::size_t size) {
  const std::size_t n = lanes(), block = 4 * n;
  for (std::size_t i = 0; i < block; i += n) {
    const auto at = [&](std::size_t k) HWY_ATTR { return load(columns + k * block + i); };
    if (size == 2) {
      hn::StoreInterleaved2(at(0), at(1), Float(), runs + 2 * i);
    } else if (size == 3) {
      hn::StoreInterleaved3(at(0), at(1), at(2), Float(), runs + 3 * i);
    } else if (size == 4) {
      hn::StoreInterleaved4(at(0), at(1), at(2), at(3), Float(), runs + 4 * i);
    } else {
      return false;
    }
  }
  return true;
}
HWY_INLINE bool columns_of_runs(const schema::Half*, schema::Half*, std::size_t) { return false; }
HWY_INLINE bool runs_of_columns(const schema::Half*, schema::Half*, std::size_t) { return false; }

/// Contiguous runs `begin` to `end` of at most short_run elements.
template <typename T>
void softmax_short_runs(const T* x, T* y, std::size_t begin, std::size_t end, std::size_t size) {
  const std::size_t block = 4 * lanes();
  alignas(64) T columns[short_run * 64];
  for (std::size_t first = begin; first < end; first += block) {
    const std::size_t count = end - first < block ? end - first : block;
    const T* const from = x + first * size;
    T* const to = y + first * size;
    if (count < block || !columns_of_runs(from, columns, size))
      for (std::size_t i = 0; i < count; ++i)
        for (std::size_t k = 0; k < size; ++k) columns[k * block + i] = from[i * size + k];
    softmax_columns(columns, columns, count, size, block);
    if (count < block || !runs_of_columns(columns, to, size))
      for (std::size_t i = 0; i < count; ++i)
        for (std::size_t k = 0; k < size; ++k) to[i * size + k] = columns[k * block + i];
  }
}

inline std::size_t softmax_columns_at_once() { return 4 * lanes(); }

}  // namespace webnn::runtime::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
