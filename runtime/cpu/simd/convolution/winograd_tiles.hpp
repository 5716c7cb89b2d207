// What Winograd's convolutions of floats and of bytes share: which calls they take, and how tiles are divided for the cache
// and among threads.
#pragma once

#include <algorithm>
#include <cstddef>

#include "runtime/cpu_kernel.hpp"
#include "runtime/machine/core_caches.hpp"
#include "runtime/threads/parallel.hpp"

namespace webnn::runtime::simd {

/// A tile of the output is 2x2 pixels, under a patch of 4x4 pixels of the input.
inline constexpr std::size_t winograd_tile = 2, winograd_patch = 4, winograd_elements = 16;

/// Tiles are numbered along columns, rows and images.
struct WinogradSizes {
  std::size_t images = 1, height = 1, width = 1, channels = 1;           // of the input, in pixels
  std::size_t output_height = 1, output_width = 1, output_channels = 1;  // of the output, in pixels
  std::size_t top = 0, left = 0;                                         // padding, in pixels

  std::size_t tile_rows() const { return (output_height + winograd_tile - 1) / winograd_tile; }
  std::size_t tile_columns() const { return (output_width + winograd_tile - 1) / winograd_tile; }
  std::size_t tiles() const { return images * tile_rows() * tile_columns(); }
};

/// The multiplications of a tile, compared with those of its pixels.
inline constexpr double winograd_arithmetic = double(winograd_elements) / (winograd_tile * winograd_tile * 9);

WinogradSizes winograd_sizes(const KernelSpec& spec);
/// 3x3 windows with stride 1, without groups and dilations, and channels that fill vectors of 16.
bool has_winograd_windows(const KernelSpec& spec);
/// The cost of a convolution with tiles, compared with a direct one. A tile takes 16 multiplications for each pair of an
/// input and an output channel, each pixel of a direct convolution takes 9. Reading the filter costs as much as 16 more
/// tiles or pixels. A transform is shared by all channels of the other side, so its cost is divided by their number.
double tiles_to_direct(const KernelSpec& spec, const Target& target);

/// Transforms the 9 weights of a window along both axes: to[i * step] for element i. along(a, b, c, result, stride) makes
/// result[0] to result[3 * stride] of three numbers, which are `Wide`.
template <class Wide, class From, class To, class Along>
void transform_filter(const From* weights, To* to, std::size_t step, Along along) {
  Wide columns[winograd_patch][3], element[winograd_patch];
  for (std::size_t column = 0; column < 3; ++column)
    along(Wide(weights[column]), Wide(weights[3 + column]), Wide(weights[6 + column]), &columns[0][column], 3);
  for (std::size_t i = 0; i < winograd_patch; ++i) {
    along(columns[i][0], columns[i][1], columns[i][2], element, 1);
    for (std::size_t j = 0; j < winograd_patch; ++j) to[(i * winograd_patch + j) * step] = To(element[j]);
  }
}

/// Tiles are processed in as many equal portions as needed for their transformed patches to fit in the L2 cache.
struct TilePortions {
  std::size_t tiles = 0;          // of a portion
  std::size_t bytes_of_tile = 0;  // of its patch
  std::size_t element_step = 0;   // numbers between the elements of a patch, see `run_tiles`

  TilePortions(const WinogradSizes& sizes, std::size_t bytes_of_number);
};

/// Runs all portions: transforms each one's tiles, then multiplies them. `run` has the sizes; `code` is the vector code,
/// as in `WinogradFunctions`.
template <class Run, class Code>
void run_tiles(Run run, const Code& code, const TilePortions& portions, std::size_t panels) {
  const WinogradSizes& sizes = run.sizes;
  const bool filters_fit = portions.bytes_of_tile * sizes.output_channels <= core_caches().l2;
  const std::size_t work_of_tile = winograd_elements * sizes.channels * sizes.output_channels;
  for (; run.first < sizes.tiles(); run.first += run.count) {
    run.count = std::min(portions.tiles, sizes.tiles() - run.first);
    parallel_for(run.count, 1 + 100'000 / portions.bytes_of_tile,
                 [&](std::size_t begin, std::size_t end) { code.transform(run, run.first + begin, run.first + end); });
    // Each thread multiplies the tiles that are in its own cache, unless it would read much more of the filters for that.
    if (run.count >= code.rows * team_size() && (filters_fit || run.count >= sizes.output_channels)) {
      const std::size_t blocks = (run.count + code.rows - 1) / code.rows;
      parallel_for(blocks, 1 + 200'000 / (work_of_tile * code.rows), [&](std::size_t begin, std::size_t end) {
        code.multiply(run, run.first + begin * code.rows, run.first + std::min(end * code.rows, run.count), 0, panels);
      });
    } else {
      parallel_for(panels, 1 + 200'000 / (work_of_tile * run.count / panels), [&](std::size_t begin, std::size_t end) {
        code.multiply(run, run.first, run.first + run.count, begin, end);
      });
    }
  }
}

}  // namespace webnn::runtime::simd
