// Pointwise convolution of bytes for AVX-512 with VNNI; included by quantized_pointwise.cpp.
//
// The VNNI instruction adds four products to each sum. Here these are four channels of a pixel, the same for all lanes,
// while the lanes are output channels. The sums of a few pixels stay in registers until they are bytes again.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <hwy/highway.h>

// clang-format off
#include "runtime/cpu/simd/quantized/byte_products.inl.hpp"
// clang-format on
#include "runtime/cpu/simd/quantized/quantized_pointwise.hpp"

HWY_BEFORE_NAMESPACE();
namespace webnn::runtime::simd::HWY_NAMESPACE {
namespace byte_pointwise {

/// A register block of a few pixels: six pixels take 24 vectors of sums, besides four of weights. Template arguments
/// index the sums, so that they stay in registers.
template <std::size_t bytes, std::size_t... pixel>
class Pixels {
 public:
  static HWY_INLINE void convolve(const BytePixels& work, const std::uint8_t* x, std::uint8_t* y) {
    const auto flip = hn::Set(tag(), work.flip_x), flip_y = hn::Set(tag(), work.flip_y);
    SumVector<bytes> sums[sizeof...(pixel)][4];
    (begin(sums[pixel], work.start), ...);
    const std::uint8_t* weights = work.weights;
    for (std::size_t left = work.channels; left != 0; left -= 4, weights += 4 * bytes, x += 4) {
      const ByteVector<bytes> taps[4] = {hn::LoadU(tag(), weights), hn::LoadU(tag(), weights + bytes),
                                         hn::LoadU(tag(), weights + 2 * bytes), hn::LoadU(tag(), weights + 3 * bytes)};
      (add(sums[pixel], hn::Xor(four(x + pixel * work.channels), flip), taps), ...);
    }
    (hn::StoreU(hn::Xor(to_bytes<bytes>(sums[pixel], work.scale, work.offset), flip_y), tag(), y + pixel * work.y_step),
     ...);
  }

 private:
  static constexpr ByteTag<bytes> tag() { return {}; }
  static constexpr hn::Repartition<std::int32_t, ByteTag<bytes>> sum_tag() { return {}; }

  /// The same four bytes in all lanes.
  static HWY_INLINE ByteVector<bytes> four(const std::uint8_t* from) {
    std::int32_t all;
    std::memcpy(&all, from, sizeof(all));
    return hn::BitCast(tag(), hn::Set(sum_tag(), all));
  }
  static HWY_INLINE void begin(SumVector<bytes> (&sums)[4], const std::int32_t* start) {
    sums[0] = load_sums<bytes>(start);
    sums[1] = load_sums<bytes>(start + bytes / 4);
    sums[2] = load_sums<bytes>(start + bytes / 2);
    sums[3] = load_sums<bytes>(start + bytes / 4 * 3);
  }
  static HWY_INLINE void add(SumVector<bytes> (&sums)[4], ByteVector<bytes> seen, const ByteVector<bytes> (&taps)[4]) {
    sums[0] = add_products(sums[0], seen, taps[0]);
    sums[1] = add_products(sums[1], seen, taps[1]);
    sums[2] = add_products(sums[2], seen, taps[2]);
    sums[3] = add_products(sums[3], seen, taps[3]);
  }
};

template <std::size_t bytes, std::size_t... pixel>
void convolve_pixels(const BytePixels& work, std::size_t first) {
  Pixels<bytes, pixel...>::convolve(work, work.x + first * work.channels, work.y + first * work.y_step);
}

template <std::size_t bytes>
void convolve(const BytePixels& work) {
  constexpr auto six = convolve_pixels<bytes, 0, 1, 2, 3, 4, 5>;
  constexpr decltype(six) fewer[] = {nullptr,
                                     convolve_pixels<bytes, 0>,
                                     convolve_pixels<bytes, 0, 1>,
                                     convolve_pixels<bytes, 0, 1, 2>,
                                     convolve_pixels<bytes, 0, 1, 2, 3>,
                                     convolve_pixels<bytes, 0, 1, 2, 3, 4>};
  std::size_t first = 0;
  for (; first + BytePixels::together <= work.pixels; first += BytePixels::together) six(work, first);
  if (first < work.pixels) fewer[work.pixels - first](work, first);
}

inline BytePixelFunctions functions() { return {convolve<64>, convolve<32>}; }

}  // namespace byte_pointwise
}  // namespace webnn::runtime::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
