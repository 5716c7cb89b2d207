// The stages (stage.hpp) on integers of up to 32 bits, for one instruction set. Lanes are 32-bit integers; narrower
// types are widened when they are loaded and keep their low bits when they are stored, so that overflow wraps.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace webnn::runtime::simd::HWY_NAMESPACE {
namespace integer_stages {

using V = IntVector;
using Accesses = std::index_sequence<std::size_t(Access::scalar), std::size_t(Access::stream)>;

HWY_INLINE V set(std::int32_t value) { return hn::Set(Int(), value); }
HWY_INLINE V truth(hn::Mask<Int> mask) { return hn::IfThenElseZero(mask, set(1)); }

// ---- storage ------------------------------------------------------------------------------------------------------

HWY_INLINE void store_int32(V v, void* to, std::size_t i) { hn::StoreU(v, Int(), static_cast<std::int32_t*>(to) + i); }
HWY_INLINE void store_low_byte(V v, void* to, std::size_t i) {
  const hn::Rebind<std::uint8_t, Int> d;
  hn::StoreU(hn::DemoteTo(d, hn::And(v, set(0xff))), d, static_cast<std::uint8_t*>(to) + i);
}

template <typename T, V (*load)(const void*, std::size_t), void (*store)(V, void*, std::size_t)>
constexpr StorageRow<V> storage(DataType type) {
  return {type, load_stage<T, V, load>, store_stage<V, store>, convert<T, V, load>};
}
inline constexpr StorageRow<V> storage_rows[] = {
    storage<std::int32_t, load_int32, store_int32>(DataType::int32),
    storage<std::uint32_t, load_int32, store_int32>(DataType::uint32),
    storage<std::int8_t, load_byte<std::int8_t>, store_low_byte>(DataType::int8),
    storage<std::uint8_t, load_byte<std::uint8_t>, store_low_byte>(DataType::uint8),
};

// ---- operators of one operand -------------------------------------------------------------------------------------

HWY_INLINE V abs(V x, const Stage&) { return hn::Abs(x); }
HWY_INLINE V clamp(V x, const Stage& s) { return hn::Min(from_bits<V>(s.beta), hn::Max(from_bits<V>(s.alpha), x)); }
HWY_INLINE V logical_not(V x, const Stage&) { return truth(hn::Eq(x, set(0))); }
HWY_INLINE V neg(V x, const Stage&) { return hn::Sub(set(0), x); }
HWY_INLINE V relu(V x, const Stage&) { return hn::Max(x, set(0)); }
HWY_INLINE V sign(V x, const Stage&) { return hn::Min(set(1), hn::Max(set(-1), x)); }
HWY_INLINE V square(V x, const Stage&) { return hn::Mul(x, x); }

// ---- operators of two operands ------------------------------------------------------------------------------------

using HalfInt = hn::Half<Int>;
/// Truncated in double precision, which is exact for 32-bit quotients.
HWY_INLINE hn::Vec<HalfInt> quotient_of_half(hn::Vec<HalfInt> a, hn::Vec<HalfInt> b) {
  const hn::ScalableTag<double> wide;
  return hn::DemoteTo(HalfInt(), hn::Div(hn::PromoteTo(wide, a), hn::PromoteTo(wide, b)));
}
/// Division by zero gives 0, and the lowest number divided by -1 wraps.
HWY_INLINE V div(V a, V b) {
  const V result = hn::Combine(Int(), quotient_of_half(hn::UpperHalf(HalfInt(), a), hn::UpperHalf(HalfInt(), b)),
                               quotient_of_half(hn::LowerHalf(HalfInt(), a), hn::LowerHalf(HalfInt(), b)));
  const V of_others = hn::IfThenElse(hn::Eq(b, set(-1)), hn::Sub(set(0), a), result);
  return hn::IfThenZeroElse(hn::Eq(b, set(0)), of_others);
}
/// By repeated squaring. A negative exponent gives the truncated quotient 1 / a^-b: 0, 1 or -1.
HWY_INLINE V pow(V a, V b) {
  const V zero = set(0), one = set(1), minus_one = set(-1);
  V result = one, square = a;
  for (V rest = hn::Max(b, zero); !hn::AllTrue(Int(), hn::Eq(rest, zero)); rest = hn::ShiftRight<1>(rest)) {
    const auto takes_part = hn::Eq(hn::And(rest, one), one);
    result = hn::IfThenElse(takes_part, hn::Mul(result, square), result);
    square = hn::Mul(square, square);
  }
  const V sign = hn::IfThenElse(hn::Eq(hn::And(b, one), one), minus_one, one);
  const V inverse = hn::IfThenElse(hn::Eq(a, minus_one), sign, hn::IfThenElseZero(hn::Eq(a, one), one));
  return hn::IfThenElse(hn::Lt(b, zero), inverse, result);
}
HWY_INLINE V add(V a, V b) { return hn::Add(a, b); }
HWY_INLINE V sub(V a, V b) { return hn::Sub(a, b); }
HWY_INLINE V mul(V a, V b) { return hn::Mul(a, b); }
HWY_INLINE V max(V a, V b) { return hn::Max(a, b); }
HWY_INLINE V min(V a, V b) { return hn::Min(a, b); }
HWY_INLINE V prelu(V a, V b) { return hn::IfThenElse(hn::Lt(a, set(0)), hn::Mul(a, b), a); }
HWY_INLINE V equal(V a, V b) { return truth(hn::Eq(a, b)); }
HWY_INLINE V not_equal(V a, V b) { return truth(hn::Ne(a, b)); }
HWY_INLINE V greater(V a, V b) { return truth(hn::Gt(a, b)); }
HWY_INLINE V greater_or_equal(V a, V b) { return truth(hn::Not(hn::Lt(a, b))); }
HWY_INLINE V lesser(V a, V b) { return truth(hn::Lt(a, b)); }
HWY_INLINE V lesser_or_equal(V a, V b) { return truth(hn::Not(hn::Gt(a, b))); }
HWY_INLINE auto is_true(V a) { return hn::Ne(a, set(0)); }
HWY_INLINE V logical_and(V a, V b) { return truth(hn::And(is_true(a), is_true(b))); }
HWY_INLINE V logical_or(V a, V b) { return truth(is_true(hn::Or(a, b))); }
HWY_INLINE V logical_xor(V a, V b) { return truth(hn::Xor(is_true(a), is_true(b))); }

// ---- the rows ------------------------------------------------------------------------------------------------------

inline constexpr UnaryRow<V> unary_rows[] = {
#define UNARY(symbol, name, row, tolerance, floats, error, integers, ...) UNARY_ROW_##integers(symbol, name)
#define BINARY(...)
#include "schema/operators/elementwise.def"
};
inline constexpr BinaryRow<V> binary_rows[] = {
#define UNARY(...)
#define BINARY(symbol, name, row, tolerance, floats, error, integers, ...) BINARY_ROW_##integers(symbol, name)
#include "schema/operators/elementwise.def"
};

// ---- the table ----------------------------------------------------------------------------------------------------

inline StageTable table() {
  StageTable table = stage_table<V, Accesses, storage_rows, unary_rows, binary_rows>(DataType::int32);
  table.power = [](Lane exponent) { return exponent == 2 ? erased<V>(light<V, square>) : nullptr; };
  table.streams = [](DataType type) { return type == DataType::int32 || type == DataType::uint32; };
  return table;
}

}  // namespace integer_stages
}  // namespace webnn::runtime::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
