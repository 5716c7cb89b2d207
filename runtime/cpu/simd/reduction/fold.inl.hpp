// Folds (sums, products, extremes) over a run of memory or over rows, for one instruction set. Included by vector code
// after float_io.inl.hpp.
//
// Sums go through several accumulators, which are flushed regularly into a total with compensated summation: the error
// of a long sum is that of the short chains in between.
#include <cstddef>
#include <cstdint>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace webnn::runtime::simd::HWY_NAMESPACE {

// A fold has these members: `start` is neutral for `combine`; `padding` is an element that `map` makes neutral; `shift`
// is what ExponentialSum subtracts from each element. `across` gives all lanes the fold of all lanes.

/// A total without compensation.
template <typename Op>
struct PlainTotal {
  V value;
  HWY_INLINE PlainTotal() : value(Op::start()) {}  // an implicit one would be compiled for the baseline processor
  HWY_INLINE void add(V x) { value = Op::combine(value, x); }
  HWY_INLINE V get() const { return value; }
};
/// A compensated sum: keeps what its additions rounded off.
struct ExactTotal {
  V sum, lost;
  HWY_INLINE ExactTotal() : sum(set(-0.0f)), lost(hn::Zero(Float())) {}
  HWY_INLINE void add(V x) {
    const V next = hn::Add(sum, x);
    const V added = hn::Sub(next, sum);
    lost = hn::Add(lost, hn::Add(hn::Sub(sum, hn::Sub(next, added)), hn::Sub(x, added)));
    sum = next;
  }
  /// An infinite sum has lost nothing. Neither has a sum of zeros, which keeps its sign.
  HWY_INLINE V get() const {
    const auto has_lost = hn::Gt(hn::Abs(lost), hn::Zero(Float()));  // false for NaN
    return hn::IfThenElse(has_lost, hn::Add(sum, lost), sum);
  }
};

/// -0 is neutral: a sum of only -0 is -0.
struct Sum {
  using Total = ExactTotal;
  static HWY_INLINE V start() { return set(-0.0f); }
  static HWY_INLINE V padding() { return start(); }
  static HWY_INLINE V map(V x, V) { return x; }
  static HWY_INLINE V combine(V total, V x) { return hn::Add(total, x); }
  static HWY_INLINE V across(V total) { return hn::SumOfLanes(Float(), total); }
};
struct MagnitudeSum : Sum {
  static HWY_INLINE V map(V x, V) { return hn::Abs(x); }
};
struct SquareSum : Sum {
  static HWY_INLINE V map(V x, V) { return hn::Mul(x, x); }
};
/// The sum of squares of the quotients with `shift`.
struct QuotientSquareSum : Sum {
  static HWY_INLINE V map(V x, V shift) {
    const V quotient = hn::Div(x, shift);
    return hn::Mul(quotient, quotient);
  }
};
struct ExponentialSum : Sum {
  static HWY_INLINE V padding() { return hn::Neg(infinity()); }
  static HWY_INLINE V map(V x, V shift) { return exponential(hn::Sub(x, shift)); }
};
/// The sum of distances from `shift`.
struct ShiftedSum : Sum {
  static HWY_INLINE V map(V x, V shift) { return hn::Sub(x, shift); }
};
/// The sum of squared distances from `shift`.
struct DistanceSum : Sum {
  static HWY_INLINE V map(V x, V shift) {
    const V distance = hn::Sub(x, shift);
    return hn::Mul(distance, distance);
  }
};
struct Product {
  using Total = PlainTotal<Product>;
  static HWY_INLINE V start() { return set(1.0f); }
  static HWY_INLINE V padding() { return set(1.0f); }
  static HWY_INLINE V map(V x, V) { return x; }
  static HWY_INLINE V combine(V total, V x) { return hn::Mul(total, x); }
  static HWY_INLINE V across(V total) {
    alignas(64) float lane[16];
    hn::Store(total, Float(), lane);
    float product = lane[0];
    for (std::size_t i = 1; i < lanes(); ++i) product *= lane[i];
    return set(product);
  }
};
/// `greater_of` returns its second operand when either is NaN: a NaN in the total stays, and one in x is inserted.
struct Greatest {
  using Total = PlainTotal<Greatest>;
  static HWY_INLINE V start() { return hn::Neg(infinity()); }
  static HWY_INLINE V padding() { return start(); }
  static HWY_INLINE V map(V x, V) { return x; }
  static HWY_INLINE V combine(V total, V x) { return hn::IfThenElse(hn::IsNaN(x), x, greater_of(x, total)); }
  static HWY_INLINE V across(V total) {
    const V greatest = hn::MaxOfLanes(Float(), total);
    return hn::AllFalse(Float(), hn::IsNaN(total)) ? greatest : not_a_number();
  }
};
struct GreatestMagnitude : Greatest {
  static HWY_INLINE V map(V x, V) { return hn::Abs(x); }
};
struct Least {
  using Total = PlainTotal<Least>;
  static HWY_INLINE V start() { return infinity(); }
  static HWY_INLINE V padding() { return start(); }
  static HWY_INLINE V map(V x, V) { return x; }
  static HWY_INLINE V combine(V total, V x) { return hn::IfThenElse(hn::IsNaN(x), x, lesser_of(x, total)); }
  static HWY_INLINE V across(V total) {
    const V least = hn::MinOfLanes(Float(), total);
    return hn::AllFalse(Float(), hn::IsNaN(total)) ? least : not_a_number();
  }
};

