// The steps of elementwise evaluation (step.hpp) on float32, for one instruction set.
#include <hwy/highway.h>

#include "runtime/cpu/simd/elementwise_math.inl.hpp"
#include "runtime/cpu/simd/step.hpp"

HWY_BEFORE_NAMESPACE();
namespace webnn::runtime::simd::HWY_NAMESPACE {

using schema::DataType;
using schema::OperatorId;
using schema::operator""_op;

using Registers = void(const Step*, std::size_t, V, V, V, V, V, V, V, V);
inline constexpr std::size_t vectors_per_block = 8;

/// Hands the block at element `i` on to the next step.
HWY_INLINE void go_on(const Step* step, std::size_t i, V v0, V v1, V v2, V v3, V v4, V v5, V v6, V v7) {
  reinterpret_cast<Registers*>(step[1].function)(step + 1, i, v0, v1, v2, v3, v4, v5, v6, v7);
}
HWY_INLINE StepFunction erased(Registers* function) { return reinterpret_cast<StepFunction>(function); }

// ---- operands
// --------------------------------------------------------------------------------------------------------

/// Vector k of the block at element i.
HWY_INLINE std::size_t place(std::size_t i, std::size_t k) { return i + k * hn::Lanes(Float()); }

using Half16 = hn::Rebind<hwy::float16_t, Float>;
HWY_INLINE V load_float32(const void* from, std::size_t i) {
  return hn::LoadU(Float(), static_cast<const float*>(from) + i);
}
HWY_INLINE V load_float16(const void* from, std::size_t i) {
  return hn::PromoteTo(Float(), hn::LoadU(Half16(), static_cast<const hwy::float16_t*>(from) + i));
}
template <typename T>
HWY_INLINE V load_integer(const void* from, std::size_t i) {
  const hn::Rebind<T, Float> d;
  return hn::ConvertTo(Float(), hn::PromoteTo(Int(), hn::LoadU(d, static_cast<const T*>(from) + i)));
}
HWY_INLINE V load_int32(const void* from, std::size_t i) {
  return hn::ConvertTo(Float(), hn::LoadU(Int(), static_cast<const std::int32_t*>(from) + i));
}

HWY_INLINE void store_float32(V v, void* to, std::size_t i) { hn::StoreU(v, Float(), static_cast<float*>(to) + i); }
HWY_INLINE void store_float16(V v, void* to, std::size_t i) {
  hn::StoreU(hn::DemoteTo(Half16(), v), Half16(), static_cast<hwy::float16_t*>(to) + i);
}
/// Truncates and saturates; NaN gives 0.
template <typename T>
HWY_INLINE void store_integer(V v, void* to, std::size_t i) {
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

template <V (*load)(const void*, std::size_t)>
void load_step(const Step* step, std::size_t i, V, V, V, V, V, V, V, V) {
  const void* from = step->operand;
  go_on(step, i, load(from, i), load(from, place(i, 1)), load(from, place(i, 2)), load(from, place(i, 3)),
        load(from, place(i, 4)), load(from, place(i, 5)), load(from, place(i, 6)), load(from, place(i, 7)));
}
inline void load_scalar_step(const Step* step, std::size_t i, V, V, V, V, V, V, V, V) {
  const V v = set(step->alpha);
  go_on(step, i, v, v, v, v, v, v, v, v);
}
/// The last step.
template <void (*store)(V, void*, std::size_t)>
void store_step(const Step* step, std::size_t i, V v0, V v1, V v2, V v3, V v4, V v5, V v6, V v7) {
  void* to = const_cast<void*>(step->operand);
  store(v0, to, i);
  store(v1, to, place(i, 1));
  store(v2, to, place(i, 2));
  store(v3, to, place(i, 3));
  store(v4, to, place(i, 4));
  store(v5, to, place(i, 5));
  store(v6, to, place(i, 6));
  store(v7, to, place(i, 7));
}

template <typename T, V (*load)(const void*, std::size_t)>
void convert(const void* from, float* to, std::size_t count) {
  const std::size_t lanes = hn::Lanes(Float());
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) store_float32(load(from, i), to, i);
  if (i == count) return;
  T rest[hn::MaxLanes(Float())] = {};
  for (std::size_t k = i; k < count; ++k) rest[k - i] = static_cast<const T*>(from)[k];
  HWY_ALIGN float converted[hn::MaxLanes(Float())];
  store_float32(load(rest, 0), converted, 0);
  for (std::size_t k = i; k < count; ++k) to[k] = converted[k - i];
}

inline void repeat(float value, float* to, std::size_t count) {
  const V v = set(value);
  const std::size_t lanes = hn::Lanes(Float());
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) store_float32(v, to, i);
  for (; i < count; ++i) to[i] = value;
}

