// Winograd's convolution of bytes, for one instruction set; included by quantized_winograd.cpp, which explains it. Channels
// fill the vectors.
#include <cstddef>
#include <cstdint>
#include <hwy/cache_control.h>
#include <hwy/highway.h>

// clang-format off
#include "runtime/cpu/simd/native.inl.hpp"
#include "runtime/cpu/simd/convolution/winograd_tiles.inl.hpp"
#include "runtime/cpu/simd/quantized/pair_products.inl.hpp"
// clang-format on
#include "runtime/cpu/simd/quantized/quantized_winograd.hpp"

HWY_BEFORE_NAMESPACE();
namespace webnn::runtime::simd::HWY_NAMESPACE {
namespace byte_winograd {

inline constexpr std::size_t tile = winograd_tile, patch = winograd_patch;
/// The columns of a panel: two vectors of sums, which are a vector of int16, too.
inline constexpr std::size_t columns = 2 * pair_lanes;
/// See `multiply_tiles`.
inline constexpr std::size_t block_rows = 6, blocks_together = 4, sum_rows = blocks_together * block_rows;

// F(2x2, 3x3) with filters that are multiplied by 4: all numbers are integers.
HWY_INLINE void to_patch(const Pairs (&d)[4], Pairs (&t)[4]) {
  t[0] = _mm256_sub_epi16(d[0], d[2]);
  t[1] = _mm256_add_epi16(d[1], d[2]);
  t[2] = _mm256_sub_epi16(d[2], d[1]);
  t[3] = _mm256_sub_epi16(d[1], d[3]);
}
HWY_INLINE void to_tile(const __m256i (&m)[4], __m256i (&y)[2]) {
  y[0] = _mm256_add_epi32(_mm256_add_epi32(m[0], m[1]), m[2]);
  y[1] = _mm256_sub_epi32(_mm256_sub_epi32(m[1], m[2]), m[3]);
}

inline void transform(const ByteTiles& run, std::size_t begin, std::size_t end) {
  const WinogradSizes& s = run.sizes;
  const __m128i flip = _mm_set1_epi8(static_cast<char>(run.flip_x));
  const __m256i zero = _mm256_set1_epi16(run.zero);
  WinogradPlace place(s, begin);
  for (std::size_t index = begin; index < end; ++index, place.advance(s)) {
    const std::uint8_t* from[patch][patch];
    find_patch(s, place, run.x, static_cast<const std::uint8_t*>(nullptr), from);
    std::int16_t* const to = run.patches + (index - run.first) * s.channels;
    for (std::size_t channel = 0; channel < s.channels; channel += columns)
      transform_square<Pairs, patch, to_patch>(
          [&](std::size_t j, std::size_t i) UNROLLED {
            if (from[i][j] == nullptr) return _mm256_setzero_si256();
            const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from[i][j] + channel));
            return _mm256_sub_epi16(_mm256_cvtepu8_epi16(_mm_xor_si128(bytes, flip)), zero);
          },
          [&](std::size_t j, std::size_t i, Pairs v) UNROLLED {
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + (i * patch + j) * run.element_step + channel), v);
          });
  }
}

/// sums[row][column] of one element: the products of `rows` patches with the filters of a panel.
template <std::size_t rows>
void multiply_block(const std::int16_t* HWY_RESTRICT patches, std::size_t channels,
                    const std::int16_t* HWY_RESTRICT filters, std::int32_t* HWY_RESTRICT to) {
  PairSums sums[rows][2] = {};
  for (std::size_t k = 0; k < channels; k += 2, filters += 2 * columns) {
    if constexpr (rows == block_rows) hwy::Prefetch(filters + channels * columns);  // the next element's
    const Pairs taps[2] = {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(filters)),
                           _mm256_loadu_si256(reinterpret_cast<const __m256i*>(filters + columns))};
    HWY_UNROLL(6)
    for (std::size_t row = 0; row < rows; ++row) {
      const Pairs seen = one_pair(patches + row * channels + k);
      sums[row][0] = add_pairs(sums[row][0], seen, taps[0]);
      sums[row][1] = add_pairs(sums[row][1], seen, taps[1]);
    }
  }
  HWY_UNROLL(6)
  for (std::size_t row = 0; row < rows; ++row) {
    HWY_UNROLL(2)
    for (std::size_t i = 0; i < 2; ++i)
      _mm256_store_si256(reinterpret_cast<__m256i*>(to + row * columns + i * pair_lanes), __m256i(sums[row][i]));
  }
}
using MultiplyBlock = void(const std::int16_t* patches, std::size_t channels, const std::int16_t* filters,
                           std::int32_t* to);
