// The stages (stage.hpp) on float32, for one instruction set. Included after block.inl.hpp and elementwise_math.inl.hpp.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace webnn::runtime::simd::HWY_NAMESPACE {
namespace float_stages {

using V = FloatVector;

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
  const auto truncated = hn::ConvertTo(Int(), hn::Max(set(-2147483648.0f), number));
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

HWY_INLINE V absolute(V x, const Stage&) { return hn::Abs(x); }
HWY_INLINE V ceiling(V x, const Stage&) { return hn::Ceil(x); }
HWY_INLINE V limited(V x, const Stage& s) { return clamp(x, alpha(s), beta(s)); }
HWY_INLINE V floor(V x, const Stage&) { return hn::Floor(x); }
HWY_INLINE V hard_sigmoid(V x, const Stage& s) { return clamp(hn::MulAdd(x, alpha(s), beta(s)), set(0.0f), set(1.0f)); }
HWY_INLINE V hard_swish(V x, const Stage&) {
  return hn::Mul(x, hn::Mul(clamp(hn::Add(x, set(3.0f)), set(0.0f), set(6.0f)), set(1.0f / 6)));
}
HWY_INLINE V leaky_relu(V x, const Stage& s) { return hn::IfThenElse(hn::Lt(x, set(0.0f)), hn::Mul(x, alpha(s)), x); }
HWY_INLINE V linear(V x, const Stage& s) { return hn::MulAdd(x, alpha(s), beta(s)); }
HWY_INLINE V logical_not(V x, const Stage&) { return hn::IfThenElseZero(hn::Eq(x, set(0.0f)), set(1.0f)); }
HWY_INLINE V negative(V x, const Stage&) { return hn::Neg(x); }
HWY_INLINE V reciprocal(V x, const Stage&) { return hn::Div(set(1.0f), x); }
HWY_INLINE V relu(V x, const Stage&) { return hn::Max(set(0.0f), x); }
HWY_INLINE V round_even(V x, const Stage&) { return hn::Round(x); }
HWY_INLINE V sign(V x, const Stage&) {
  const V zero = set(0.0f), one = set(1.0f);
  return hn::IfThenElse(hn::Gt(x, zero), one, hn::IfThenElseZero(hn::Lt(x, zero), hn::Neg(one)));
}
HWY_INLINE V soft_sign(V x, const Stage&) { return hn::Div(x, hn::Add(set(1.0f), hn::Abs(x))); }
HWY_INLINE V square_root(V x, const Stage&) { return hn::Sqrt(x); }
HWY_INLINE V is_nan(V x, const Stage&) { return hn::IfThenElseZero(hn::IsNaN(x), set(1.0f)); }
HWY_INLINE V is_infinite(V x, const Stage&) { return hn::IfThenElseZero(hn::Eq(hn::Abs(x), infinity()), set(1.0f)); }
HWY_INLINE V elu(V x, const Stage& s) {
  return hn::IfThenElse(hn::Lt(x, set(0.0f)), hn::Mul(alpha(s), expm1_of_negative(x)), x);
}
HWY_INLINE V rounded_to_half(V x, const Stage&) { return hn::PromoteTo(Float(), hn::DemoteTo(Half16(), x)); }
HWY_INLINE V sigmoid_linear_unit(V x) { return hn::Mul(x, logistic(x)); }
template <V (*f)(V)>
HWY_INLINE V plain(V x, const Stage&) {
  return f(x);
}

inline constexpr UnaryRow<V> unary_rows[] = {
    {"abs"_op, light<V, absolute>},
    {"cast"_op, light<V, rounded_to_half>},
    {"ceil"_op, light<V, ceiling>},
    {"clamp"_op, light<V, limited>},
    {"cos"_op, heavy<V, plain<cosine>>},
    {"elu"_op, medium<V, elu>},
    {"erf"_op, medium<V, plain<error_function>>},
    {"exp"_op, medium<V, plain<exponential>>},
    {"floor"_op, light<V, floor>},
    {"gelu"_op, heavy<V, plain<gaussian_error_linear_unit>>},
    {"hardSigmoid"_op, light<V, hard_sigmoid>},
    {"hardSwish"_op, light<V, hard_swish>},
    {"isInfinite"_op, light<V, is_infinite>},
    {"isNaN"_op, light<V, is_nan>},
    {"leakyRelu"_op, light<V, leaky_relu>},
    {"linear"_op, light<V, linear>},
    {"log"_op, heavy<V, plain<logarithm>>},
    {"logicalNot"_op, light<V, logical_not>},
    {"neg"_op, light<V, negative>},
    {"reciprocal"_op, light<V, reciprocal>},
    {"relu"_op, light<V, relu>},
    {"roundEven"_op, light<V, round_even>},
    {"sigmoid"_op, medium<V, plain<logistic>>},
    {"sign"_op, light<V, sign>},
    {"@silu"_op, medium<V, plain<sigmoid_linear_unit>>},
    {"sin"_op, heavy<V, plain<sine>>},
    {"softplus"_op, heavy<V, plain<soft_plus>>},
    {"softsign"_op, light<V, soft_sign>},
    {"sqrt"_op, light<V, square_root>},
    {"tan"_op, heavy<V, plain<tangent>>},
    {"tanh"_op, medium<V, plain<hyperbolic_tangent>>},
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

HWY_INLINE V at_least(V x, const Stage& s) { return hn::Max(alpha(s), x); }  // a NaN in the second operand stays
HWY_INLINE V at_most(V x, const Stage& s) { return hn::Min(alpha(s), x); }

/// Not for 0, because maximum and minimum must return a particular zero, nor for NaN.
inline StageFunction find_limit(OperatorId op, Lane number) {
  const float limit = hn::GetLane(from_bits<V>(number));
  if (!(limit < 0.0f || limit > 0.0f)) return nullptr;
  if (op == "max"_op) return erased<V>(light<V, at_least>);
  return op == "min"_op ? erased<V>(light<V, at_most>) : nullptr;
}

// ---- two operators as one ------------------------------------------------------------------------------------------

struct PairRow {
  OperatorId first, second;
  StageOf<V>* function;
};
inline constexpr PairRow pair_rows[] = {
    {"sqrt"_op, "reciprocal"_op, light<V, plain<reciprocal_square_root>>},
};
inline StageFunction find_pair(StageFunction first, OperatorId second) {
  for (const PairRow& row : pair_rows)
    if (row.second.index == second.index && find_function(unary_rows, row.first) == first)
      return erased<V>(row.function);
  return nullptr;
}

// ---- operators of two operands ------------------------------------------------------------------------------------

HWY_INLINE V sum(V a, V b) { return hn::Add(a, b); }
HWY_INLINE V difference(V a, V b) { return hn::Sub(a, b); }
HWY_INLINE V product(V a, V b) { return hn::Mul(a, b); }
HWY_INLINE V quotient(V a, V b) { return hn::Div(a, b); }
HWY_INLINE V maximum(V a, V b) { return hn::IfThenElse(hn::Eq(a, a), hn::Max(a, b), a); }  // NaN if either operand is
HWY_INLINE V minimum(V a, V b) { return hn::IfThenElse(hn::Eq(a, a), hn::Min(a, b), a); }
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

template <V (*f)(V, V)>
constexpr BinaryRow<V> light_row(OperatorId op) {
  using enum Access;
  return {op,
          {{light_binary<V, f, false, scalar>, light_binary<V, f, false, stream>,
            light_binary<V, f, false, half_stream>, light_binary<V, f, false, saved>},
           {light_binary<V, f, true, scalar>, light_binary<V, f, true, stream>, light_binary<V, f, true, half_stream>,
            light_binary<V, f, true, saved>}}};
}
template <V (*f)(V, V)>
constexpr BinaryRow<V> heavy_row(OperatorId op) {
  using enum Access;
  return {op,
          {{heavy_binary<V, f, false, scalar>, heavy_binary<V, f, false, stream>,
            heavy_binary<V, f, false, half_stream>, heavy_binary<V, f, false, saved>},
           {heavy_binary<V, f, true, scalar>, heavy_binary<V, f, true, stream>, heavy_binary<V, f, true, half_stream>,
            heavy_binary<V, f, true, saved>}}};
}
inline constexpr BinaryRow<V> binary_rows[] = {
    light_row<sum>("add"_op),
    light_row<difference>("sub"_op),
    light_row<product>("mul"_op),
    light_row<quotient>("div"_op),
    light_row<maximum>("max"_op),
    light_row<minimum>("min"_op),
    heavy_row<power>("pow"_op),
    light_row<prelu>("prelu"_op),
    light_row<equal>("equal"_op),
    light_row<not_equal>("notEqual"_op),
    light_row<greater>("greater"_op),
    light_row<greater_or_equal>("greaterOrEqual"_op),
    light_row<lesser>("lesser"_op),
    light_row<lesser_or_equal>("lesserOrEqual"_op),
    light_row<logical_and>("logicalAnd"_op),
    light_row<logical_or>("logicalOr"_op),
    light_row<logical_xor>("logicalXor"_op),
};

// ---- the table ----------------------------------------------------------------------------------------------------

template <Access when_true>
inline StageOf<V>* where_stage_to(Access when_false) {
  using enum Access;
  constexpr StageOf<V>* functions[access_count] = {where_stage<V, when_true, scalar>, where_stage<V, when_true, stream>,
                                                   where_stage<V, when_true, half_stream>,
                                                   where_stage<V, when_true, saved>};
  return functions[std::size_t(when_false)];
}
inline StageFunction find_where(Access when_true, Access when_false) {
  using enum Access;
  constexpr StageOf<V>* (*rows[access_count])(Access) = {where_stage_to<scalar>, where_stage_to<stream>,
                                                         where_stage_to<half_stream>, where_stage_to<saved>};
  return erased<V>(rows[std::size_t(when_true)](when_false));
}

inline StageTable table() {
  StageTable table = stage_table<V, storage_rows, unary_rows, binary_rows>(DataType::float32);
  table.power = find_power;
  table.limit = find_limit;
  table.pair = find_pair;
  table.where = find_where;
  table.streams = [](DataType type) { return type == DataType::float32 || type == DataType::float16; };
  return table;
}

}  // namespace float_stages
}  // namespace webnn::runtime::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
