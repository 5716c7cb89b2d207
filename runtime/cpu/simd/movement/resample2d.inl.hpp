// Linear interpolation of float32 rows, for one instruction set; included by resample2d.cpp. Elements with weight 0 are
// not read, so that a position exactly on a finite element stays finite next to an infinite one.
#include <cstddef>
#include <cstdint>
#include <hwy/highway.h>

// clang-format off
#include "runtime/cpu/simd/elementwise/elementwise_math.inl.hpp"
#include "runtime/cpu/simd/float_io.inl.hpp"
// clang-format on
#include "runtime/cpu/simd/movement/resample2d.hpp"

HWY_BEFORE_NAMESPACE();
namespace webnn::runtime::simd::HWY_NAMESPACE {

/// a * (1 - weight) + b * weight. Uses no difference of elements, because two infinities would give NaN.
HWY_INLINE V between(V a, V b, V weight) { return hn::MulAdd(b, weight, hn::Mul(a, hn::Sub(set(1.0f), weight))); }

inline void blend_two(const float* a, const float* b, float weight, float* y, std::size_t count) {
  const std::size_t n = lanes();
  const V w = set(weight), zero = hn::Zero(Float());
  std::size_t i = 0;
  for (; i + n <= count; i += n) store(between(load(a + i), load(b + i), w), y + i);
  if (i == count) return;
  store_first(between(load_first(a + i, count - i, zero), load_first(b + i, count - i, zero), w), y + i, count - i);
}

inline void blend_four(const float* const (&x)[4], float across, float down, float* y, std::size_t count) {
  const std::size_t n = lanes();
  const V w = set(across), v = set(down), zero = hn::Zero(Float());
  std::size_t i = 0;
  for (; i + n <= count; i += n)
    store(between(between(load(x[0] + i), load(x[1] + i), w), between(load(x[2] + i), load(x[3] + i), w), v), y + i);
  if (i == count) return;
  const std::size_t rest = count - i;
  const V top = between(load_first(x[0] + i, rest, zero), load_first(x[1] + i, rest, zero), w);
  const V bottom = between(load_first(x[2] + i, rest, zero), load_first(x[3] + i, rest, zero), w);
  store_first(between(top, bottom, v), y + i, rest);
}

/// One output row of `width` pixels of `channels` elements each. `top` and `bottom` are input rows, `down` is the
/// weight of `bottom`.
inline void resample_pixels(const float* top, const float* bottom, float down, const Sample* samples, std::size_t width,
                            std::size_t channels, float* y) {
  for (std::size_t i = 0; i < width; ++i, y += channels) {
    const Sample& s = samples[i];
    if (down == 0 && s.weight == 0) {
      __builtin_memcpy(y, top + s.low, channels * sizeof(float));
    } else if (down == 0) {
      blend_two(top + s.low, top + s.high, s.weight, y, channels);
    } else if (s.weight == 0) {
      blend_two(top + s.low, bottom + s.low, down, y, channels);
    } else {
      const float* const four[4] = {top + s.low, top + s.high, bottom + s.low, bottom + s.high};
      blend_four(four, s.weight, down, y, channels);
    }
  }
}

/// The same for pixels of one element.
inline void resample_elements(const float* top, const float* bottom, float down, const Sample* samples,
                              std::size_t width, std::size_t, float* y) {
  const auto blend = [](float a, float b, float weight)
                         HWY_ATTR { return weight == 0 ? a : a * (1 - weight) + b * weight; };
  for (std::size_t i = 0; i < width; ++i) {
    const Sample& s = samples[i];
    y[i] = blend(blend(top[s.low], top[s.high], s.weight), blend(bottom[s.low], bottom[s.high], s.weight), down);
  }
}

}  // namespace webnn::runtime::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