// ---- operators of one operand
// ----------------------------------------------------------------------------------------

/// For operators of a few instructions.
template <V (*f)(V, const Step&)>
void light(const Step* step, std::size_t i, V v0, V v1, V v2, V v3, V v4, V v5, V v6, V v7) {
  const Step& s = *step;
  go_on(step, i, f(v0, s), f(v1, s), f(v2, s), f(v3, s), f(v4, s), f(v5, s), f(v6, s), f(v7, s));
}

/// For long ones: a loop over the block, so that their code exists once and has all registers.
template <V (*f)(V)>
void heavy(const Step* step, std::size_t i, V v0, V v1, V v2, V v3, V v4, V v5, V v6, V v7) {
  V v[vectors_per_block] = {v0, v1, v2, v3, v4, v5, v6, v7};
#pragma GCC unroll 1
  for (std::size_t k = 0; k < vectors_per_block; ++k) v[k] = f(v[k]);
  go_on(step, i, v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]);
}

HWY_INLINE V absolute(V x, const Step&) { return hn::Abs(x); }
HWY_INLINE V ceiling(V x, const Step&) { return hn::Ceil(x); }
HWY_INLINE V limited(V x, const Step& s) { return clamp(x, set(s.alpha), set(s.beta)); }
HWY_INLINE V floor(V x, const Step&) { return hn::Floor(x); }
HWY_INLINE V hard_sigmoid(V x, const Step& s) {
  return clamp(hn::MulAdd(x, set(s.alpha), set(s.beta)), set(0.0f), set(1.0f));
}
HWY_INLINE V hard_swish(V x, const Step&) {
  return hn::Mul(x, hn::Mul(clamp(hn::Add(x, set(3.0f)), set(0.0f), set(6.0f)), set(1.0f / 6)));
}
HWY_INLINE V leaky_relu(V x, const Step& s) {
  return hn::IfThenElse(hn::Lt(x, set(0.0f)), hn::Mul(x, set(s.alpha)), x);
}
HWY_INLINE V linear(V x, const Step& s) { return hn::MulAdd(x, set(s.alpha), set(s.beta)); }
HWY_INLINE V negative(V x, const Step&) { return hn::Neg(x); }
HWY_INLINE V reciprocal(V x, const Step&) { return hn::Div(set(1.0f), x); }
HWY_INLINE V relu(V x, const Step&) { return hn::Max(set(0.0f), x); }
HWY_INLINE V round_even(V x, const Step&) { return hn::Round(x); }
HWY_INLINE V sign(V x, const Step&) {
  const V zero = set(0.0f), one = set(1.0f);
  return hn::IfThenElse(hn::Gt(x, zero), one, hn::IfThenElseZero(hn::Lt(x, zero), hn::Neg(one)));
}
HWY_INLINE V soft_sign(V x, const Step&) { return hn::Div(x, hn::Add(set(1.0f), hn::Abs(x))); }
HWY_INLINE V square_root(V x, const Step&) { return hn::Sqrt(x); }
HWY_INLINE V is_nan(V x, const Step&) { return hn::IfThenElseZero(hn::Ne(x, x), set(1.0f)); }
HWY_INLINE V is_infinite(V x, const Step&) { return hn::IfThenElseZero(hn::Eq(hn::Abs(x), infinity()), set(1.0f)); }

inline void elu(const Step* step, std::size_t i, V v0, V v1, V v2, V v3, V v4, V v5, V v6, V v7) {
  V v[vectors_per_block] = {v0, v1, v2, v3, v4, v5, v6, v7};
  const V alpha = set(step->alpha), zero = set(0.0f);
#pragma GCC unroll 1
  for (std::size_t k = 0; k < vectors_per_block; ++k)
    v[k] = hn::IfThenElse(hn::Lt(v[k], zero), hn::Mul(alpha, expm1_of_negative(v[k])), v[k]);
  go_on(step, i, v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]);
}

