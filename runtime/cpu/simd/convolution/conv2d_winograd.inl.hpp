// Winograd's convolution of 3x3 windows, for one instruction set; included by conv2d_winograd.cpp, which explains it.
// Channels fill the vectors.
#include <cstddef>
#include <hwy/highway.h>

// clang-format off
#include "runtime/cpu/simd/elementwise/elementwise_math.inl.hpp"
#include "runtime/cpu/simd/float_io.inl.hpp"
#include "runtime/cpu/simd/product/packed_product.inl.hpp"
// clang-format on
#include "runtime/cpu/simd/convolution/conv2d_winograd.hpp"

HWY_BEFORE_NAMESPACE();
namespace webnn::runtime::simd::HWY_NAMESPACE {
namespace winograd {

/// F(2x2, 3x3): the points 0, 1, -1 and infinity.
struct Tile2 {
  static constexpr std::size_t tile = 2, patch = 4;
  static HWY_INLINE void to_patch(const V (&d)[4], V (&t)[4]) {
    t[0] = hn::Sub(d[0], d[2]);
    t[1] = hn::Add(d[1], d[2]);
    t[2] = hn::Sub(d[2], d[1]);
    t[3] = hn::Sub(d[1], d[3]);
  }
  static HWY_INLINE void to_tile(const V (&m)[4], V (&y)[2]) {
    y[0] = hn::Add(hn::Add(m[0], m[1]), m[2]);
    y[1] = hn::Sub(hn::Sub(m[1], m[2]), m[3]);
  }
};

/// F(4x4, 3x3): the points 0, a, -a, b, -b and infinity.
struct Tile4 {
  static constexpr std::size_t tile = 4, patch = 6;
  static constexpr float a = winograd_a, b = winograd_b, a2 = a * a, b2 = b * b;
  static HWY_INLINE void to_patch(const V (&d)[6], V (&t)[6]) {
    const V product = set(a2 * b2), sum = set(a2 + b2);
    t[0] = hn::MulAdd(product, d[0], hn::NegMulAdd(sum, d[2], d[4]));
    t[5] = hn::MulAdd(product, d[1], hn::NegMulAdd(sum, d[3], d[5]));
    const V even_a = hn::NegMulAdd(set(b2), d[2], d[4]), odd_a = hn::NegMulAdd(set(b2), d[1], d[3]);
    t[1] = hn::MulAdd(set(a), odd_a, even_a);
    t[2] = hn::NegMulAdd(set(a), odd_a, even_a);
    const V even_b = hn::NegMulAdd(set(a2), d[2], d[4]), odd_b = hn::NegMulAdd(set(a2), d[1], d[3]);
    t[3] = hn::MulAdd(set(b), odd_b, even_b);
    t[4] = hn::NegMulAdd(set(b), odd_b, even_b);
  }
  static HWY_INLINE void to_tile(const V (&m)[6], V (&y)[4]) {
    const V even_a = hn::Add(m[1], m[2]), odd_a = hn::Sub(m[1], m[2]);
    const V even_b = hn::Add(m[3], m[4]), odd_b = hn::Sub(m[3], m[4]);
    y[0] = hn::Add(m[0], hn::Add(even_a, even_b));
    y[1] = hn::MulAdd(set(a), odd_a, hn::Mul(set(b), odd_b));
    y[2] = hn::MulAdd(set(a2), even_a, hn::Mul(set(b2), even_b));
    y[3] = hn::MulAdd(set(a2 * a), odd_a, hn::MulAdd(set(b2 * b), odd_b, m[5]));
  }
};

/// The position of tile `index`.
struct Place {
  std::size_t image, row, column;  // row and column of its first output pixel
  HWY_INLINE Place(const WinogradSizes& s, std::size_t index) {
    const std::size_t columns = s.tile_columns(), rows = s.tile_rows();
    column = index % columns * s.tile;
    row = index / columns % rows * s.tile;
    image = index / columns / rows;
  }
};

template <class T>
void transform(const WinogradRun& run, std::size_t begin, std::size_t end) {
  const WinogradSizes& s = run.sizes;
  const std::size_t element = run.count * s.channels;
  for (std::size_t index = begin; index < end; ++index) {
    const Place place(s, index);
    const float* from[T::patch][T::patch];  // zeros outside of the input
    for (std::size_t i = 0; i < T::patch; ++i)
      for (std::size_t j = 0; j < T::patch; ++j) {
        const std::size_t row = place.row + i - s.top, column = place.column + j - s.left;  // wraps when negative
        from[i][j] = row < s.height && column < s.width
                         ? run.x + ((place.image * s.height + row) * s.width + column) * s.channels
                         : run.zeros;
      }
    float* const to = run.patches + (index - run.first) * s.channels;
    for (std::size_t channel = 0; channel < s.channels; channel += lanes()) {
      V half[T::patch][T::patch];  // transformed along one axis: [column][row]
      for (std::size_t i = 0; i < T::patch; ++i) {
        V line[T::patch], result[T::patch];
        for (std::size_t j = 0; j < T::patch; ++j) line[j] = load(from[i][j] + channel);
        T::to_patch(line, result);
        for (std::size_t j = 0; j < T::patch; ++j) half[j][i] = result[j];
      }
      for (std::size_t j = 0; j < T::patch; ++j) {
        V result[T::patch];
        T::to_patch(half[j], result);
        for (std::size_t i = 0; i < T::patch; ++i) store(result[i], to + (i * T::patch + j) * element + channel);
      }
    }
  }
}

/// Transforms the sums of `rows` tiles into pixels and writes them. `sums` is [elements][product_rows][panel_columns].
template <class T>
HWY_INLINE void write_tiles(const WinogradRun& run, std::size_t index, std::size_t rows, std::size_t channel,
                            const float* sums) {
  const WinogradSizes& s = run.sizes;
  const V low = set(run.low), high = set(run.high);
  for (std::size_t row = 0; row < rows; ++row) {
    const Place place(s, index + row);
    const std::size_t height = HWY_MIN(T::tile, s.output_height - place.row);
    const std::size_t width = HWY_MIN(T::tile, s.output_width - place.column);
    float* const to =
        run.y + ((place.image * s.output_height + place.row) * s.output_width + place.column) * s.output_channels;
    for (std::size_t at = 0; at < panel_columns && channel + at < s.output_channels; at += lanes()) {
      const V bias = load(run.bias + channel + at);
      V half[T::tile][T::patch];  // [row of the tile][column of the patch]
      for (std::size_t j = 0; j < T::patch; ++j) {
        V line[T::patch], result[T::tile];
        for (std::size_t i = 0; i < T::patch; ++i)
          line[i] = load(sums + ((i * T::patch + j) * product_rows + row) * panel_columns + at);
        T::to_tile(line, result);
        for (std::size_t i = 0; i < T::tile; ++i) half[i][j] = result[i];
      }
      for (std::size_t i = 0; i < height; ++i) {
        V result[T::tile];
        T::to_tile(half[i], result);
        for (std::size_t j = 0; j < T::tile; ++j)
          if (j < width)
            store(clamp(hn::Add(result[j], bias), low, high),
                  to + (i * s.output_width + j) * s.output_channels + channel + at);
      }
    }
  }
}

template <class T>
void multiply(const WinogradRun& run, std::size_t begin, std::size_t end, std::size_t first_panel,
              std::size_t last_panel) {
  constexpr std::size_t elements = T::patch * T::patch;
  const WinogradSizes& s = run.sizes;
  const std::size_t blocks = (end - begin + product_rows - 1) / product_rows;
  alignas(64) float sums[elements * product_rows * panel_columns];
  for (std::size_t panel = first_panel; panel < last_panel; ++panel)
    for (std::size_t block = 0; block < blocks; ++block) {
      const std::size_t tile = begin + (end - begin) * block / blocks;
      const std::size_t rows = begin + (end - begin) * (block + 1) / blocks - tile;
      PanelProduct<float>* const product = panel_products<float>[rows];
      const float* filters = run.filters + panel * elements * s.channels * panel_columns;
      const float* patches = run.patches + (tile - run.first) * s.channels;
      for (std::size_t element = 0; element < elements; ++element) {
        product(patches, s.channels, s.channels, filters, sums + element * product_rows * panel_columns);
        filters += s.channels * panel_columns;
        patches += run.count * s.channels;
      }
      write_tiles<T>(run, tile, rows, panel * panel_columns, sums);
    }
}

inline WinogradFunctions functions(std::size_t tile) {
  if (tile == Tile2::tile) return {panel_columns, product_rows, transform<Tile2>, multiply<Tile2>};
  return {panel_columns, product_rows, transform<Tile4>, multiply<Tile4>};
}

}  // namespace winograd
}  // namespace webnn::runtime::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
