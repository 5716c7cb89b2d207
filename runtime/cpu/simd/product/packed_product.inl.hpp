// Products of a few rows with a packed panel of columns, for one instruction set: the inner loops of the matrix kernels.
// Sums stay in registers for a block of products (sum_blocks.inl.hpp). Included after float_io.inl.hpp.
#include <cstddef>
#include <hwy/highway.h>

#include "runtime/cpu/simd/product/next_part.hpp"
#include "runtime/cpu/simd/product/sum_blocks.inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace webnn::runtime::simd::HWY_NAMESPACE {

/// The columns of a panel: two vectors. A panel is [depth][panel_columns].
inline constexpr std::size_t panel_columns = 2 * hn::MaxLanes(Float());
/// The maximum rows of a register block: their sums fit in the registers besides a line of the panel.
inline constexpr std::size_t product_rows = VECTOR_REGISTERS >= 32 ? 12 : 6;

/// sums[row] += factor(row) * line, for one line of a panel of float or Half.
template <class D, std::size_t rows, std::size_t vectors, class Weight, class Factor>
HWY_INLINE void add_line(D d, Factor factor_of, const Weight* HWY_RESTRICT line, hn::Vec<D> (&sums)[rows][vectors]) {
  hn::Vec<D> weights[vectors];
  HWY_UNROLL(4)
  for (std::size_t i = 0; i < vectors; ++i) weights[i] = load(d, line + i * hn::MaxLanes(d));
  HWY_UNROLL(12)
  for (std::size_t row = 0; row < rows; ++row) {
    const hn::Vec<D> factor = hn::Set(d, factor_of(row));
    HWY_UNROLL(4)
    for (std::size_t i = 0; i < vectors; ++i) sums[row][i] = hn::MulAdd(factor, weights[i], sums[row][i]);
  }
}

/// Fetches a line of a panel into the L2 cache.
template <class Weight>
HWY_INLINE void fetch_line(const Weight* line) {
  for (std::size_t i = 0; i < panel_columns; i += 64 / sizeof(Weight)) __builtin_prefetch(line + i, 0, 2);
}

/// How far ahead few rows fetch what they read of a matrix, in bytes. On an Intel processor, 151 MB take 9.1 ms so at one
/// thread and 3.3 ms at two; 8.3 and 4.5 ms with 2 KiB, 10.1 and 3.8 ms with 16 KiB, 11.3 and 5.7 ms without. Into the L1
/// cache, 16 KiB ahead, they take 10.9 and 4.7 ms. On Zen 5 that was best: 80 us for 5 MB, 110 without.
inline constexpr std::size_t fetched_ahead = 8 * 1024;

/// to[row][column] = sum over k of a[row][k] * panel[k][column]. Rows of `a` are `a_row` floats apart, rows of `to`
/// panel_columns. Products are spread over `chains` accumulators, because with few rows a single chain waits for the
/// latency of its additions. The tag D determines the vector length. `is_last`: no panel follows in memory.
template <class D, std::size_t rows, std::size_t chains, class Weight, bool is_last = false>
void multiply_panel(const float* HWY_RESTRICT a, std::size_t a_row, std::size_t depth, const Weight* HWY_RESTRICT panel,
                    float* HWY_RESTRICT to, NextShare next) {
  const D d;
  constexpr std::size_t vectors = panel_columns / hn::MaxLanes(D());
  // With several rows, the arithmetic takes longer than reading the panel, and the next rows read the panel again: time
  // to fetch the next panel, or the filters of the next element.
  constexpr bool fetches_next = rows >= 4 && !is_last;
  // Few rows wait for the matrix, which is read once. The fetches may be behind its end.
  constexpr bool fetches_ahead = rows < 4 && !is_last;
  const std::size_t block = block_length(depth, short_block * chains);
  std::size_t k = 0;
  do {
    const bool is_first = k == 0;
    const std::size_t end = HWY_MIN(k + block, depth);
    hn::Vec<D> sums[chains][rows][vectors];
    HWY_UNROLL(4)
    for (std::size_t chain = 0; chain < chains; ++chain) {
      HWY_UNROLL(12)
      for (std::size_t row = 0; row < rows; ++row) {
        HWY_UNROLL(4)
        for (std::size_t i = 0; i < vectors; ++i) sums[chain][row][i] = hn::Zero(d);
      }
    }
    const auto factor = [&](std::size_t row) HWY_ATTR { return a[row * a_row + k]; };
    for (; k + chains <= end;) {
      HWY_UNROLL(4)
      for (std::size_t chain = 0; chain < chains; ++chain, ++k, panel += panel_columns) {
        if constexpr (fetches_next) {
          next.fetch<panel_columns * sizeof(Weight)>();
          next.advance();
        }
        if constexpr (fetches_ahead) fetch_line(panel + fetched_ahead / sizeof(Weight));
        add_line(d, factor, panel, sums[chain]);
      }
    }
    for (; k < end; ++k, panel += panel_columns) add_line(d, factor, panel, sums[0]);
    const auto write = [&](auto added) HWY_ATTR {
      HWY_UNROLL(12)
      for (std::size_t row = 0; row < rows; ++row) {
        HWY_UNROLL(4)
        for (std::size_t i = 0; i < vectors; ++i) {
          HWY_UNROLL(4)
          for (std::size_t chain = 1; chain < chains; ++chain)
            sums[0][row][i] = hn::Add(sums[0][row][i], sums[chain][row][i]);
          float* const at = to + row * panel_columns + i * hn::MaxLanes(d);
          hn::StoreU(added(sums[0][row][i], at), d, at);
        }
      }
    };
    if (is_first) {
      write([](hn::Vec<D> v, const float*) HWY_ATTR { return v; });
    } else {
      write([=](hn::Vec<D> v, const float* at) HWY_ATTR { return hn::Add(v, hn::LoadU(d, at)); });
    }
  } while (k < depth);
}

template <class Weight>
using MultiplyPanel = void(const float* a, std::size_t a_row, std::size_t depth, const Weight* panel, float* to,
                           NextShare next);
/// multiply_panel, indexed by the number of rows, 1 to product_rows, with one accumulator for each sum.
template <class Weight, bool is_last = false>
static constexpr MultiplyPanel<Weight>* panel_products[] = {
    nullptr,
    multiply_panel<Float, 1, 1, Weight, is_last>,
    multiply_panel<Float, 2, 1, Weight, is_last>,
    multiply_panel<Float, 3, 1, Weight, is_last>,
    multiply_panel<Float, 4, 1, Weight, is_last>,
    multiply_panel<Float, 5, 1, Weight, is_last>,
    multiply_panel<Float, 6, 1, Weight, is_last>,
#if VECTOR_REGISTERS >= 32
    multiply_panel<Float, 7, 1, Weight, is_last>,
    multiply_panel<Float, 8, 1, Weight, is_last>,
    multiply_panel<Float, 9, 1, Weight, is_last>,
    multiply_panel<Float, 10, 1, Weight, is_last>,
    multiply_panel<Float, 11, 1, Weight, is_last>,
    multiply_panel<Float, 12, 1, Weight, is_last>,
#endif
};
static_assert(sizeof(panel_products<float>) / sizeof(panel_products<float>[0]) == product_rows + 1);

}  // namespace webnn::runtime::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
