// Code shared by the stages (stage.hpp) of every kind of lanes, for one instruction set: passing a block on, loading,
// storing, and applying a vector function to it. V is the vector type: float32 or 32-bit integers.
#include <array>
#include <hwy/cache_control.h>
#include <hwy/highway.h>
#include <utility>

#include "runtime/cpu/simd/elementwise/stage.hpp"

HWY_BEFORE_NAMESPACE();
namespace webnn::runtime::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using schema::DataType;
using schema::OperatorId;
using schema::operator""_op;

using Float = hn::ScalableTag<float>;
using Int = hn::ScalableTag<std::int32_t>;
using FloatVector = hn::Vec<Float>;
using IntVector = hn::Vec<Int>;

template <class V>
using StageOf = void(const Stage*, std::size_t, V, V, V, V, V, V, V, V);
inline constexpr std::size_t vectors_per_block = 8;
inline constexpr std::size_t block_size = vectors_per_block * hn::MaxLanes(Float());

template <class V>
HWY_INLINE StageFunction erased(StageOf<V>* function) {
  return reinterpret_cast<StageFunction>(function);
}

/// Passes the block at element `i` on to the next stage.
template <class V>
HWY_INLINE void go_on(const Stage* stage, std::size_t i, V v0, V v1, V v2, V v3, V v4, V v5, V v6, V v7) {
  reinterpret_cast<StageOf<V>*>(stage[1].function)(stage + 1, i, v0, v1, v2, v3, v4, v5, v6, v7);
}

/// The index of the first element of vector k of the block at element i.
HWY_INLINE std::size_t place(std::size_t i, std::size_t k) { return i + k * hn::Lanes(Float()); }

// ---- lanes --------------------------------------------------------------------------------------------------------

template <class V>
HWY_INLINE V from_bits(Lane bits) {
  return hn::BitCast(hn::DFromV<V>(), hn::Set(Int(), std::int32_t(bits)));
}
HWY_INLINE FloatVector load_float32(const void* from, std::size_t i) {
  return hn::LoadU(Float(), static_cast<const float*>(from) + i);
}
HWY_INLINE IntVector load_int32(const void* from, std::size_t i) {
  return hn::LoadU(Int(), static_cast<const std::int32_t*>(from) + i);
}
/// From int8 or uint8.
template <typename T>
HWY_INLINE IntVector load_byte(const void* from, std::size_t i) {
  const hn::Rebind<T, Int> d;
  return hn::PromoteTo(Int(), hn::LoadU(d, static_cast<const T*>(from) + i));
}

/// Prefetches what will be loaded soon: while a long stage runs, the processor does not see the next loads in time.
template <typename T>
HWY_INLINE void prefetch(const void* stream, std::size_t i) {
  constexpr std::size_t line = 64, ahead = 4096;
  const char* next = static_cast<const char*>(stream) + i * sizeof(T) + ahead;
#pragma GCC unroll 8
  for (std::size_t at = 0; at < block_size * sizeof(T); at += line) hwy::Prefetch(next + at);
}

/// Another operand of a stage: vector k of the block at element i.
template <class V, Access access>
HWY_INLINE V other_operand(const void* stream, Lane scalar, std::size_t i, std::size_t k) {
  if constexpr (access == Access::scalar) {
    return from_bits<V>(scalar);
  } else if constexpr (access == Access::stream) {
    return hn::BitCast(hn::DFromV<V>(), load_int32(stream, place(i, k)));
  } else if constexpr (access == Access::saved) {
    return hn::BitCast(hn::DFromV<V>(), load_int32(stream, place(0, k)));
  } else {
    return hn::PromoteTo(hn::DFromV<V>(), hn::LoadU(hn::Rebind<hwy::float16_t, hn::DFromV<V>>(),
                                                    static_cast<const hwy::float16_t*>(stream) + place(i, k)));
  }
}

template <typename T, class V, V (*load)(const void*, std::size_t)>
void load_stage(const Stage* stage, std::size_t i, V, V, V, V, V, V, V, V) {
  const void* from = stage->operand;
  prefetch<T>(from, i);
  go_on(stage, i, load(from, i), load(from, place(i, 1)), load(from, place(i, 2)), load(from, place(i, 3)),
        load(from, place(i, 4)), load(from, place(i, 5)), load(from, place(i, 6)), load(from, place(i, 7)));
}

