// Loads and stores of float32 vectors, whole and partial, in memory of float32 or float16; for one instruction set.
// Included by vector code after elementwise_math.inl.hpp.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <hwy/highway.h>

#include "schema/elements/half.hpp"

HWY_BEFORE_NAMESPACE();
namespace webnn::runtime::simd::HWY_NAMESPACE {

using StoredHalf = hn::Rebind<hwy::float16_t, Float>;
/// Vectors of at most 8 floats. Zen 4 converts float16 to 8 floats as fast as it loads, but 16 at once several times more
/// slowly, which matters where a number is used only a few times.
using Float8 = hn::CappedTag<float, 8>;

HWY_INLINE std::size_t lanes() { return hn::Lanes(Float()); }

template <class D>
HWY_INLINE hn::Vec<D> load(D d, const float* p) {
  return hn::LoadU(d, p);
}
template <class D>
HWY_INLINE hn::Vec<D> load(D d, const schema::Half* p) {
  const hn::Rebind<hwy::float16_t, D> stored;
  return hn::PromoteTo(d, hn::LoadU(stored, reinterpret_cast<const hwy::float16_t*>(p)));
}
HWY_INLINE V load(const float* p) { return load(Float(), p); }
HWY_INLINE V load(const schema::Half* p) { return load(Float(), p); }
HWY_INLINE void store(V v, float* p) { hn::StoreU(v, Float(), p); }
HWY_INLINE void store(V v, schema::Half* p) {
  hn::StoreU(hn::DemoteTo(StoredHalf(), v), StoredHalf(), reinterpret_cast<hwy::float16_t*>(p));
}

/// The first `count` (less than lanes()) elements, followed by the lanes of `others`.
HWY_INLINE V load_first(const float* p, std::size_t count, V others) { return load_first(Float(), p, count, others); }
HWY_INLINE V load_first(const schema::Half* p, std::size_t count, V others) {
  alignas(64) std::uint16_t bits[16] = {};
  const auto* from = reinterpret_cast<const std::uint16_t*>(p);
  for (std::size_t i = 0; i < (count & 15); ++i) bits[i] = from[i];  // the mask gives the compiler a bound
  const V all = hn::PromoteTo(Float(), hn::Load(StoredHalf(), reinterpret_cast<const hwy::float16_t*>(bits)));
  return hn::IfThenElse(hn::FirstN(Float(), count), all, others);
}
HWY_INLINE void store_first(V v, float* p, std::size_t count) { store_first(v, Float(), p, count); }
HWY_INLINE void store_first(V v, schema::Half* p, std::size_t count) {
  alignas(64) std::uint16_t bits[16];
  hn::Store(hn::DemoteTo(StoredHalf(), v), StoredHalf(), reinterpret_cast<hwy::float16_t*>(bits));
  auto* to = reinterpret_cast<std::uint16_t*>(p);
  for (std::size_t i = 0; i < (count & 15); ++i) to[i] = bits[i];
}

/// One element in all lanes.
HWY_INLINE V load_same(const float* p) { return hn::Set(Float(), *p); }
HWY_INLINE V load_same(const schema::Half* p) {
  const auto bits = hn::Set(hn::Rebind<std::uint16_t, Float>(), *reinterpret_cast<const std::uint16_t*>(p));
  return hn::PromoteTo(Float(), hn::BitCast(StoredHalf(), bits));
}

/// Two elements in the even and the odd lanes.
HWY_INLINE V load_pair(const float* p) {
  const hn::Repartition<std::uint64_t, Float> pairs;
  std::uint64_t pair;
  std::memcpy(&pair, p, sizeof pair);
  return hn::BitCast(Float(), hn::Set(pairs, pair));
}

/// Stores the first lane.
HWY_INLINE void store_one(V v, float* p) { *p = hn::GetLane(v); }
HWY_INLINE void store_one(V v, schema::Half* p) { store_first(v, p, 1); }

/// to[i] = from[i], rounded if `To` is float16.
template <class From, class To>
void convert_elements(const From* from, std::size_t count, To* to) {
  std::size_t i = 0;
  for (; i + lanes() <= count; i += lanes()) store(load(from + i), to + i);
  if (i < count) store_first(load_first(from + i, count - i, hn::Zero(Float())), to + i, count - i);
}

}  // namespace webnn::runtime::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