/// The number of vectors folded before the accumulators are flushed.
constexpr std::size_t fold_chunk = 64;

/// Lane-wise fold of `count` contiguous elements.
template <typename Op, typename T>
HWY_INLINE V fold_run(const T* x, std::size_t count, V shift) {
  const std::size_t n = lanes();
  const bool is_long = count >= 4 * n;
  typename Op::Total total;
  while (count >= 4 * n) {
    const std::size_t chunk = HWY_MIN(count / (4 * n), fold_chunk / 4);
    V a = Op::start(), b = Op::start(), c = Op::start(), d = Op::start();
    for (std::size_t i = 0; i < chunk; ++i, x += 4 * n) {
      a = Op::combine(a, Op::map(load(x), shift));
      b = Op::combine(b, Op::map(load(x + n), shift));
      c = Op::combine(c, Op::map(load(x + 2 * n), shift));
      d = Op::combine(d, Op::map(load(x + 3 * n), shift));
    }
    count -= chunk * 4 * n;
    total.add(Op::combine(Op::combine(a, b), Op::combine(c, d)));
  }
  V rest = Op::start();
  for (; count >= n; count -= n, x += n) rest = Op::combine(rest, Op::map(load(x), shift));
  if (count > 0) {
    const V last = Op::map(load_first(x, count, Op::padding()), shift);
    // The result of `map` for the padding may not be exactly neutral.
    rest = Op::combine(rest, hn::IfThenElse(hn::FirstN(Float(), count), last, Op::start()));
  }
  if (!is_long) return rest;
  total.add(rest);
  return total.get();
}

/// Totals of at most 4 vectors of columns.
template <typename Op>
struct ColumnTotals {
  typename Op::Total of[4];
  HWY_INLINE ColumnTotals() {}
  HWY_INLINE void get(V (&values)[4]) const {
    for (std::size_t k = 0; k < 4; ++k) values[k] = of[k].get();
  }
};

/// Adds to each of `columns` (at most 4 vectors) totals the fold of its column over `rows` rows.
template <typename Op, typename T>
HWY_INLINE void fold_columns(const T* x, std::size_t columns, std::int64_t rows, std::int64_t stride,
                             const V (&shift)[4], ColumnTotals<Op>& totals) {
  const std::size_t n = lanes();
  const std::size_t whole = columns / n, rest = columns % n;
  while (rows > 0) {
    const std::int64_t chunk = HWY_MIN(rows, std::int64_t{16});
    V a = Op::start(), b = Op::start(), c = Op::start(), d = Op::start();
    if (whole == 4) {
      for (std::int64_t i = 0; i < chunk; ++i, x += stride) {
        a = Op::combine(a, Op::map(load(x), shift[0]));
        b = Op::combine(b, Op::map(load(x + n), shift[1]));
        c = Op::combine(c, Op::map(load(x + 2 * n), shift[2]));
        d = Op::combine(d, Op::map(load(x + 3 * n), shift[3]));
      }
    } else {
      const V zero = hn::Zero(Float());
      for (std::int64_t i = 0; i < chunk; ++i, x += stride) {
        const auto column = [&](std::size_t k) HWY_ATTR {
          if (k < whole) return load(x + k * n);
          return k == whole && rest > 0 ? load_first(x + k * n, rest, zero) : zero;
        };
        a = Op::combine(a, Op::map(column(0), shift[0]));
        if (columns > n) b = Op::combine(b, Op::map(column(1), shift[1]));
        if (columns > 2 * n) c = Op::combine(c, Op::map(column(2), shift[2]));
        if (columns > 3 * n) d = Op::combine(d, Op::map(column(3), shift[3]));
      }
    }
    totals.of[0].add(a);
    totals.of[1].add(b);
    totals.of[2].add(c);
    totals.of[3].add(d);
    rows -= chunk;
  }
}

/// `load_columns` and `store_columns`: at most 4 adjacent vectors.
template <typename T>
HWY_INLINE void store_columns(const V (&values)[4], T* y, std::size_t columns) {
  const std::size_t n = lanes();
  for (std::size_t k = 0; k < 4 && columns > 0; ++k, y += n) {
    if (columns < n) return store_first(values[k], y, columns);
    store(values[k], y);
    columns -= n;
  }
}
template <typename T>
HWY_INLINE void load_columns(const T* x, std::size_t columns, V others, V (&values)[4]) {
  const std::size_t n = lanes();
  for (std::size_t k = 0; k < 4; ++k) {
    const std::size_t first = k * n;
    if (columns >= first + n) {
      values[k] = load(x + first);
    } else {
      values[k] = columns > first ? load_first(x + first, columns - first, others) : others;
    }
  }
}

}  // namespace webnn::runtime::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
