// Sums of quantised tensors, for one instruction set; included by quantized_add.cpp.
#include <cstddef>
#include <cstdint>
#include <hwy/highway.h>

#include "runtime/cpu/simd/quantized/quantized_add.hpp"

HWY_BEFORE_NAMESPACE();
namespace webnn::runtime::simd::HWY_NAMESPACE {
namespace quantized {

namespace hn = hwy::HWY_NAMESPACE;

using Bytes = hn::ScalableTag<std::uint8_t>;
using Words = hn::Repartition<std::uint32_t, Bytes>;
using Float = hn::Repartition<float, Bytes>;

/// Element `k` of each group of four bytes, as floats.
template <int k>
HWY_INLINE hn::Vec<Float> every_fourth(hn::Vec<Words> bytes) {
  const Words d;
  const auto shifted = hn::ShiftRight<8 * k>(bytes);
  const auto element = k == 3 ? shifted : hn::And(shifted, hn::Set(d, 0xffu));
  return hn::ConvertTo(Float(), hn::BitCast(hn::RebindToSigned<Words>(), element));
}

/// The results for element `k` of each group of four, in the lowest byte: adding 1.5 * 2^23 leaves the nearest integer
/// in the lowest bits of the float.
template <int k>
HWY_INLINE hn::Vec<Words> sum_every_fourth(const QuantizedSum& sum, hn::Vec<Words> a, hn::Vec<Words> b) {
  const Float d;
  const auto value = hn::MulAdd(every_fourth<k>(a), hn::Set(d, sum.of_a),
                                hn::MulAdd(every_fourth<k>(b), hn::Set(d, sum.of_b), hn::Set(d, sum.offset)));
  const auto inside = hn::Min(hn::Max(value, hn::Zero(d)), hn::Set(d, 255.0f));
  return hn::BitCast(Words(), hn::Add(inside, hn::Set(d, 12'582'912.0f)));
}

HWY_INLINE void add_vector(const QuantizedSum& sum, const std::uint8_t* a, const std::uint8_t* b, std::uint8_t* to) {
  const Bytes d;
  const Words words;
  const auto first = hn::BitCast(words, hn::Xor(hn::LoadU(d, a), hn::Set(d, sum.flip_a)));
  const auto second = hn::BitCast(words, hn::Xor(hn::LoadU(d, b), hn::Set(d, sum.flip_b)));
  const auto low =
      hn::Or(sum_every_fourth<0>(sum, first, second), hn::ShiftLeft<8>(sum_every_fourth<1>(sum, first, second)));
  const auto high = hn::Or(hn::ShiftLeft<16>(sum_every_fourth<2>(sum, first, second)),
                           hn::ShiftLeft<24>(sum_every_fourth<3>(sum, first, second)));
  const auto result = hn::BitCast(d, hn::Or(hn::And(low, hn::Set(words, 0xffffu)), high));
  hn::StoreU(hn::Xor(result, hn::Set(d, sum.flip_result)), d, to);
}

inline void add(const QuantizedSum& sum, const std::uint8_t* a, const std::uint8_t* b, std::uint8_t* to,
                std::size_t count) {
  const std::size_t lanes = hn::Lanes(Bytes());
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) add_vector(sum, a + i, b + i, to + i);
  if (i == count) return;
  std::uint8_t last_a[64] = {}, last_b[64] = {}, last[64];
  for (std::size_t k = i; k < count; ++k) {
    last_a[(k - i) & 63] = a[k];
    last_b[(k - i) & 63] = b[k];
  }
  add_vector(sum, last_a, last_b, last);
  for (std::size_t k = i; k < count; ++k) to[k] = last[(k - i) & 63];
}

}  // namespace quantized
}  // namespace webnn::runtime::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
