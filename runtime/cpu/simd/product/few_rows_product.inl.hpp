// Products with few rows, for one instruction set; included by few_rows_product.cpp, which explains it.
#include <cstddef>
#include <hwy/highway.h>

// clang-format off
#include "runtime/cpu/simd/elementwise/elementwise_math.inl.hpp"
#include "runtime/cpu/simd/float_io.inl.hpp"
#include "runtime/cpu/simd/product/packed_product.inl.hpp"
// clang-format on
#include "runtime/cpu/simd/product/few_rows_product.hpp"
#include "schema/round_up.hpp"

HWY_BEFORE_NAMESPACE();
namespace webnn::runtime::simd::HWY_NAMESPACE {
namespace few_rows_product {

inline void widen(const schema::Half* from, std::size_t count, float* to) { convert_elements(from, count, to); }

/// Writes at most a vector of results: `count` sums of a row from column `column` on.
template <typename T>
HWY_INLINE void write_results(const FewRowsProduct<T>& p, V sums, std::size_t row, std::size_t column,
                              std::size_t count) {
  const bool whole = count >= lanes();
  V result = hn::Mul(set(p.alpha), sums);
  if (p.c != nullptr) {
    const T* const c = p.c + row * p.c_row + column * p.c_column;
    const V added = p.c_column == 0 ? load_same(c) : whole ? load(c) : load_first(c, count, hn::Zero(Float()));
    result = hn::MulAdd(set(p.beta), added, result);
  }
  result = clamp(result, set(p.low), set(p.high));
  T* const to = p.y + row * p.columns + column;
  if (whole) {
    store(result, to);
  } else {
    store_first(result, to, count);
  }
}

/// The maximum rows of a register block: their sums fit in the registers besides a line of the panel.
inline constexpr std::size_t most_rows = 6;
/// multiply_panel, indexed by the number of rows, 1 to most_rows.
template <typename T>
static constexpr MultiplyPanel<T>* products[] = {
    nullptr,
    multiply_panel<Float8, 1, HWY_MIN(4, 64 / panel_columns), T>,
    multiply_panel<Float8, 2, 32 / panel_columns, T>,
    multiply_panel<Float8, 3, 1, T>,
    multiply_panel<Float8, 4, 1, T>,
    multiply_panel<Float8, 5, 1, T>,
    multiply_panel<Float8, 6, 1, T>,
};

/// Computes the columns of panels [begin, end).
template <typename T>
void multiply(const FewRowsProduct<T>& p, std::size_t begin, std::size_t end) {
  const std::size_t blocks = schema::div_up(p.rows, most_rows);
  alignas(64) float sums[most_rows * panel_columns];
  for (std::size_t panel = begin; panel < end; ++panel) {
    const std::size_t column = panel * panel_columns, left = HWY_MIN(panel_columns, p.columns - column);
    const T* const filters = p.panels + panel * p.depth * panel_columns;
    const NextPart next(filters + p.depth * panel_columns, p.depth, panel_columns * sizeof(T), blocks);
    for (std::size_t block = 0; block < blocks; ++block) {
      const std::size_t first = p.rows * block / blocks, rows = p.rows * (block + 1) / blocks - first;
      products<T>[rows](p.a + first * p.depth, p.depth, p.depth, filters, sums, next.for_block(block, p.depth));
      for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t at = 0; at < left; at += lanes())
          write_results(p, load(sums + row * panel_columns + at), first + row, column + at, left - at);
    }
  }
}

inline std::size_t columns_of_panel() { return panel_columns; }

}  // namespace few_rows_product
}  // namespace webnn::runtime::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
