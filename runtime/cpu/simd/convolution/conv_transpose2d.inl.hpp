// Transposed convolution whose windows do not overlap, channels-last, for one instruction set; included by
// conv_transpose2d.cpp.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <hwy/highway.h>

#include "runtime/cpu/simd/convolution/conv_transpose2d.hpp"
#include "runtime/cpu/simd/movement/transpose_tile.hpp"

HWY_BEFORE_NAMESPACE();
namespace webnn::runtime::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using SpreadTag = hn::ScalableTag<float>;

/// The pixels of a block: two vectors.
HWY_INLINE std::size_t spread_block() { return 2 * hn::Lanes(SpreadTag()); }

/// Transposes `count` (1 to spread_block()) pixels: to[channel][spread_block()]. Other columns are left alone.
HWY_INLINE void gather_channels(const float* x, std::size_t count, std::size_t channels, float* to) {
  constexpr auto bytes = std::int64_t(sizeof(float));
  transpose<float>({std::int64_t(count), std::int64_t(channels) * bytes, std::int64_t(channels),
                    std::int64_t(spread_block()) * bytes},
                   reinterpret_cast<const std::byte*>(x), reinterpret_cast<std::byte*>(to));
}

/// Four results for each pixel of a block: products of its channels with four weights each, added to the biases.
HWY_INLINE void four_results(const float* pixels, const float* weights, const float* bias, std::size_t channels,
                             float* to) {
  const SpreadTag d;
  const std::size_t lanes = hn::Lanes(d);
  auto low0 = hn::Set(d, bias[0]), low1 = hn::Set(d, bias[1]), low2 = hn::Set(d, bias[2]), low3 = hn::Set(d, bias[3]);
  auto high0 = low0, high1 = low1, high2 = low2, high3 = low3;
  for (std::size_t channel = 0; channel < channels; ++channel, pixels += 2 * lanes, weights += 4) {
    const auto low = hn::LoadU(d, pixels), high = hn::LoadU(d, pixels + lanes);
    const auto w0 = hn::Set(d, weights[0]), w1 = hn::Set(d, weights[1]);
    const auto w2 = hn::Set(d, weights[2]), w3 = hn::Set(d, weights[3]);
    low0 = hn::MulAdd(low, w0, low0);
    low1 = hn::MulAdd(low, w1, low1);
    low2 = hn::MulAdd(low, w2, low2);
    low3 = hn::MulAdd(low, w3, low3);
    high0 = hn::MulAdd(high, w0, high0);
    high1 = hn::MulAdd(high, w1, high1);
    high2 = hn::MulAdd(high, w2, high2);
    high3 = hn::MulAdd(high, w3, high3);
  }
  hn::StoreU(low0, d, to);
  hn::StoreU(high0, d, to + lanes);
  hn::StoreU(low1, d, to + 2 * lanes);
  hn::StoreU(high1, d, to + 3 * lanes);
  hn::StoreU(low2, d, to + 4 * lanes);
  hn::StoreU(high2, d, to + 5 * lanes);
  hn::StoreU(low3, d, to + 6 * lanes);
  hn::StoreU(high3, d, to + 7 * lanes);
}

/// y[pixel * width + k] = results[k * spread_block() + pixel]
HWY_INLINE void interleave(const float* results, std::size_t width, std::size_t count, float* y) {
  const SpreadTag d;
  const std::size_t lanes = hn::Lanes(d), block = 2 * lanes;
  if (count == block && width <= 4) {
    for (std::size_t i = 0; i < block; i += lanes) {
      const auto at = [&](std::size_t k) HWY_ATTR { return hn::LoadU(d, results + k * block + i); };
      if (width == 1) hn::StoreU(at(0), d, y + i);
      if (width == 2) hn::StoreInterleaved2(at(0), at(1), d, y + 2 * i);
      if (width == 3) hn::StoreInterleaved3(at(0), at(1), at(2), d, y + 3 * i);
      if (width == 4) hn::StoreInterleaved4(at(0), at(1), at(2), at(3), d, y + 4 * i);
    }
    return;
  }
  for (std::size_t pixel = 0; pixel < count; ++pixel)
    for (std::size_t k = 0; k < width; ++k) y[pixel * width + k] = results[k * block + pixel];
}

/// Turns one input row into `sizes.window_height` output rows.
inline void spread_row(const SpreadSizes& sizes, const float* x, const float* weights, const float* bias, float* y) {
  alignas(64) float pixels[SpreadSizes::most_channels * 32];
  if (sizes.width % spread_block() != 0) std::fill_n(pixels, sizes.channels * spread_block(), 0.0f);
  alignas(64) float results[SpreadSizes::most_results * 32];
  const std::size_t block = spread_block(), row = sizes.width * sizes.row_results;
  for (std::size_t begin = 0; begin < sizes.width; begin += block) {
    const std::size_t count = sizes.width - begin < block ? sizes.width - begin : block;
    gather_channels(x + begin * sizes.channels, count, sizes.channels, pixels);
    for (std::size_t k = 0; k < sizes.padded_results(); k += 4)
      four_results(pixels, weights + k * sizes.channels, bias + k, sizes.channels, results + k * block);
    for (std::size_t i = 0; i < sizes.window_height; ++i)
      interleave(results + i * sizes.row_results * block, sizes.row_results, count,
                 y + i * row + begin * sizes.row_results);
  }
}

}  // namespace webnn::runtime::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
