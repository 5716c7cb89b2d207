// Winograd's convolution of 3x3 windows, for one instruction set; included by conv2d_winograd.cpp, which explains it.
// Channels fill the vectors.
#include <cstddef>
#include <hwy/highway.h>

// clang-format off
#include "runtime/cpu/simd/elementwise/elementwise_math.inl.hpp"
#include "runtime/cpu/simd/float_io.inl.hpp"
#include "runtime/cpu/simd/convolution/winograd_place.inl.hpp"
#include "runtime/cpu/simd/product/packed_product.inl.hpp"
// clang-format on
#include "runtime/cpu/simd/convolution/conv2d_winograd.hpp"

HWY_BEFORE_NAMESPACE();
namespace webnn::runtime::simd::HWY_NAMESPACE {
namespace winograd {

inline constexpr std::size_t tile = winograd_tile, patch = winograd_patch, elements = winograd_elements;

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
  for (std::size_t index = begin; index < end; ++index) {
    const WinogradPlace place(s, index);
    const float* from[patch][patch];  // zeros outside of the input
    for (std::size_t i = 0; i < patch; ++i)
      for (std::size_t j = 0; j < patch; ++j) {
        const std::size_t row = place.row + i - s.top, column = place.column + j - s.left;  // wraps when negative
        from[i][j] = row < s.height && column < s.width
                         ? run.x + ((place.image * s.height + row) * s.width + column) * s.channels
                         : run.zeros;
      }
    float* const to = run.patches + (index - run.first) * s.channels;
    for (std::size_t channel = 0; channel < s.channels; channel += lanes()) {
      V half[patch][patch];  // transformed along one axis: [column][row]
      HWY_UNROLL(4)
      for (std::size_t i = 0; i < patch; ++i) {
        V line[patch], result[patch];
        HWY_UNROLL(4)
        for (std::size_t j = 0; j < patch; ++j) line[j] = load(from[i][j] + channel);
        to_patch(line, result);
        HWY_UNROLL(4)
        for (std::size_t j = 0; j < patch; ++j) half[j][i] = result[j];
      }
      HWY_UNROLL(4)
      for (std::size_t j = 0; j < patch; ++j) {
        V result[patch];
        to_patch(half[j], result);
        HWY_UNROLL(4)
        for (std::size_t i = 0; i < patch; ++i) store(result[i], to + (i * patch + j) * run.element_step + channel);
      }
    }
  }
}

/// Register blocks that take their products with the filters of one element, one after another: these are read into the L1
/// cache once for all. With more registers a block has more rows, and one is enough.
inline constexpr std::size_t blocks_together = VECTOR_REGISTERS >= 32 ? 1 : 4;
inline constexpr std::size_t sum_rows = blocks_together * product_rows;

/// Transforms the sums of `rows` tiles into pixels and writes them. `sums` is [elements][sum_rows][panel_columns].
HWY_INLINE void write_tiles(const WinogradRun& run, std::size_t index, std::size_t rows, std::size_t channel,
                            const float* sums) {
  const WinogradSizes& s = run.sizes;
  const V low = set(run.low), high = set(run.high);
  for (std::size_t row = 0; row < rows; ++row) {
    const WinogradPlace place(s, index + row);
    const std::size_t height = HWY_MIN(tile, s.output_height - place.row);
    const std::size_t width = HWY_MIN(tile, s.output_width - place.column);
    float* const to =
        run.y + ((place.image * s.output_height + place.row) * s.output_width + place.column) * s.output_channels;
    for (std::size_t at = 0; at < panel_columns && channel + at < s.output_channels; at += lanes()) {
      const V bias = load(run.bias + channel + at);
      V half[tile][patch];  // [row of the tile][column of the patch]
      HWY_UNROLL(4)
      for (std::size_t j = 0; j < patch; ++j) {
        V line[patch], result[tile];
        HWY_UNROLL(4)
        for (std::size_t i = 0; i < patch; ++i)
          line[i] = load(sums + ((i * patch + j) * sum_rows + row) * panel_columns + at);
        to_tile(line, result);
        HWY_UNROLL(2)
        for (std::size_t i = 0; i < tile; ++i) half[i][j] = result[i];
      }
      HWY_UNROLL(2)
      for (std::size_t i = 0; i < tile; ++i) {
        if (i >= height) break;
        V result[tile];
        to_tile(half[i], result);
        HWY_UNROLL(2)
        for (std::size_t j = 0; j < tile; ++j)
          if (j < width)
            store(clamp(hn::Add(result[j], bias), low, high),
                  to + (i * s.output_width + j) * s.output_channels + channel + at);
      }
    }
  }
}

inline void multiply(const WinogradRun& run, std::size_t begin, std::size_t end, std::size_t first_panel,
                     std::size_t last_panel) {
  const WinogradSizes& s = run.sizes;
  const std::size_t blocks = (end - begin + product_rows - 1) / product_rows;
  const auto row_of = [=](std::size_t block) { return begin + (end - begin) * block / blocks; };
  alignas(64) float sums[elements * sum_rows * panel_columns];
  for (std::size_t panel = first_panel; panel < last_panel; ++panel)
    for (std::size_t first = 0; first < blocks; first += blocks_together) {
      const std::size_t last = HWY_MIN(first + blocks_together, blocks), tile = row_of(first);
      const float* filters = run.filters + panel * elements * s.channels * panel_columns;
      const float* patches = run.patches - run.first * s.channels;
      for (std::size_t element = 0; element < elements; ++element) {
        for (std::size_t block = first; block < last; ++block) {
          const std::size_t row = row_of(block);
          panel_products<float>[row_of(block + 1) - row](patches + row * s.channels, s.channels, s.channels, filters,
                                                         sums + (element * sum_rows + row - tile) * panel_columns);
        }
        filters += s.channels * panel_columns;
        patches += run.element_step;
      }
      write_tiles(run, tile, row_of(last) - tile, panel * panel_columns, sums);
    }
}

inline WinogradFunctions functions() { return {panel_columns, product_rows, transform, multiply}; }

}  // namespace winograd
}  // namespace webnn::runtime::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