struct UnaryRow {
  OperatorId op;
  Registers* function;
};
inline constexpr UnaryRow unary_rows[] = {
    {"abs"_op, light<absolute>},
    {"ceil"_op, light<ceiling>},
    {"clamp"_op, light<limited>},
    {"cos"_op, heavy<cosine>},
    {"elu"_op, elu},
    {"erf"_op, heavy<error_function>},
    {"exp"_op, heavy<exponential>},
    {"floor"_op, light<floor>},
    {"gelu"_op, heavy<gaussian_error_linear_unit>},
    {"hardSigmoid"_op, light<hard_sigmoid>},
    {"hardSwish"_op, light<hard_swish>},
    {"isInfinite"_op, light<is_infinite>},
    {"isNaN"_op, light<is_nan>},
    {"leakyRelu"_op, light<leaky_relu>},
    {"linear"_op, light<linear>},
    {"log"_op, heavy<logarithm>},
    {"neg"_op, light<negative>},
    {"reciprocal"_op, light<reciprocal>},
    {"relu"_op, light<relu>},
    {"roundEven"_op, light<round_even>},
    {"sigmoid"_op, heavy<logistic>},
    {"sign"_op, light<sign>},
    {"sin"_op, heavy<sine>},
    {"softplus"_op, heavy<soft_plus>},
    {"softsign"_op, light<soft_sign>},
    {"sqrt"_op, light<square_root>},
    {"tan"_op, heavy<tangent>},
    {"tanh"_op, heavy<hyperbolic_tangent>},
};

// ---- operators of two operands
// ---------------------------------------------------------------------------------------

template <V (*f)(V, V), bool swapped>
HWY_INLINE V apply(V running, V other) {
  return swapped ? f(other, running) : f(running, other);
}

template <V (*f)(V, V), bool swapped>
void with_scalar(const Step* step, std::size_t i, V v0, V v1, V v2, V v3, V v4, V v5, V v6, V v7) {
  const V other = set(step->alpha);
  const auto g = apply<f, swapped>;
  go_on(step, i, g(v0, other), g(v1, other), g(v2, other), g(v3, other), g(v4, other), g(v5, other), g(v6, other),
        g(v7, other));
}

template <V (*f)(V, V), bool swapped>
void with_stream(const Step* step, std::size_t i, V v0, V v1, V v2, V v3, V v4, V v5, V v6, V v7) {
  const auto g = apply<f, swapped>;
  const auto at = [step, i](std::size_t k) HWY_ATTR { return load_float32(step->operand, place(i, k)); };
  go_on(step, i, g(v0, at(0)), g(v1, at(1)), g(v2, at(2)), g(v3, at(3)), g(v4, at(4)), g(v5, at(5)), g(v6, at(6)),
        g(v7, at(7)));
}

template <bool swapped, Access access>
void power_step(const Step* step, std::size_t i, V v0, V v1, V v2, V v3, V v4, V v5, V v6, V v7) {
  V v[vectors_per_block] = {v0, v1, v2, v3, v4, v5, v6, v7};
#pragma GCC unroll 1
  for (std::size_t k = 0; k < vectors_per_block; ++k) {
    const V other = access == Access::scalar ? set(step->alpha) : load_float32(step->operand, place(i, k));
    v[k] = apply<power, swapped>(v[k], other);
  }
  go_on(step, i, v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]);
}

HWY_INLINE V sum(V a, V b) { return hn::Add(a, b); }
HWY_INLINE V difference(V a, V b) { return hn::Sub(a, b); }
HWY_INLINE V product(V a, V b) { return hn::Mul(a, b); }
HWY_INLINE V quotient(V a, V b) { return hn::Div(a, b); }
HWY_INLINE V maximum(V a, V b) { return hn::IfThenElse(hn::Eq(a, a), hn::Max(a, b), a); }  // a NaN of either wins
HWY_INLINE V minimum(V a, V b) { return hn::IfThenElse(hn::Eq(a, a), hn::Min(a, b), a); }
HWY_INLINE V prelu(V a, V b) { return hn::IfThenElse(hn::Lt(a, set(0.0f)), hn::Mul(a, b), a); }
HWY_INLINE V truth(hn::Mask<Float> mask) { return hn::IfThenElseZero(mask, set(1.0f)); }
HWY_INLINE V equal(V a, V b) { return truth(hn::Eq(a, b)); }
HWY_INLINE V not_equal(V a, V b) { return truth(hn::Ne(a, b)); }
HWY_INLINE V greater(V a, V b) { return truth(hn::Gt(a, b)); }
HWY_INLINE V greater_or_equal(V a, V b) { return truth(hn::Ge(a, b)); }
HWY_INLINE V lesser(V a, V b) { return truth(hn::Lt(a, b)); }
HWY_INLINE V lesser_or_equal(V a, V b) { return truth(hn::Le(a, b)); }