/// multiply_block, indexed by the number of rows.
inline constexpr MultiplyBlock* blocks[] = {nullptr,           multiply_block<1>, multiply_block<2>, multiply_block<3>,
                                            multiply_block<4>, multiply_block<5>, multiply_block<6>};
static_assert(sizeof(blocks) / sizeof(blocks[0]) == block_rows + 1);

/// Transforms the sums of `rows` tiles into pixels and writes them. `sums` is [elements][sum_rows][columns].
HWY_INLINE void write_tiles(const ByteTiles& run, std::size_t index, std::size_t rows, std::size_t channel,
                            const std::int32_t* sums) {
  const WinogradSizes& s = run.sizes;
  const __m128i flip = _mm_set1_epi8(static_cast<char>(run.flip_y));
  __m256 scale[2], offset[2];
  HWY_UNROLL(2)
  for (std::size_t v = 0; v < 2; ++v) {
    scale[v] = _mm256_loadu_ps(run.scale + channel + v * pair_lanes);
    offset[v] = _mm256_loadu_ps(run.offset + channel + v * pair_lanes);
  }
  WinogradPlace place(s, index);
  for (std::size_t row = 0; row < rows; ++row, place.advance(s)) {
    const std::size_t height = HWY_MIN(tile, s.output_height - place.row);
    const std::size_t width = HWY_MIN(tile, s.output_width - place.column);
    std::uint8_t* const to =
        run.y + ((place.image * s.output_height + place.row) * s.output_width + place.column) * s.output_channels;
    PairSums pixels[tile][tile][2];
    HWY_UNROLL(2)
    for (std::size_t v = 0; v < 2; ++v)
      transform_square<__m256i, tile, to_tile>(
          [&](std::size_t i, std::size_t j) UNROLLED {
            return _mm256_load_si256(
                reinterpret_cast<const __m256i*>(sums + ((i * patch + j) * sum_rows + row) * columns + v * pair_lanes));
          },
          [&](std::size_t i, std::size_t j, __m256i sum) UNROLLED { pixels[i][j][v] = PairSums(sum); });
    for (std::size_t i = 0; i < height; ++i)
      for (std::size_t j = 0; j < width; ++j)
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to + (i * s.output_width + j) * s.output_channels + channel),
                         bytes_of_pairs<2>(pixels[i][j], scale, offset, flip));
  }
}

inline void multiply(const ByteTiles& run, std::size_t begin, std::size_t end, std::size_t first_panel,
                     std::size_t last_panel) {
  const std::size_t channels = run.sizes.channels;
  multiply_tiles<std::int32_t, columns, block_rows, blocks_together>(
      run, begin, end, first_panel, last_panel, blocks_together,
      [=](std::size_t rows, std::size_t, const std::int16_t* patches, const std::int16_t* filters, std::int32_t* to,
          NextShare) HWY_ATTR { blocks[rows](patches, channels, filters, to); },
      [&](std::size_t tile, std::size_t rows, std::size_t channel, const std::int32_t* sums)
          HWY_ATTR { write_tiles(run, tile, rows, channel, sums); });
}

inline ByteTilesFunctions functions() { return {columns, block_rows, transform, multiply}; }

}  // namespace byte_winograd
}  // namespace webnn::runtime::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