template <class V>
void load_scalar_stage(const Stage* stage, std::size_t i, V, V, V, V, V, V, V, V) {
  const V v = from_bits<V>(stage->alpha);
  go_on(stage, i, v, v, v, v, v, v, v, v);
}

template <class V>
void save_stage(const Stage* stage, std::size_t i, V v0, V v1, V v2, V v3, V v4, V v5, V v6, V v7) {
  const hn::DFromV<V> d;
  auto* to = static_cast<hn::TFromD<decltype(d)>*>(const_cast<void*>(stage->operand));
  hn::Store(v0, d, to);
  hn::Store(v1, d, to + place(0, 1));
  hn::Store(v2, d, to + place(0, 2));
  hn::Store(v3, d, to + place(0, 3));
  hn::Store(v4, d, to + place(0, 4));
  hn::Store(v5, d, to + place(0, 5));
  hn::Store(v6, d, to + place(0, 6));
  hn::Store(v7, d, to + place(0, 7));
  go_on(stage, i, v0, v1, v2, v3, v4, v5, v6, v7);
}

template <class V>
void recall_stage(const Stage* stage, std::size_t i, V, V, V, V, V, V, V, V) {
  const auto g = [stage](std::size_t k) HWY_ATTR { return other_operand<V, Access::saved>(stage->operand, 0, 0, k); };
  go_on(stage, i, g(0), g(1), g(2), g(3), g(4), g(5), g(6), g(7));
}

/// The last stage.
template <class V, void (*store)(V, void*, std::size_t)>
void store_stage(const Stage* stage, std::size_t i, V v0, V v1, V v2, V v3, V v4, V v5, V v6, V v7) {
  void* to = const_cast<void*>(stage->operand);
  store(v0, to, i);
  store(v1, to, place(i, 1));
  store(v2, to, place(i, 2));
  store(v3, to, place(i, 3));
  store(v4, to, place(i, 4));
  store(v5, to, place(i, 5));
  store(v6, to, place(i, 6));
  store(v7, to, place(i, 7));
}

/// Loads elements of type T as lanes.
template <typename T, class V, V (*load)(const void*, std::size_t)>
void convert(const void* from, Lane* to, std::size_t count) {
  const hn::RebindToUnsigned<Int> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) hn::StoreU(hn::BitCast(d, load(from, i)), d, to + i);
  if (i == count) return;
  T rest[hn::MaxLanes(Int())] = {};
  for (std::size_t k = i; k < count; ++k) rest[k - i] = static_cast<const T*>(from)[k];
  HWY_ALIGN Lane converted[hn::MaxLanes(Int())];
  hn::Store(hn::BitCast(d, load(rest, 0)), d, converted);
  for (std::size_t k = i; k < count; ++k) to[k] = converted[k - i];
}

inline void repeat_lanes(const Lane* values, std::ptrdiff_t stride, std::size_t count, std::size_t run, Lane* to) {
  const hn::RebindToUnsigned<Int> d;
  for (; count > 0; --count, values += stride, to += run) {
    const auto v = hn::Set(d, *values);
    for (std::size_t i = 0; i < run; i += hn::Lanes(d)) hn::StoreU(v, d, to + i);
  }
}

template <class V>
void run_stages(const Stage* stages, std::size_t count) {
  StageOf<V>* const first = reinterpret_cast<StageOf<V>*>(stages->function);
  const V v = from_bits<V>(0);
  for (std::size_t i = 0; i < count; i += block_size) first(stages, i, v, v, v, v, v, v, v, v);
}

// ---- operators of one operand -------------------------------------------------------------------------------------

/// For operators of a few instructions.
template <class V, V (*f)(V, const Stage&)>
void light(const Stage* stage, std::size_t i, V v0, V v1, V v2, V v3, V v4, V v5, V v6, V v7) {
  const Stage& s = *stage;
  go_on(stage, i, f(v0, s), f(v1, s), f(v2, s), f(v3, s), f(v4, s), f(v5, s), f(v6, s), f(v7, s));
}

