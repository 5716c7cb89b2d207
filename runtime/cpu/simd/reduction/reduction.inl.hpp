// Folding the elements of a reduction, for one instruction set; included by reduction.cpp.
#include <cstddef>
#include <cstdint>
#include <hwy/highway.h>

// clang-format off
#include "runtime/cpu/simd/elementwise/elementwise_math.inl.hpp"
#include "runtime/cpu/simd/float_io.inl.hpp"
#include "runtime/cpu/simd/reduction/fold.inl.hpp"
// clang-format on
#include "runtime/cpu/simd/reduction/reduction.hpp"

HWY_BEFORE_NAMESPACE();
namespace webnn::runtime::simd::HWY_NAMESPACE {

/// Calls body(offset) for each index of the outer reduced axes.
template <typename Body>
HWY_INLINE void for_each_outer(const ReductionLoops& loops, Body&& body) {
  std::int64_t index[ReductionLoops::most_axes] = {};
  std::int64_t offset = 0;
  while (true) {
    body(offset);
    unsigned axis = loops.outer_rank;
    while (true) {
      if (axis == 0) return;
      --axis;
      offset += loops.outer[axis].stride;
      if (++index[axis] < loops.outer[axis].size) break;
      index[axis] = 0;
      offset -= loops.outer[axis].stride * loops.outer[axis].size;
    }
  }
}

HWY_INLINE V finish_total(V total, Finish finish, std::int64_t count) {
  switch (finish) {
    case Finish::mean:
      return hn::Div(total, set(float(count)));
    case Finish::root:
      return hn::Sqrt(total);
    case Finish::logarithm:
      return logarithm(total);
    case Finish::none:
      break;
  }
  return total;
}

/// log(sum) + greatest; a greatest element that is not finite is the result itself.
HWY_INLINE V log_sum_exp_of(V greatest, V sum) {
  const auto finite = hn::Lt(hn::Abs(greatest), infinity());
  return hn::IfThenElse(finite, hn::Add(greatest, logarithm(sum)), greatest);
}

/// Whether sums of squares have lost nothing at the ends of the range.
HWY_INLINE auto keeps_squares(V total) { return hn::And(hn::Ge(total, set(0x1p-100f)), hn::Lt(total, infinity())); }
/// The root of sums of squares; of those that have lost something, from the sums of the squares of elements that were
/// divided by the greatest.
HWY_INLINE V root_of_squares(V total, V greatest, V quotients) {
  const auto is_usable = hn::And(hn::Gt(greatest, hn::Zero(Float())), hn::Lt(greatest, infinity()));
  const V scaled = hn::IfThenElse(is_usable, hn::Mul(greatest, hn::Sqrt(quotients)), greatest);
  return hn::IfThenElse(keeps_squares(total), hn::Sqrt(total), scaled);
}

template <typename Op, typename T>
HWY_INLINE V fold_runs(const ReductionLoops& loops, const T* x, V shift) {
  typename Op::Total total;
  for_each_outer(loops, [&](std::int64_t offset)
                            HWY_ATTR { total.add(fold_run<Op>(x + offset, std::size_t(loops.inner.size), shift)); });
  return Op::across(total.get());
}

/// One result.
template <typename Op, typename T>
void reduce_runs(const ReductionLoops& loops, Finish finish, const T* x, T* y) {
  V total = fold_runs<Op>(loops, x, hn::Zero(Float()));
  store_one(finish_total(total, finish, loops.count), y);
}
template <typename T>
void log_sum_exp_runs(const ReductionLoops& loops, Finish, const T* x, T* y) {
  const V greatest = fold_runs<Greatest>(loops, x, hn::Zero(Float()));
  store_one(log_sum_exp_of(greatest, fold_runs<ExponentialSum>(loops, x, greatest)), y);
}

template <typename T>
void square_runs(const ReductionLoops& loops, Finish finish, const T* x, T* y) {
  const V total = fold_runs<SquareSum>(loops, x, hn::Zero(Float()));
  if (finish != Finish::root || hn::AllTrue(Float(), keeps_squares(total)))
    return store_one(finish_total(total, finish, loops.count), y);
  const V greatest = fold_runs<GreatestMagnitude>(loops, x, hn::Zero(Float()));
  store_one(root_of_squares(total, greatest, fold_runs<QuotientSquareSum>(loops, x, greatest)), y);
}

/// `columns` (at most 4 vectors) adjacent results.
template <typename Op, typename T>
HWY_INLINE void fold_columns_of(const ReductionLoops& loops, const T* x, std::size_t columns, const V (&shift)[4],
                                V (&results)[4]) {
  ColumnTotals<Op> totals;
  for_each_outer(loops, [&](std::int64_t offset) HWY_ATTR {
    fold_columns<Op>(x + offset, columns, loops.inner.size, loops.inner.stride, shift, totals);
  });
  totals.get(results);
}

template <typename Op, typename T>
void reduce_columns(const ReductionLoops& loops, Finish finish, const T* x, T* y, std::size_t columns) {
  const V zero = hn::Zero(Float());
  const V shift[4] = {zero, zero, zero, zero};
  V totals[4];
  fold_columns_of<Op>(loops, x, columns, shift, totals);
  for (V& total : totals) total = finish_total(total, finish, loops.count);
  store_columns(totals, y, columns);
}
template <typename T>
void log_sum_exp_columns(const ReductionLoops& loops, Finish, const T* x, T* y, std::size_t columns) {
  const V zero = hn::Zero(Float());
  const V none[4] = {zero, zero, zero, zero};
  V greatest[4], sums[4];
  fold_columns_of<Greatest>(loops, x, columns, none, greatest);
  fold_columns_of<ExponentialSum>(loops, x, columns, greatest, sums);
  for (std::size_t i = 0; i < 4; ++i) sums[i] = log_sum_exp_of(greatest[i], sums[i]);
  store_columns(sums, y, columns);
}

template <typename T>
void square_columns(const ReductionLoops& loops, Finish finish, const T* x, T* y, std::size_t columns) {
  const V zero = hn::Zero(Float());
  const V none[4] = {zero, zero, zero, zero};
  V totals[4], greatest[4], quotients[4];
  fold_columns_of<SquareSum>(loops, x, columns, none, totals);
  bool keeps_all = true;
  for (std::size_t i = 0; i < 4 && columns > i * lanes(); ++i) {
    const auto used = hn::FirstN(Float(), columns - i * lanes());
    keeps_all = keeps_all && hn::AllFalse(Float(), hn::AndNot(keeps_squares(totals[i]), used));
  }
  if (finish != Finish::root || keeps_all) {
    for (V& total : totals) total = finish_total(total, finish, loops.count);
    return store_columns(totals, y, columns);
  }
  fold_columns_of<GreatestMagnitude>(loops, x, columns, none, greatest);
  fold_columns_of<QuotientSquareSum>(loops, x, columns, greatest, quotients);
  for (std::size_t i = 0; i < 4; ++i) totals[i] = root_of_squares(totals[i], greatest[i], quotients[i]);
  store_columns(totals, y, columns);
}

/// The number of adjacent results that `reduce_columns` takes at once.
inline std::size_t columns_at_once() { return 4 * lanes(); }

template <typename T>
using ReduceRun = void (*)(const ReductionLoops&, Finish, const T*, T*);
template <typename T>
using ReduceColumns = void (*)(const ReductionLoops&, Finish, const T*, T*, std::size_t);

template <typename T>
ReduceRun<T> run_reduction(Fold fold) {
  switch (fold) {
    case Fold::sum:
      return reduce_runs<Sum, T>;
    case Fold::sum_of_magnitudes:
      return reduce_runs<MagnitudeSum, T>;
    case Fold::sum_of_squares:
      return square_runs<T>;
    case Fold::product:
      return reduce_runs<Product, T>;
    case Fold::maximum:
      return reduce_runs<Greatest, T>;
    case Fold::minimum:
      return reduce_runs<Least, T>;
    case Fold::sum_of_exponentials:
      break;
  }
  return log_sum_exp_runs<T>;
}

template <typename T>
ReduceColumns<T> column_reduction(Fold fold) {
  switch (fold) {
    case Fold::sum:
      return reduce_columns<Sum, T>;
    case Fold::sum_of_magnitudes:
      return reduce_columns<MagnitudeSum, T>;
    case Fold::sum_of_squares:
      return square_columns<T>;
    case Fold::product:
      return reduce_columns<Product, T>;
    case Fold::maximum:
      return reduce_columns<Greatest, T>;
    case Fold::minimum:
      return reduce_columns<Least, T>;
    case Fold::sum_of_exponentials:
      break;
  }
  return log_sum_exp_columns<T>;
}

}  // namespace webnn::runtime::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