struct BinaryRow {
  OperatorId op;
  Registers* functions[2][2];  // [swapped][access]
};
template <V (*f)(V, V)>
constexpr BinaryRow binary_row(OperatorId op) {
  return {op, {{with_scalar<f, false>, with_stream<f, false>}, {with_scalar<f, true>, with_stream<f, true>}}};
}
inline constexpr BinaryRow binary_rows[] = {
    binary_row<sum>("add"_op),
    binary_row<difference>("sub"_op),
    binary_row<product>("mul"_op),
    binary_row<quotient>("div"_op),
    binary_row<maximum>("max"_op),
    binary_row<minimum>("min"_op),
    {"pow"_op,
     {{power_step<false, Access::scalar>, power_step<false, Access::stream>},
      {power_step<true, Access::scalar>, power_step<true, Access::stream>}}},
    binary_row<prelu>("prelu"_op),
    binary_row<equal>("equal"_op),
    binary_row<not_equal>("notEqual"_op),
    binary_row<greater>("greater"_op),
    binary_row<greater_or_equal>("greaterOrEqual"_op),
    binary_row<lesser>("lesser"_op),
    binary_row<lesser_or_equal>("lesserOrEqual"_op),
};

/// The running value is the condition: where it is not 0, the second operand, else the third. Moves bits only.
template <Access when_true, Access when_false>
void where_step(const Step* step, std::size_t i, V v0, V v1, V v2, V v3, V v4, V v5, V v6, V v7) {
  const auto choose = [step, i](V condition, std::size_t k) HWY_ATTR {
    const V a = when_true == Access::scalar ? set(step->alpha) : load_float32(step->operand, place(i, k));
    const V b = when_false == Access::scalar ? set(step->beta) : load_float32(step->second, place(i, k));
    return hn::IfThenElse(hn::Ne(condition, set(0.0f)), a, b);
  };
  go_on(step, i, choose(v0, 0), choose(v1, 1), choose(v2, 2), choose(v3, 3), choose(v4, 4), choose(v5, 5),
        choose(v6, 6), choose(v7, 7));
}

// ---- the table
// -------------------------------------------------------------------------------------------------------

inline void run_steps(const Step* steps, std::size_t count) {
  Registers* const first = reinterpret_cast<Registers*>(steps->function);
  const V v = hn::Zero(Float());
  for (std::size_t i = 0; i < count; i += vectors_per_block * hn::Lanes(Float()))
    first(steps, i, v, v, v, v, v, v, v, v);
}

inline StepFunction find_unary(OperatorId op) {
  for (const UnaryRow& row : unary_rows)
    if (row.op.index == op.index) return erased(row.function);
  return nullptr;
}
inline StepFunction find_binary(OperatorId op, Access other, bool swapped) {
  for (const BinaryRow& row : binary_rows)
    if (row.op.index == op.index) return erased(row.functions[swapped][std::size_t(other)]);
  return nullptr;
}
inline StepFunction find_where(Access when_true, Access when_false) {
  constexpr Registers* functions[2][2] = {
      {where_step<Access::scalar, Access::scalar>, where_step<Access::scalar, Access::stream>},
      {where_step<Access::stream, Access::scalar>, where_step<Access::stream, Access::stream>}};
  return erased(functions[std::size_t(when_true)][std::size_t(when_false)]);
}

/// Everything that depends on how elements are stored.
struct StorageRow {
  DataType type;
  Registers* load;
  Registers* store;
  void (*convert)(const void* from, float* to, std::size_t count);
};
inline constexpr StorageRow storage_rows[] = {
    {DataType::float32, load_step<load_float32>, store_step<store_float32>, convert<float, load_float32>},
    {DataType::float16, load_step<load_float16>, store_step<store_float16>, convert<hwy::float16_t, load_float16>},
    {DataType::int32, load_step<load_int32>, store_step<store_int32>, convert<std::int32_t, load_int32>},
    {DataType::int8, load_step<load_integer<std::int8_t>>, store_step<store_integer<std::int8_t>>,
     convert<std::int8_t, load_integer<std::int8_t>>},
    {DataType::uint8, load_step<load_integer<std::uint8_t>>, store_step<store_integer<std::uint8_t>>,
     convert<std::uint8_t, load_integer<std::uint8_t>>},
};
inline const StorageRow* find_storage(DataType type) {
  for (const StorageRow& row : storage_rows)
    if (row.type == type) return &row;
  return nullptr;
}
inline StepFunction find_load(DataType type) {
  const StorageRow* row = find_storage(type);
  return row ? erased(row->load) : nullptr;
}
inline StepFunction find_load_scalar() { return erased(load_scalar_step); }
inline StepFunction find_store(DataType type) {
  const StorageRow* row = find_storage(type);
  return row ? erased(row->store) : nullptr;
}
inline auto find_converter(DataType type) -> void (*)(const void*, float*, std::size_t) {
  const StorageRow* row = find_storage(type);
  return row ? row->convert : nullptr;
}

inline StepTable step_table() {
  return {vectors_per_block * hn::Lanes(Float()),
          run_steps,
          find_load,
          find_load_scalar,
          find_store,
          find_unary,
          find_binary,
          find_where,
          find_converter,
          repeat};
}

}  // namespace webnn::runtime::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
