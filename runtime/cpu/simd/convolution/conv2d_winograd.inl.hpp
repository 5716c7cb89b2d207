// Winograd's convolution of 3x3 windows, for one instruction set; included by conv2d_winograd.cpp, which explains it.
// Channels fill the vectors.
#include <cstddef>
#include <hwy/highway.h>

// clang-format off
#include "runtime/cpu/simd/elementwise/elementwise_math.inl.hpp"
#include "runtime/cpu/simd/float_io.inl.hpp"
#include "runtime/cpu/simd/convolution/winograd_tiles.inl.hpp"
#include "runtime/cpu/simd/product/packed_product.inl.hpp"
#include "runtime/cpu/simd/product/paired_block.inl.hpp"
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

/// Transforms the patch of a tile, whose pixels are at from(i, j). `to` is the tile's place among those of element 0.
template <class From>
HWY_INLINE void transform_patch(From from, std::size_t channels, float* HWY_RESTRICT to, std::size_t element_step) {
  for (std::size_t channel = 0; channel < channels; channel += lanes())
    transform_square<V, patch, to_patch>(
        [&](std::size_t j, std::size_t i) UNROLLED { return in_register(load(from(i, j) + channel)); },
        [&](std::size_t j, std::size_t i, V v) UNROLLED { store(v, to + (i * patch + j) * element_step + channel); });
}

inline void transform(const WinogradRun& run, std::size_t begin, std::size_t end) {
  const WinogradSizes s = run.sizes;  // a copy: the compiler takes stores for changes of `run`
  const float *const x = run.x, *const zeros = run.zeros;
  const std::size_t element_step = run.element_step, row_step = s.width * s.channels;
  float* to = run.patches + (begin - run.first) * s.channels;
  WinogradPlace place(s, begin);
  for (std::size_t index = begin; index < end; ++index, place.advance(s), to += s.channels) {
    if (is_inside(s, place)) {
      const float* const first = first_of_patch(s, place, x);
      transform_patch([=](std::size_t i, std::size_t j) UNROLLED { return first + i * row_step + j * s.channels; },
                      s.channels, to, element_step);
    } else {
      const float* from[patch][patch];
      find_patch(s, place, x, zeros, from);
      transform_patch([&](std::size_t i, std::size_t j) UNROLLED { return from[i][j]; }, s.channels, to, element_step);
    }
  }
}

/// The most blocks that share one read of the filters (`multiply_tiles`): with 60 tiles there is time to fetch the filters
/// of the next element. On an Intel processor with 2 MiB of L2 a convolution of 256 channels and 14x14 pixels takes 670 us
/// so, and 910 with 36 tiles and fetches at once. Filters of a panel with fewer bytes than `bytes_to_share` are soon
/// fetched, and there it counts that the sums of a few blocks stay in the L1 cache: with 16 channels it is a quarter faster.
inline constexpr std::size_t blocks_together = 60 / product_rows, bytes_to_share = 192 * 1024;
inline constexpr std::size_t few_together = VECTOR_REGISTERS >= 32 ? 1 : 4;
inline constexpr std::size_t sum_rows = blocks_together * product_rows;

/// Transforms the sums of a tile into pixels and writes those of `height` rows and `width` columns; all of them if
/// `whole`. `to` is the tile's first pixel.
template <bool whole>
HWY_INLINE void write_tile(const float* HWY_RESTRICT sums, V bias, V low, V high, float* HWY_RESTRICT to,
                           std::size_t row_step, std::size_t pixel_step, std::size_t height, std::size_t width) {
  transform_square<V, tile, to_tile>(
      [&](std::size_t i, std::size_t j)
          UNROLLED { return in_register(load(sums + (i * patch + j) * sum_rows * panel_columns)); },
      [&](std::size_t i, std::size_t j, V v) UNROLLED {
        if (whole || (i < height && j < width))
          store(clamp(hn::Add(v, bias), low, high), to + i * row_step + j * pixel_step);
      });
}

