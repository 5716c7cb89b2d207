// Sums of quantised tensors, for one instruction set; included by quantized_add.cpp.
#include <cstddef>
#include <cstdint>
#include <hwy/highway.h>

#include "runtime/cpu/simd/quantized_add.hpp"

HWY_BEFORE_NAMESPACE();
namespace webnn::runtime::simd::HWY_NAMESPACE {
namespace quantized {

namespace hn = hwy::HWY_NAMESPACE;

using Float = hn::ScalableTag<float>;
using Int = hn::RebindToSigned<Float>;

template <typename T>
HWY_INLINE hn::Vec<Float> load(const T* from) {
  return hn::ConvertTo(Float(), hn::PromoteTo(Int(), hn::LoadU(hn::Rebind<T, Float>(), from)));
}

/// One vector. The sum is kept where the conversion to integers is exact.
template <typename A, typename B, typename To>
HWY_INLINE void add_vector(const QuantizedSum& sum, const A* a, const B* b, To* to) {
  const Float d;
  const auto far = hn::Set(d, 65536.0f);
  const auto value =
      hn::MulAdd(load(a), hn::Set(d, sum.of_a), hn::MulAdd(load(b), hn::Set(d, sum.of_b), hn::Set(d, sum.offset)));
  const auto whole = hn::NearestInt(hn::Min(hn::Max(value, hn::Neg(far)), far));
  const hn::Rebind<To, Float> narrow;
  hn::StoreU(hn::DemoteTo(narrow, whole), narrow, to);
}

template <typename A, typename B, typename To>
void add(const QuantizedSum& sum, const void* first, const void* second, void* result, std::size_t count) {
  const auto* a = static_cast<const A*>(first);
  const auto* b = static_cast<const B*>(second);
  auto* to = static_cast<To*>(result);
  const std::size_t lanes = hn::Lanes(Float());
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) add_vector(sum, a + i, b + i, to + i);
  if (i == count) return;
  A last_a[16] = {};
  B last_b[16] = {};
  To last[16];
  for (std::size_t k = i; k < count; ++k) {
    last_a[(k - i) & 15] = a[k];
    last_b[(k - i) & 15] = b[k];
  }
  add_vector(sum, last_a, last_b, last);
  for (std::size_t k = i; k < count; ++k) to[k] = last[(k - i) & 15];
}

using I8 = std::int8_t;
using U8 = std::uint8_t;
/// By whether a, b and the result are unsigned.
inline QuantizedAdd find_add(bool a, bool b, bool result) {
  constexpr QuantizedAdd functions[2][2][2] = {
      {{add<I8, I8, I8>, add<I8, I8, U8>}, {add<I8, U8, I8>, add<I8, U8, U8>}},
      {{add<U8, I8, I8>, add<U8, I8, U8>}, {add<U8, U8, I8>, add<U8, U8, U8>}}};
  return functions[a][b][result];
}

}  // namespace quantized
}  // namespace webnn::runtime::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
