// Pointwise convolution for one instruction set; included by conv2d_pointwise.cpp, which explains it. Output channels
// fill the vectors.
#include <cstddef>
#include <hwy/highway.h>

// clang-format off
#include "runtime/cpu/simd/elementwise/elementwise_math.inl.hpp"
#include "runtime/cpu/simd/float_io.inl.hpp"
#include "runtime/cpu/simd/product/packed_product.inl.hpp"
// clang-format on
#include "runtime/cpu/simd/convolution/conv2d_pointwise.hpp"

HWY_BEFORE_NAMESPACE();
namespace webnn::runtime::simd::HWY_NAMESPACE {
namespace pointwise {

/// The maximum rows of a register block, by the vectors of its panel: each sum needs a register, each row an address.
inline constexpr std::size_t most_rows[] = {8, 8, VECTOR_REGISTERS >= 32 ? 8 : 6, VECTOR_REGISTERS >= 32 ? 8 : 4, 6};
inline constexpr std::size_t most_vectors = VECTOR_REGISTERS >= 32 ? 4 : 3;
/// Strips (PointwiseRun::strip) are multiples of this, which is a multiple of the rows of any register block.
inline constexpr std::size_t strip_rows = 24;

/// Computes a register block: `rows` rows of a panel. The tag `D` determines the vector length.
template <class D, std::size_t vectors, std::size_t rows>
void multiply_block(const PointwiseRun& run, const PointwisePanel& panel, const float* HWY_RESTRICT line,
                    std::size_t row) {
  const D d;
  constexpr std::size_t lanes_of_vector = hn::MaxLanes(D());
  const bool is_full = panel.columns == panel.filled;
  const std::size_t in_last = panel.columns - (vectors - 1) * lanes_of_vector;
  hn::Vec<D> sums[rows][vectors];
  HWY_UNROLL(4)
  for (std::size_t i = 0; i < vectors; ++i) {
    hn::Vec<D> start = hn::Zero(d);
    if (run.bias != nullptr) {
      const float* const bias = run.bias + panel.column + i * lanes_of_vector;
      start = i + 1 == vectors ? load_first(d, bias, in_last, hn::Zero(d)) : hn::LoadU(d, bias);
    }
    HWY_UNROLL(8)
    for (std::size_t r = 0; r < rows; ++r) sums[r][i] = start;
  }
  const float* const x = run.x + row * run.depth;
  for (std::size_t k = 0; k < run.depth; ++k, line += vectors * lanes_of_vector)
    add_line(d, x + k, run.depth, line, sums);
  const auto low = hn::Set(d, run.low), high = hn::Set(d, run.high);
  float* y = run.y + row * run.columns + panel.column;
  HWY_UNROLL(8)
  for (std::size_t r = 0; r < rows; ++r, y += run.columns) {
    HWY_UNROLL(4)
    for (std::size_t i = 0; i < vectors; ++i) {
      const auto result = lesser_of(high, greater_of(low, sums[r][i]));
      if (i + 1 < vectors || is_full) {
        hn::StoreU(result, d, y + i * lanes_of_vector);
      } else {
        store_first(result, d, y + i * lanes_of_vector, in_last);
      }
    }
  }
}

using MultiplyBlock = void(const PointwiseRun& run, const PointwisePanel& panel, const float* line, std::size_t row);
/// multiply_block for `count` rows, 1 to `rows`.
template <class D, std::size_t vectors, std::size_t rows>
MultiplyBlock* block_of(std::size_t count) {
  if constexpr (rows > 1) {
    if (count < rows) return block_of<D, vectors, rows - 1>(count);
  }
  return multiply_block<D, vectors, rows>;
}

using FindBlock = MultiplyBlock*(std::size_t count);
/// block_of, indexed by the vectors of a panel; 0: half a vector.
inline constexpr FindBlock* by_vectors[] = {
    block_of<Float8, 1, most_rows[0]>, block_of<Float, 1, most_rows[1]>,
    block_of<Float, 2, most_rows[2]>,  block_of<Float, 3, most_rows[3]>,
#if VECTOR_REGISTERS >= 32
    block_of<Float, 4, most_rows[4]>,
#endif
};
static_assert(sizeof(by_vectors) / sizeof(by_vectors[0]) == most_vectors + 1);

/// Divides the rows into as few strips as possible and each strip into as few blocks as possible, of nearly equal size.
inline void multiply(const PointwiseRun& run, std::size_t begin, std::size_t end) {
  const std::size_t strips = (end - begin + run.strip - 1) / run.strip;
  for (std::size_t strip = 0; strip < strips; ++strip) {
    const std::size_t first = begin + (end - begin) * strip / strips;
    const std::size_t rows = begin + (end - begin) * (strip + 1) / strips - first;
    const float* line = run.filter;
    for (std::size_t p = 0; p < run.panel_count; ++p) {
      const PointwisePanel& panel = run.panels[p];
      const std::size_t vectors = panel.filled / lanes(), blocks = (rows + most_rows[vectors] - 1) / most_rows[vectors];
      for (std::size_t block = 0; block < blocks; ++block) {
        const std::size_t from = rows * block / blocks, to = rows * (block + 1) / blocks;
        by_vectors[vectors](to - from)(run, panel, line, first + from);
      }
      line += panel.filled * run.depth;
    }
  }
}

inline PointwiseFunctions functions() { return {lanes(), hn::MaxLanes(Float8()), most_vectors, strip_rows, multiply}; }

}  // namespace pointwise
}  // namespace webnn::runtime::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
