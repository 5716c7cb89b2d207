// The operators of reductions. Requires the constants TYPE and OP.

// In the order of the list in kernels/groups/reductions.hpp.
const uint L1 = 0, L2 = 1, LOG_SUM = 2, LOG_SUM_EXP = 3, MAX = 4, MEAN = 5, MIN = 6, PRODUCT = 7, SUM = 8,
           SUM_SQUARE = 9;

Wide combine(const uint how, Wide a, Wide b) {
  switch (how) {
    case MAX: return wide_is_nan(a) || a > b ? a : b;  // NaN if any element is
    case MIN: return wide_is_nan(a) || a < b ? a : b;
    case PRODUCT: return a * b;
    default: return a + b;
  }
}
Wide neutral(const uint how) {
#if defined(REAL)
  return how == MAX ? -INFINITY : how == MIN ? INFINITY : how == PRODUCT ? 1.0 : 0.0;
#elif defined(SIGNED)
  const Wide greatest = 0x7fffffffffffffffl;
  return how == MAX ? -greatest - 1 : how == MIN ? greatest : how == PRODUCT ? Wide(1) : Wide(0);
#else
  return how == MIN ? ~Wide(0) : how == PRODUCT ? Wide(1) : Wide(0);
#endif
}
Wide map(Wide x) {
  if (OP == L2 || OP == SUM_SQUARE) return x * x;
#if defined(REAL)
  if (OP == L1) return absolute(x);
#elif defined(SIGNED)
  if (OP == L1) return x < 0 ? -x : x;
#endif
  return x;
}

/// What remains to be done with what `count` elements were combined to; those of L2 with their root.
Wide finished(Wide result, uint count) {
#ifdef REAL
  if (OP == LOG_SUM) return logarithm(result);
  if (OP == MEAN) return result / float(count);
#endif
  return result;
}
