// Limits of integer types, and conversion of reals to integers.

/// The lowest value of an integer type; unused for real types.
float least_of(const uint type) {
  return type == INT32 ? -2147483648.0 : type == INT64 ? -9223372036854775808.0 : type == INT8 ? -128.0
         : type == INT4 ? -8.0 : 0.0;
}
/// One above the highest value: a power of two, which is exact in float32.
float above_greatest_of(const uint type) {
  return type == INT32 ? 2147483648.0 : type == UINT32 ? 4294967296.0 : type == INT64 ? 9223372036854775808.0
         : type == UINT64 ? 18446744073709551616.0 : type == INT8 ? 128.0 : type == UINT8 ? 256.0
         : type == INT4 ? 8.0 : 16.0;
}
int64_t greatest_of(const uint type) {
  if (type == UINT64) return int64_t(-1);
  if (type == INT64) return int64_t(0x7fffffffffffffffl);
  return int64_t(above_greatest_of(type)) - 1;
}

/// Truncates; values out of range saturate, and NaN gives 0. Returns the bits of the type, sign- or zero-extended.
int64_t truncated(float x, const uint type) {
  if (is_nan(x)) return int64_t(0);
  const float whole = trunc(x);
  if (whole <= least_of(type)) return int64_t(least_of(type));
  if (!(whole < above_greatest_of(type))) return greatest_of(type);
  if (type == UINT64) return int64_t(uint64_t(whole));
  return int64_t(whole);
}
