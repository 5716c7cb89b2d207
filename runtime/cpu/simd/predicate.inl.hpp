// isNaN and isInfinite of float32, for one instruction set; included by predicate.cpp.
#include <cstddef>
#include <cstdint>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace webnn::runtime::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// y[i] = x[i] is NaN (`infinite`: an infinity). Looks at the magnitude's bits alone: NaNs lie above the infinity.
inline void predicate(const float* x, std::uint8_t* y, std::size_t count, bool infinite) {
  const hn::ScalableTag<float> d;
  const hn::RebindToSigned<decltype(d)> di;
  const hn::Rebind<std::uint8_t, decltype(d)> d8;
  const std::size_t lanes = hn::Lanes(d);
  const auto infinity = hn::Set(di, 0x7f800000), magnitude = hn::Set(di, 0x7fffffff), one = hn::Set(di, 1);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto bits = hn::And(hn::BitCast(di, hn::LoadU(d, x + i)), magnitude);
    const auto yes = infinite ? hn::Eq(bits, infinity) : hn::Gt(bits, infinity);
    hn::StoreU(hn::DemoteTo(d8, hn::IfThenElseZero(yes, one)), d8, y + i);
  }
  for (; i < count; ++i) {
    const float value = x[i];
    y[i] = infinite ? value - value != 0 && value == value : value != value;
  }
}

}  // namespace webnn::runtime::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
