// What Winograd's convolutions of floats and of bytes share, for one instruction set: places of tiles, the addresses under a
// patch, transforms of squares, and the order of the products. Included after native.inl.hpp.
#include <cstddef>
#include <hwy/highway.h>

#include "runtime/cpu/simd/convolution/winograd_tiles.hpp"
#include "runtime/cpu/simd/product/next_part.hpp"
#include "schema/round_up.hpp"

HWY_BEFORE_NAMESPACE();
namespace webnn::runtime::simd::HWY_NAMESPACE {

/// The position of tile `index`, which moves on to the next one without divisions.
struct WinogradPlace {
  std::size_t image, row, column;  // row and column of its first output pixel
  HWY_INLINE WinogradPlace(const WinogradSizes& s, std::size_t index) {
    const std::size_t columns = s.tile_columns(), rows = s.tile_rows();
    column = index % columns * winograd_tile;
    row = index / columns % rows * winograd_tile;
    image = index / columns / rows;
  }
  HWY_INLINE void advance(const WinogradSizes& s) {
    column += winograd_tile;
    if (column < s.output_width) return;
    column = 0;
    row += winograd_tile;
    if (row < s.output_height) return;
    row = 0;
    ++image;
  }
};

/// Whether a tile's patch is inside the input. Few reach beyond it.
HWY_INLINE bool is_inside(const WinogradSizes& s, const WinogradPlace& place) {
  return place.row >= s.top && place.row - s.top + winograd_patch <= s.height && place.column >= s.left &&
         place.column - s.left + winograd_patch <= s.width;
}
/// The first pixel of a patch that is inside the input.
template <class T>
HWY_INLINE const T* first_of_patch(const WinogradSizes& s, const WinogradPlace& place, const T* x) {
  return x + ((place.image * s.height + place.row - s.top) * s.width + place.column - s.left) * s.channels;
}

/// The addresses of the input pixels under a tile's patch; `outside` for those beyond the input.
template <class T>
HWY_INLINE void find_patch(const WinogradSizes& s, const WinogradPlace& place, const T* x, const T* outside,
                           const T* (&from)[winograd_patch][winograd_patch]) {
  if (is_inside(s, place)) {
    const T* line = first_of_patch(s, place, x);
    HWY_UNROLL(4)
    for (std::size_t i = 0; i < winograd_patch; ++i, line += s.width * s.channels) {
      HWY_UNROLL(4)
      for (std::size_t j = 0; j < winograd_patch; ++j) from[i][j] = line + j * s.channels;
    }
    return;
  }
  const std::size_t top = place.row - s.top, left = place.column - s.left;  // wraps when negative
  for (std::size_t i = 0; i < winograd_patch; ++i)
    for (std::size_t j = 0; j < winograd_patch; ++j)
      from[i][j] = top + i < s.height && left + j < s.width
                       ? x + ((place.image * s.height + top + i) * s.width + left + j) * s.channels
                       : outside;
}

/// Transforms a square of vectors, load(i, j), first along i, then along j, and gives the `size` squared results to
/// store(i, j, result). `along` transforms one line. `load` and `store` are lambdas for `unrolled`: their addresses have
/// constant parts.
template <class Vector, std::size_t size, auto along, class Load, class Store>
HWY_INLINE void transform_square(Load load, Store store) {
  Vector half[size][winograd_patch];  // transformed along i
  unrolled<winograd_patch>([&](std::size_t j) UNROLLED {
    Vector line[winograd_patch], result[size];
    unrolled<winograd_patch>([&](std::size_t i) UNROLLED { line[i] = load(i, j); });
    along(line, result);
    unrolled<size>([&](std::size_t i) UNROLLED { half[i][j] = result[i]; });
  });
  unrolled<size>([&](std::size_t i) UNROLLED {
    Vector result[size];
    along(half[i], result);
    unrolled<size>([&](std::size_t j) UNROLLED { store(i, j, result[j]); });
  });
}

/// Multiplies tiles [begin, end) by panels of `columns` output channels, or what is left of them for the last. `together`
/// register blocks of `block_rows` tiles, at most `most_together`, take their products with the filters of one element,
/// one after another: these are read once for all, and those of the next element are fetched meanwhile.
/// multiply(rows, filled, patches, filters, to, next) computes a block for so many columns and fetches `next`,
/// write(tile, rows, channel, sums) gets the sums of all elements: [elements][most_together * block_rows][columns].
template <class Sum, std::size_t columns, std::size_t block_rows, std::size_t most_together, class Run, class Multiply,
          class Write>
HWY_INLINE void multiply_tiles(const Run& run, std::size_t begin, std::size_t end, std::size_t first_panel,
                               std::size_t last_panel, std::size_t together, Multiply multiply, Write write) {
  constexpr std::size_t sum_rows = most_together * block_rows;
  const std::size_t channels = run.sizes.channels, blocks = schema::div_up(end - begin, block_rows);
  const auto row_of = [=](std::size_t block) { return begin + (end - begin) * block / blocks; };
  alignas(64) Sum sums[winograd_elements * sum_rows * columns];
  for (std::size_t panel = first_panel; panel < last_panel; ++panel)
    for (std::size_t first = 0; first < blocks; first += together) {
      const std::size_t last = HWY_MIN(first + together, blocks), tile = row_of(first);
      const std::size_t filled = HWY_MIN(columns, run.sizes.output_channels - panel * columns);
      const auto* filters = run.filters + panel * winograd_elements * channels * columns;
      const auto* patches = run.patches;
      NextPart next(filters + channels * filled, channels, filled * sizeof *filters, last - first);
      for (std::size_t element = 0; element < winograd_elements; ++element) {
        for (std::size_t block = first; block < last; ++block) {
          const std::size_t row = row_of(block);
          multiply(row_of(block + 1) - row, filled, patches + (row - run.first) * channels, filters,
                   sums + (element * sum_rows + row - tile) * columns, next.for_block(block - first, channels));
        }
        next.advance();
        filters += channels * filled;
        patches += run.element_step;
      }
      write(tile, row_of(last) - tile, panel * columns, sums);
    }
}

}  // namespace webnn::runtime::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