/// For long operators: a loop over the block, so that their code exists once and may use all registers.
template <class V, V (*f)(V, const Stage&)>
void heavy(const Stage* stage, std::size_t i, V v0, V v1, V v2, V v3, V v4, V v5, V v6, V v7) {
  V v[vectors_per_block] = {v0, v1, v2, v3, v4, v5, v6, v7};
  const Stage s = *stage;
#pragma GCC unroll 1
  for (std::size_t k = 0; k < vectors_per_block; ++k) v[k] = f(v[k], s);
  go_on(stage, i, v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]);
}

/// For operators in between: as light ones where there are enough registers for eight of them at once.
#if VECTOR_REGISTERS >= 32
template <class V, V (*f)(V, const Stage&)>
inline constexpr StageOf<V>* medium = light<V, f>;
#else
template <class V, V (*f)(V, const Stage&)>
inline constexpr StageOf<V>* medium = heavy<V, f>;
#endif

template <class V>
struct UnaryRow {
  OperatorId op;
  StageOf<V>* function;
};

template <class V, std::size_t count>
HWY_INLINE StageFunction find_function(const UnaryRow<V> (&rows)[count], OperatorId op) {
  for (const UnaryRow<V>& row : rows)
    if (row.op.index == op.index) return erased<V>(row.function);
  return nullptr;
}

// ---- operators of two operands ------------------------------------------------------------------------------------

template <Access access>
HWY_INLINE void prefetch_operand(const void* stream, std::size_t i) {
  if constexpr (access == Access::stream) prefetch<Lane>(stream, i);
  if constexpr (access == Access::half_stream) prefetch<hwy::float16_t>(stream, i);
}

template <class V, V (*f)(V, V), bool swapped>
HWY_INLINE V apply(V running, V other) {
  return swapped ? f(other, running) : f(running, other);
}

template <class V, V (*f)(V, V), bool is_heavy, bool swapped, Access access>
void binary_stage(const Stage* stage, std::size_t i, V v0, V v1, V v2, V v3, V v4, V v5, V v6, V v7) {
  prefetch_operand<access>(stage->operand, i);
  const auto g = [stage, i](V running, std::size_t k) HWY_ATTR {
    return apply<V, f, swapped>(running, other_operand<V, access>(stage->operand, stage->alpha, i, k));
  };
  if constexpr (is_heavy) {  // a loop, for the same reason as in `heavy`
    V v[vectors_per_block] = {v0, v1, v2, v3, v4, v5, v6, v7};
#pragma GCC unroll 1
    for (std::size_t k = 0; k < vectors_per_block; ++k) v[k] = g(v[k], k);
    go_on(stage, i, v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]);
  } else {
    go_on(stage, i, g(v0, 0), g(v1, 1), g(v2, 2), g(v3, 3), g(v4, 4), g(v5, 5), g(v6, 6), g(v7, 7));
  }
}

template <class V>
struct BinaryRow {
  OperatorId op;
  StageOf<V>* functions[2][access_count];  // [swapped][access]
};

template <class V, V (*f)(V, V), bool is_heavy, std::size_t... access>
constexpr BinaryRow<V> binary_row(OperatorId op, std::index_sequence<access...>) {
  return {op,
          {{binary_stage<V, f, is_heavy, false, Access(access)>...},
           {binary_stage<V, f, is_heavy, true, Access(access)>...}}};
}

template <class V, std::size_t count>
HWY_INLINE StageFunction find_function(const BinaryRow<V> (&rows)[count], OperatorId op, Access other, bool swapped) {
  for (const BinaryRow<V>& row : rows)
    if (row.op.index == op.index) return erased<V>(row.functions[swapped][std::size_t(other)]);
  return nullptr;
}