/// Transforms the sums of `rows` tiles into pixels and writes them. `sums` is [elements][sum_rows][panel_columns].
HWY_INLINE void write_tiles(const WinogradRun& run, std::size_t index, std::size_t rows, std::size_t channel,
                            const float* HWY_RESTRICT sums) {
  const WinogradSizes s = run.sizes;  // a copy: the compiler takes stores for changes of `run`
  const V low = set(run.low), high = set(run.high);
  const std::size_t pixel_step = s.output_channels, row_step = s.output_width * pixel_step;
  const std::size_t columns = HWY_MIN(panel_columns, s.output_channels - channel);
  float* const y = run.y + channel;
  const float* const bias = run.bias + channel;
  WinogradPlace place(s, index);
  for (std::size_t row = 0; row < rows; ++row, place.advance(s)) {
    const std::size_t height = HWY_MIN(tile, s.output_height - place.row);
    const std::size_t width = HWY_MIN(tile, s.output_width - place.column);
    const bool is_whole = height == tile && width == tile;
    float* const to = y + (place.image * s.output_height + place.row) * row_step + place.column * pixel_step;
    for (std::size_t at = 0; at < columns; at += lanes()) {
      const float* const of_row = sums + row * panel_columns + at;
      if (is_whole) {
        write_tile<true>(of_row, load(bias + at), low, high, to + at, row_step, pixel_step, tile, tile);
      } else {
        write_tile<false>(of_row, load(bias + at), low, high, to + at, row_step, pixel_step, height, width);
      }
    }
  }
}

/// Rows of patches that follow one another.
struct PatchRows {
  const float* first;
  std::size_t channels;
  HWY_INLINE const float* at(std::size_t r) const { return first + r * channels; }
};
/// The maximum sums of a narrow panel's register block.
inline constexpr std::size_t most_narrow_sums = product_rows * panel_columns;
/// Products with a panel of one vector of columns. `totals` is for the sums of the blocks before: [most_narrow_sums].
template <std::size_t rows>
void multiply_narrow(const float* HWY_RESTRICT patches, std::size_t channels, const float* HWY_RESTRICT filters,
                     float* HWY_RESTRICT totals, float* HWY_RESTRICT to) {
  using Block = PairedBlock<Float, rows>;
  const std::size_t lines = channels / Block::products, most = block_length(lines, short_block);
  Block block;
  block.clear();
  PatchRows from{patches, channels};
  for (std::size_t line = 0; line < lines;) {
    const std::size_t end = HWY_MIN(line + most, lines);
    if (line > 0) {
      block.add_to(totals, line == most);
      block.clear();
    }
    for (; line < end; ++line, filters += Block::width, from.first += Block::products) {
      fetch_line(filters + lines * Block::width);  // the next element's
      block.add(from, filters);
    }
  }
  if (lines > most) block.add_from(totals);
  unrolled<rows>([&](std::size_t r) UNROLLED { store(block.sum(r), to + r * panel_columns); });
}
using MultiplyNarrow = void(const float* patches, std::size_t channels, const float* filters, float* totals, float* to);
/// multiply_narrow for so many rows.
template <std::size_t rows = product_rows>
MultiplyNarrow* narrow_products(std::size_t count) {
  if constexpr (rows > 1) {
    if (count < rows) return narrow_products<rows - 1>(count);
  }
  return multiply_narrow<rows>;
}

inline void multiply(const WinogradRun& run, std::size_t begin, std::size_t end, std::size_t first_panel,
                     std::size_t last_panel) {
  const std::size_t channels = run.sizes.channels;
  const std::size_t bytes_of_panel = winograd_elements * channels * panel_columns * sizeof(float);
  multiply_tiles<float, panel_columns, product_rows, blocks_together>(
      run, begin, end, first_panel, last_panel, bytes_of_panel < bytes_to_share ? few_together : blocks_together,
      [=](std::size_t rows, std::size_t columns, const float* patches, const float* filters, float* to, NextShare next)
          HWY_ATTR {
            if (columns == lanes()) {
              alignas(64) float totals[most_narrow_sums];
              return narrow_products(rows)(patches, channels, filters, totals, to);
            }
            panel_products<float>[rows](patches, channels, channels, filters, to, next);
          },
      [&](std::size_t tile, std::size_t rows, std::size_t channel, const float* sums)
          HWY_ATTR { write_tiles(run, tile, rows, channel, sums); });
}

inline WinogradFunctions functions() { return {panel_columns, product_rows, transform, multiply}; }

}  // namespace winograd
}  // namespace webnn::runtime::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
