// The stages (stage.hpp) on float32, for one instruction set. Functions of operators have the names that elementwise.def
// gives them. Included after elementwise_math.inl.hpp and stage_blocks.inl.hpp.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace webnn::runtime::simd::HWY_NAMESPACE {
namespace float_stages {

using V = FloatVector;
using Accesses = std::make_index_sequence<access_count>;
using HWY_NAMESPACE::clamp;

// ---- storage ------------------------------------------------------------------------------------------------------

using Half16 = hn::Rebind<hwy::float16_t, Float>;
HWY_INLINE V load_float16(const void* from, std::size_t i) {
  return hn::PromoteTo(Float(), hn::LoadU(Half16(), static_cast<const hwy::float16_t*>(from) + i));
}
template <IntVector (*load)(const void*, std::size_t)>
HWY_INLINE V converted(const void* from, std::size_t i) {
  return hn::ConvertTo(Float(), load(from, i));
}

HWY_INLINE void store_float32(V v, void* to, std::size_t i) { hn::StoreU(v, Float(), static_cast<float*>(to) + i); }
HWY_INLINE void store_float16(V v, void* to, std::size_t i) {
  hn::StoreU(hn::DemoteTo(Half16(), v), Half16(), static_cast<hwy::float16_t*>(to) + i);
}
/// To int8 or uint8: truncates and saturates, NaN gives 0.
template <typename T>
HWY_INLINE void store_byte(V v, void* to, std::size_t i) {
  constexpr float low = T(-1) < T(0) ? -128.0f : 0.0f, high = T(-1) < T(0) ? 127.0f : 255.0f;
  const V inside = hn::IfThenElseZero(hn::Eq(v, v), clamp(v, set(low), set(high)));
  const hn::Rebind<T, Float> d;
  hn::StoreU(hn::DemoteTo(d, hn::ConvertTo(Int(), inside)), d, static_cast<T*>(to) + i);
}
HWY_INLINE void store_int32(V v, void* to, std::size_t i) {
  const V number = hn::IfThenElseZero(hn::Eq(v, v), v);
  const auto too_large = hn::RebindMask(Int(), hn::Ge(number, set(2147483648.0f)));
  const auto truncated = hn::ConvertTo(Int(), greater_of(set(-2147483648.0f), number));
  hn::StoreU(hn::IfThenElse(too_large, hn::Set(Int(), 0x7fffffff), truncated), Int(),
             static_cast<std::int32_t*>(to) + i);
}

template <typename T, V (*load)(const void*, std::size_t), void (*store)(V, void*, std::size_t)>
constexpr StorageRow<V> storage(DataType type) {
  return {type, load_stage<T, V, load>, store_stage<V, store>, convert<T, V, load>};
}
inline constexpr StorageRow<V> storage_rows[] = {
    storage<float, load_float32, store_float32>(DataType::float32),
    storage<hwy::float16_t, load_float16, store_float16>(DataType::float16),
    storage<std::int32_t, converted<load_int32>, store_int32>(DataType::int32),
    storage<std::int8_t, converted<load_byte<std::int8_t>>, store_byte<std::int8_t>>(DataType::int8),
    storage<std::uint8_t, converted<load_byte<std::uint8_t>>, store_byte<std::uint8_t>>(DataType::uint8),
};

// ---- operators of one operand -------------------------------------------------------------------------------------

HWY_INLINE V alpha(const Stage& s) { return from_bits<V>(s.alpha); }
HWY_INLINE V beta(const Stage& s) { return from_bits<V>(s.beta); }

HWY_INLINE V abs(V x, const Stage&) { return hn::Abs(x); }
HWY_INLINE V ceil(V x, const Stage&) { return hn::Ceil(x); }
HWY_INLINE V clamp(V x, const Stage& s) { return clamp(x, alpha(s), beta(s)); }
HWY_INLINE V cos(V x, const Stage&) { return cosine(x); }
HWY_INLINE V elu(V x, const Stage& s) {
  return hn::IfThenElse(hn::Lt(x, set(0.0f)), hn::Mul(alpha(s), expm1_of_negative(x)), x);
}
HWY_INLINE V erf(V x, const Stage&) { return error_function(x); }
HWY_INLINE V exp(V x, const Stage&) { return exponential(x); }
HWY_INLINE V floor(V x, const Stage&) { return hn::Floor(x); }
HWY_INLINE V gelu(V x, const Stage&) { return gaussian_error_linear_unit(x); }
HWY_INLINE V hard_sigmoid(V x, const Stage& s) { return clamp(hn::MulAdd(x, alpha(s), beta(s)), set(0.0f), set(1.0f)); }
HWY_INLINE V hard_swish(V x, const Stage&) {
  return hn::Mul(x, hn::Mul(clamp(hn::Add(x, set(3.0f)), set(0.0f), set(6.0f)), set(1.0f / 6)));
}
HWY_INLINE V is_infinite(V x, const Stage&) { return hn::IfThenElseZero(hn::Eq(hn::Abs(x), infinity()), set(1.0f)); }
HWY_INLINE V is_nan(V x, const Stage&) { return hn::IfThenElseZero(hn::IsNaN(x), set(1.0f)); }
HWY_INLINE V leaky_relu(V x, const Stage& s) { return hn::IfThenElse(hn::Lt(x, set(0.0f)), hn::Mul(x, alpha(s)), x); }
HWY_INLINE V linear(V x, const Stage& s) { return hn::MulAdd(x, alpha(s), beta(s)); }
HWY_INLINE V log(V x, const Stage&) { return logarithm(x); }
HWY_INLINE V logical_not(V x, const Stage&) { return hn::IfThenElseZero(hn::Eq(x, set(0.0f)), set(1.0f)); }
HWY_INLINE V neg(V x, const Stage&) { return hn::Neg(x); }
HWY_INLINE V reciprocal(V x, const Stage&) { return hn::Div(set(1.0f), x); }
HWY_INLINE V relu(V x, const Stage&) { return greater_of(set(0.0f), x); }
HWY_INLINE V round_even(V x, const Stage&) { return hn::Round(x); }
HWY_INLINE V sigmoid(V x, const Stage&) { return logistic(x); }
HWY_INLINE V sign(V x, const Stage&) {
  const V zero = set(0.0f), one = set(1.0f);
  return hn::IfThenElse(hn::Gt(x, zero), one, hn::IfThenElseZero(hn::Lt(x, zero), hn::Neg(one)));
}
HWY_INLINE V silu(V x, const Stage&) { return hn::Mul(x, logistic(x)); }
HWY_INLINE V sin(V x, const Stage&) { return sine(x); }
HWY_INLINE V softplus(V x, const Stage&) { return soft_plus(x); }
HWY_INLINE V softsign(V x, const Stage&) { return hn::Div(x, hn::Add(set(1.0f), hn::Abs(x))); }
HWY_INLINE V sqrt(V x, const Stage&) { return hn::Sqrt(x); }
HWY_INLINE V tan(V x, const Stage&) { return tangent(x); }
HWY_INLINE V tanh(V x, const Stage&) { return hyperbolic_tangent(x); }
/// What a cast to float16 makes of a lane.
HWY_INLINE V rounded_to_half(V x, const Stage&) { return hn::PromoteTo(Float(), hn::DemoteTo(Half16(), x)); }

// ---- operators of two operands ------------------------------------------------------------------------------------

HWY_INLINE V add(V a, V b) { return hn::Add(a, b); }
HWY_INLINE V sub(V a, V b) { return hn::Sub(a, b); }
HWY_INLINE V mul(V a, V b) { return hn::Mul(a, b); }
HWY_INLINE V div(V a, V b) { return hn::Div(a, b); }
HWY_INLINE V max(V a, V b) { return hn::IfThenElse(hn::Eq(a, a), greater_of(a, b), a); }  // NaN if either operand is
HWY_INLINE V min(V a, V b) { return hn::IfThenElse(hn::Eq(a, a), lesser_of(a, b), a); }
HWY_INLINE V pow(V a, V b) { return power(a, b); }
HWY_INLINE V prelu(V a, V b) { return hn::IfThenElse(hn::Lt(a, set(0.0f)), hn::Mul(a, b), a); }
HWY_INLINE V truth(hn::Mask<Float> mask) { return hn::IfThenElseZero(mask, set(1.0f)); }
HWY_INLINE V equal(V a, V b) { return truth(hn::Eq(a, b)); }
HWY_INLINE V not_equal(V a, V b) { return truth(hn::Not(hn::Eq(a, b))); }  // Ne is false for NaN
HWY_INLINE V greater(V a, V b) { return truth(hn::Gt(a, b)); }
HWY_INLINE V greater_or_equal(V a, V b) { return truth(hn::Ge(a, b)); }
HWY_INLINE V lesser(V a, V b) { return truth(hn::Lt(a, b)); }
HWY_INLINE V lesser_or_equal(V a, V b) { return truth(hn::Le(a, b)); }
HWY_INLINE hn::Mask<Float> is_true(V a) { return hn::Not(hn::Eq(a, set(0.0f))); }
HWY_INLINE V logical_and(V a, V b) { return truth(hn::And(is_true(a), is_true(b))); }
HWY_INLINE V logical_or(V a, V b) { return truth(hn::Or(is_true(a), is_true(b))); }
HWY_INLINE V logical_xor(V a, V b) { return truth(hn::Xor(is_true(a), is_true(b))); }

// ---- the rows ------------------------------------------------------------------------------------------------------

inline constexpr UnaryRow<V> unary_rows[] = {
    {"cast"_op, light<V, rounded_to_half>},
#define UNARY(symbol, name, row, tolerance, floats, ...) UNARY_ROW_##floats(symbol, name)
#define BINARY(...)
#include "schema/operators/elementwise.def"
};
inline constexpr BinaryRow<V> binary_rows[] = {
#define UNARY(...)
#define BINARY(symbol, name, row, tolerance, floats, ...) BINARY_ROW_##floats(symbol, name)
#include "schema/operators/elementwise.def"
};

// ---- powers with known exponents -----------------------------------------------------------------------------------

HWY_INLINE V square(V x, const Stage&) { return hn::Mul(x, x); }
HWY_INLINE V cube(V x, const Stage&) { return hn::Mul(hn::Mul(x, x), x); }
/// Unlike the square root, this power gives 0 for -0 and infinity for -infinity.
HWY_INLINE V power_of_half(V x, const Stage&) {
  const V root = hn::Sqrt(hn::Add(x, set(0.0f)));
  return hn::IfThenElse(hn::Eq(x, hn::Neg(infinity())), infinity(), root);
}
HWY_INLINE V power_of_minus_half(V x, const Stage& s) { return hn::Div(set(1.0f), power_of_half(x, s)); }

struct PowerRow {
  float exponent;
  StageOf<V>* function;
};
inline constexpr PowerRow power_rows[] = {
    {2.0f, light<V, square>},        {3.0f, light<V, cube>},
    {0.5f, light<V, power_of_half>}, {-0.5f, light<V, power_of_minus_half>},
    {-1.0f, light<V, reciprocal>},
};
inline StageFunction find_power(Lane exponent) {
  for (const PowerRow& row : power_rows)
    if (hn::GetLane(from_bits<V>(exponent)) == row.exponent) return erased<V>(row.function);
  return nullptr;
}

// ---- known limits ---------------------------------------------------------------------------------------------------

HWY_INLINE V at_least(V x, const Stage& s) { return greater_of(alpha(s), x); }  // a NaN in the second operand stays
HWY_INLINE V at_most(V x, const Stage& s) { return lesser_of(alpha(s), x); }

/// Not for 0, because maximum and minimum must return a particular zero, nor for NaN.
inline StageFunction find_limit(OperatorId op, Lane number) {
  const float limit = hn::GetLane(from_bits<V>(number));
  if (!(limit < 0.0f || limit > 0.0f)) return nullptr;
  if (op == "max"_op) return erased<V>(light<V, at_least>);
  return op == "min"_op ? erased<V>(light<V, at_most>) : nullptr;
}

// ---- two operators as one ------------------------------------------------------------------------------------------

HWY_INLINE V inverse_root(V x, const Stage&) { return reciprocal_square_root(x); }

struct PairRow {
  OperatorId first, second;
  StageOf<V>* function;
};
inline constexpr PairRow pair_rows[] = {
    {"sqrt"_op, "reciprocal"_op, light<V, inverse_root>},
};
inline StageFunction find_pair(StageFunction first, OperatorId second) {
  for (const PairRow& row : pair_rows)
    if (row.second.index == second.index && find_function(unary_rows, row.first) == first)
      return erased<V>(row.function);
  return nullptr;
}

// ---- the table ----------------------------------------------------------------------------------------------------

inline StageTable table() {
  StageTable table = stage_table<V, Accesses, storage_rows, unary_rows, binary_rows>(DataType::float32);
  table.power = find_power;
  table.limit = find_limit;
  table.pair = find_pair;
  table.streams = [](DataType type) { return type == DataType::float32 || type == DataType::float16; };
  return table;
}

}  // namespace float_stages
}  // namespace webnn::runtime::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