/// The running value is the condition: where its bits are not 0 the second operand, elsewhere the third.
template <class V, Access when_true, Access when_false>
void where_stage(const Stage* stage, std::size_t i, V v0, V v1, V v2, V v3, V v4, V v5, V v6, V v7) {
  prefetch_operand<when_true>(stage->operand, i);
  prefetch_operand<when_false>(stage->second, i);
  const auto choose = [stage, i](V condition, std::size_t k) HWY_ATTR {
    const auto zero = hn::Zero(hn::DFromV<V>());
    return hn::IfThenElse(hn::Eq(condition, zero), other_operand<V, when_false>(stage->second, stage->beta, i, k),
                          other_operand<V, when_true>(stage->operand, stage->alpha, i, k));
  };
  go_on(stage, i, choose(v0, 0), choose(v1, 1), choose(v2, 2), choose(v3, 3), choose(v4, 4), choose(v5, 5),
        choose(v6, 6), choose(v7, 7));
}

template <class V, Access when_true, std::size_t... when_false>
constexpr std::array<StageOf<V>*, sizeof...(when_false)> where_row(std::index_sequence<when_false...>) {
  return {where_stage<V, when_true, Access(when_false)>...};
}
template <class V, std::size_t... access>
StageFunction find_where(Access when_true, Access when_false, std::index_sequence<access...> accesses) {
  static constexpr std::array rows{where_row<V, Access(access)>(accesses)...};
  return erased<V>(rows[std::size_t(when_true)][std::size_t(when_false)]);
}

// ---- rows of elementwise.def --------------------------------------------------------------------------------------

// By the work of a function. V is the vector type, Accesses the ways to get an operand.
#define UNARY_ROW_none(...)
#define UNARY_ROW_light(symbol, name) {name##_op, light<V, symbol>},
#define UNARY_ROW_medium(symbol, name) {name##_op, medium<V, symbol>},
#define UNARY_ROW_heavy(symbol, name) {name##_op, heavy<V, symbol>},
#define UNARY_ROW_heaviest UNARY_ROW_heavy
#define BINARY_ROW_none(...)
#define BINARY_ROW_light(symbol, name) binary_row<V, symbol, false>(name##_op, Accesses()),
#define BINARY_ROW_medium BINARY_ROW_heavy
#define BINARY_ROW_heavy(symbol, name) binary_row<V, symbol, true>(name##_op, Accesses()),
#define BINARY_ROW_heaviest BINARY_ROW_heavy

// ---- storage ------------------------------------------------------------------------------------------------------

/// Everything that depends on the storage type of elements.
template <class V>
struct StorageRow {
  DataType type;
  StageOf<V>* load;
  StageOf<V>* store;
  void (*convert)(const void* from, Lane* to, std::size_t count);
};

template <class V, std::size_t count>
HWY_INLINE const StorageRow<V>& find_storage(const StorageRow<V> (&rows)[count], DataType type) {
  static constexpr StorageRow<V> none{};
  for (const StorageRow<V>& row : rows)
    if (row.type == type) return row;
  return none;
}

// ---- the table ----------------------------------------------------------------------------------------------------

/// Everything that is the same for all kinds of lanes; the template arguments are arrays of rows that name types and
/// operators.
template <class V, class Accesses, const auto& storage_rows, const auto& unary_rows, const auto& binary_rows>
HWY_INLINE StageTable stage_table(DataType lanes) {
  StageTable table{};
  table.lanes = lanes;
  table.block = block_size;
  table.run = run_stages<V>;
  table.load = [](DataType type) { return erased<V>(find_storage(storage_rows, type).load); };
  table.load_scalar = [] { return erased<V>(load_scalar_stage<V>); };
  table.save = [] { return erased<V>(save_stage<V>); };
  table.recall = [] { return erased<V>(recall_stage<V>); };
  table.store = [](DataType type) { return erased<V>(find_storage(storage_rows, type).store); };
  table.unary = [](OperatorId op) { return find_function(unary_rows, op); };
  table.binary = [](OperatorId op, Access other, bool swapped) {
    return find_function(binary_rows, op, other, swapped);
  };
  table.where = [](Access when_true, Access when_false) { return find_where<V>(when_true, when_false, Accesses()); };
  table.converter = [](DataType type) { return find_storage(storage_rows, type).convert; };
  table.repeat = repeat_lanes;
  return table;
}

}  // namespace webnn::runtime::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
