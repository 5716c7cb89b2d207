// Winograd's convolution of 3x3 windows, for one instruction set; included by conv2d_winograd.cpp, which explains it.
// Channels fill the vectors.
#include <cstddef>
#include <hwy/highway.h>

// clang-format off
#include "runtime/cpu/simd/elementwise/elementwise_math.inl.hpp"
#include "runtime/cpu/simd/float_io.inl.hpp"
#include "runtime/cpu/simd/convolution/winograd_tiles.inl.hpp"
#include "runtime/cpu/simd/product/packed_product.inl.hpp"
// clang-format on
#include "runtime/cpu/simd/convolution/conv2d_winograd.hpp"

HWY_BEFORE_NAMESPACE();
namespace webnn::runtime::simd::HWY_NAMESPACE {
namespace winograd {

inline constexpr std::size_t tile = winograd_tile, patch = winograd_patch;

// F(2x2, 3x3): the points 0, 1, -1 and infinity.
HWY_INLINE void to_patch(const V (&d)[4], V (&t)[4]) {
  t[0] = hn::Sub(d[0], d[2]);
  t[1] = hn::Add(d[1], d[2]);
  t[2] = hn::Sub(d[2], d[1]);
  t[3] = hn::Sub(d[1], d[3]);
}
HWY_INLINE void to_tile(const V (&m)[4], V (&y)[2]) {
  y[0] = hn::Add(hn::Add(m[0], m[1]), m[2]);
  y[1] = hn::Sub(hn::Sub(m[1], m[2]), m[3]);
}

inline void transform(const WinogradRun& run, std::size_t begin, std::size_t end) {
  const WinogradSizes& s = run.sizes;
  WinogradPlace place(s, begin);
  for (std::size_t index = begin; index < end; ++index, place.advance(s)) {
    const float* from[patch][patch];
    find_patch(s, place, run.x, run.zeros, from);
    float* const to = run.patches + (index - run.first) * s.channels;
    for (std::size_t channel = 0; channel < s.channels; channel += lanes())
      transform_square<V, patch, to_patch>(
          [&](std::size_t j, std::size_t i) HWY_ATTR { return in_register(load(from[i][j] + channel)); },
          [&](std::size_t j, std::size_t i, V v)
              HWY_ATTR { store(v, to + (i * patch + j) * run.element_step + channel); });
  }
}

/// The most blocks that share one read of the filters (`multiply_tiles`). With many registers a block has many rows, and
/// one is enough for filters that stay in the L2 cache.
inline constexpr bool has_large_blocks = VECTOR_REGISTERS >= 32;
inline constexpr std::size_t blocks_together = has_large_blocks ? 3 : 4;
inline constexpr std::size_t sum_rows = blocks_together * product_rows;

/// Transforms the sums of `rows` tiles into pixels and writes them. `sums` is [elements][sum_rows][panel_columns].
HWY_INLINE void write_tiles(const WinogradRun& run, std::size_t index, std::size_t rows, std::size_t channel,
                            const float* sums) {
  const WinogradSizes& s = run.sizes;
  const V low = set(run.low), high = set(run.high);
  WinogradPlace place(s, index);
  for (std::size_t row = 0; row < rows; ++row, place.advance(s)) {
    const std::size_t height = HWY_MIN(tile, s.output_height - place.row);
    const std::size_t width = HWY_MIN(tile, s.output_width - place.column);
    float* const to =
        run.y + ((place.image * s.output_height + place.row) * s.output_width + place.column) * s.output_channels;
    for (std::size_t at = 0; at < panel_columns && channel + at < s.output_channels; at += lanes()) {
      const V bias = load(run.bias + channel + at);
      transform_square<V, tile, to_tile>(
          [&](std::size_t i, std::size_t j)
              HWY_ATTR { return in_register(load(sums + ((i * patch + j) * sum_rows + row) * panel_columns + at)); },
          [&](std::size_t i, std::size_t j, V v) HWY_ATTR {
            if (i < height && j < width)
              store(clamp(hn::Add(v, bias), low, high),
                    to + (i * s.output_width + j) * s.output_channels + channel + at);
          });
    }
  }
}

inline void multiply(const WinogradRun& run, std::size_t begin, std::size_t end, std::size_t first_panel,
                     std::size_t last_panel) {
  const std::size_t channels = run.sizes.channels;
  multiply_tiles<float, panel_columns, product_rows, blocks_together>(
      run, begin, end, first_panel, last_panel, has_large_blocks && run.filters_stay ? 1 : blocks_together,
      [=](std::size_t rows, const float* patches, const float* filters, float* to)
          HWY_ATTR { panel_products<float>[rows](patches, channels, channels, filters, to); },
      [&](std::size_t tile, std::size_t rows, std::size_t channel, const float* sums)
          HWY_ATTR { write_tiles(run, tile, rows, channel, sums); });
}

inline WinogradFunctions functions() { return {panel_columns, product_rows, transform, multiply}; }

}  // namespace winograd
}  // namespace webnn::runtime::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
