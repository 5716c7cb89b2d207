// Convolution of bytes with any window, for one instruction set; included by quantized_direct.cpp.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <hwy/highway.h>

// clang-format off
#include "runtime/cpu/simd/quantized/pair_products.inl.hpp"
// clang-format on
#include "runtime/cpu/simd/quantized/quantized_direct.hpp"
#include "schema/round_up.hpp"

HWY_BEFORE_NAMESPACE();
namespace webnn::runtime::simd::HWY_NAMESPACE {
namespace byte_direct {

/// The most pixels of a register block, by the vectors of a panel: 12 sums, two vectors of weights, a pair of the input
/// and its products fill the registers.
inline constexpr std::size_t most_pixels[] = {0, 8, 6};
inline constexpr std::size_t most_vectors = 2;

/// Computes a register block and writes its bytes. `weights` are those of the panel.
template <std::size_t vectors, std::size_t pixels>
HWY_INLINE void convolve_block(const ByteWindows& windows, const BytePanel& panel, std::size_t lane,
                               const std::int8_t* HWY_RESTRICT weights, std::size_t pixel) {
  PairSums sums[pixels][vectors] = {};
  for (std::size_t run = 0; run < windows.runs; ++run) {
    const std::int16_t* from[pixels];
    HWY_UNROLL(8)
    for (std::size_t p = 0; p < pixels; ++p) from[p] = windows.at[pixel + p] + windows.run_at[run];
    for (std::size_t k = 0; k < windows.pairs; ++k, weights += 2 * pair_lanes * vectors) {
      Pairs taps[vectors];
      HWY_UNROLL(2)
      for (std::size_t v = 0; v < vectors; ++v) taps[v] = pairs_of_bytes(weights + 2 * pair_lanes * v);
      HWY_UNROLL(8)
      for (std::size_t p = 0; p < pixels; ++p) {
        const Pairs seen = one_pair(from[p] + 2 * k);
        HWY_UNROLL(2)
        for (std::size_t v = 0; v < vectors; ++v) sums[p][v] = add_pairs(sums[p][v], seen, taps[v]);
      }
    }
  }
  __m256 scale[vectors], offset[vectors];
  HWY_UNROLL(2)
  for (std::size_t v = 0; v < vectors; ++v) {
    scale[v] = _mm256_loadu_ps(windows.scale + lane + pair_lanes * v);
    offset[v] = _mm256_loadu_ps(windows.offset + lane + pair_lanes * v);
  }
  const __m128i flip = _mm_set1_epi8(static_cast<char>(windows.flip_y));
  std::uint8_t* y = windows.y + pixel * windows.y_step + panel.first;
  HWY_UNROLL(8)
  for (std::size_t p = 0; p < pixels; ++p, y += windows.y_step) {
    const __m128i bytes = bytes_of_pairs<vectors>(sums[p], scale, offset, flip);
    if (panel.channels == vectors * pair_lanes) {
      vectors == 1 ? _mm_storel_epi64(reinterpret_cast<__m128i*>(y), bytes)
                   : _mm_storeu_si128(reinterpret_cast<__m128i*>(y), bytes);
    } else {
      alignas(16) std::uint8_t all[16];
      _mm_store_si128(reinterpret_cast<__m128i*>(all), bytes);
      std::memcpy(y, all, HWY_MIN(panel.channels, sizeof all));
    }
  }
}

using ConvolveBlocks = void(const ByteWindows& windows, const BytePanel& panel, std::size_t lane,
                            const std::int8_t* weights, std::size_t begin, std::size_t end);

/// convolve_block for the pixels from `begin` to `end`, a multiple of `pixels` of them.
template <std::size_t vectors, std::size_t pixels>
void convolve_blocks(const ByteWindows& windows, const BytePanel& panel, std::size_t lane, const std::int8_t* weights,
                     std::size_t begin, std::size_t end) {
  for (std::size_t pixel = begin; pixel < end; pixel += pixels)
    convolve_block<vectors, pixels>(windows, panel, lane, weights, pixel);
}
/// convolve_blocks for blocks of `count` pixels, 1 to `pixels`.
template <std::size_t vectors, std::size_t pixels = most_pixels[vectors]>
ConvolveBlocks* blocks_of(std::size_t count) {
  if constexpr (pixels > 1) {
    if (count < pixels) return blocks_of<vectors, pixels - 1>(count);
  }
  return convolve_blocks<vectors, pixels>;
}

/// Divides the pixels into as few blocks as possible, of nearly equal size, for each panel.
inline void convolve(const ByteWindows& windows) {
  const std::int8_t* weights = windows.weights;
  std::size_t lane = 0;
  for (std::size_t i = 0; i < windows.panel_count; ++i) {
    const BytePanel& panel = windows.panels[i];
    const std::size_t vectors = panel.lanes / pair_lanes;
    const auto blocks_for = vectors == 1 ? blocks_of<1> : blocks_of<2>;
    const std::size_t blocks = schema::div_up(windows.pixels, most_pixels[vectors]);
    const std::size_t pixels = schema::div_up(windows.pixels, blocks);
    const std::size_t small = pixels * blocks - windows.pixels, in_large = (blocks - small) * pixels;
    blocks_for(pixels)(windows, panel, lane, weights, 0, in_large);
    if (small != 0) blocks_for(pixels - 1)(windows, panel, lane, weights, in_large, windows.pixels);
    weights += 2 * windows.runs * windows.pairs * panel.lanes;
    lane += panel.lanes;
  }
}

inline ByteWindowsFunctions functions() { return {pair_lanes, most_vectors, widen_bytes, convolve}; }

}  // namespace byte_direct
}  // namespace webnn::runtime::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
