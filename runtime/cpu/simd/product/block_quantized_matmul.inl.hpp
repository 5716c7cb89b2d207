// Products with block-quantised matrices, for one instruction set; included by block_quantized_matmul.cpp, which
// explains it.
#include <cstddef>
#include <cstdint>
#include <hwy/cache_control.h>
#include <hwy/highway.h>

// clang-format off
#include "runtime/cpu/simd/elementwise/elementwise_math.inl.hpp"
#include "runtime/cpu/simd/float_io.inl.hpp"
#include "runtime/cpu/simd/product/packed_product.inl.hpp"
// clang-format on
#include "runtime/cpu/simd/product/block_quantized_matmul.hpp"
#include "schema/round_up.hpp"

HWY_BEFORE_NAMESPACE();
namespace webnn::runtime::simd::HWY_NAMESPACE {
namespace block_quantized_matmul {

using Word = hn::Rebind<std::uint32_t, Float>;
using Words = hn::Vec<Word>;

inline constexpr std::size_t vectors = 2;  // of the columns of a panel
/// The maximum rows of a GEMV or skinny GEMM: their sums, of a block and in total, fit in the registers besides the
/// weights.
inline constexpr std::size_t few_rows = VECTOR_REGISTERS >= 32 ? 4 : 2;
/// Prefetch distance in words; with few rows the time goes into reading the words.
inline constexpr std::size_t prefetched = 32 * panel_columns;
/// Lines of a panel that are widened at a time: they stay in the L1 cache while all rows use them.
inline constexpr std::size_t wide_lines = (VECTOR_REGISTERS >= 32 ? 6144 : 4096) / panel_columns;
/// The maximum rows of a group: their sums stay in the cache besides these lines.
inline constexpr std::size_t most_group = 120;
inline constexpr std::size_t least_group = 2 * product_rows;
static_assert(most_group % least_group == 0);

/// Number `i` of each word; a number has `bits` bits.
template <unsigned bits, unsigned i>
HWY_INLINE V number(Words words) {
#if LOOKS_UP_16
  if constexpr (bits == 4) {  // the instruction uses the lowest four bits only
    alignas(64) static constexpr float values[] = {0, 1, 2, 3, 4, 5, 6, 7, -8, -7, -6, -5, -4, -3, -2, -1};
    Words first = words;
    if constexpr (i != 0) first = hn::ShiftRight<bits * i>(words);
    return look_up(values, hn::BitCast(Int(), first));
  }
#endif
  Words last = words;
  if constexpr (bits * (i + 1) != 32) last = hn::ShiftLeft<32 - bits*(i + 1)>(words);
  return hn::ConvertTo(Float(), hn::ShiftRight<32 - bits>(hn::BitCast(Int(), last)));
}

/// A vector of zero points.
HWY_INLINE V load_zero_points(const std::int8_t* p) {
  const hn::Rebind<std::int8_t, Float> stored;
  return hn::ConvertTo(Float(), hn::PromoteTo(Int(), hn::LoadU(stored, p)));
}

/// Whether zero points are subtracted from the numbers; otherwise they are taken off the sums of blocks. The latter is
/// less work, and with 4 bits the sums are not much larger than the results.
template <unsigned bits>
inline constexpr bool zero_points_first = bits == 8;

/// sums[chain][row] += a[row][i] * number i of the words, for all numbers from `i` on.
template <unsigned bits, std::size_t rows, std::size_t chains, unsigned i = 0>
HWY_INLINE void add_words(const float* HWY_RESTRICT a, std::size_t a_row, const Words (&words)[vectors],
                          const V (&zero_points)[vectors], V (&sums)[chains][rows][vectors]) {
  if constexpr (i < 32 / bits) {
    V weights[vectors] = {number<bits, i>(words[0]), number<bits, i>(words[1])};
    if constexpr (zero_points_first<bits>) {
      weights[0] = hn::Sub(weights[0], zero_points[0]);
      weights[1] = hn::Sub(weights[1], zero_points[1]);
    }
    HWY_UNROLL(4)
    for (std::size_t row = 0; row < rows; ++row) {
      const V factor = set(a[row * a_row + i]);
      V(&to)[vectors] = sums[i % chains][row];
      to[0] = hn::MulAdd(factor, weights[0], to[0]);
      to[1] = hn::MulAdd(factor, weights[1], to[1]);
    }
    add_words<bits, rows, chains, i + 1>(a, a_row, words, zero_points, sums);
  }
}

/// to[row][column] = the product of all rows with a panel. The sum of each block is multiplied by its scale, and
/// corrected by its zero point unless that was subtracted from the numbers.
template <unsigned bits, std::size_t rows, std::size_t chains, typename Scale>
void multiply_panel(const BlockQuantizedProduct<Scale>& p, std::size_t panel, float* HWY_RESTRICT to) {
  constexpr std::size_t in_word = 32 / bits;
  const std::size_t words_of_block = p.block / in_word;
  const std::uint32_t* HWY_RESTRICT words = p.words + panel * p.blocks * words_of_block * panel_columns;
  const Scale* HWY_RESTRICT scale = p.scale + panel * p.blocks * panel_columns;
  const std::int8_t* HWY_RESTRICT zero_point = p.zero_point + panel * p.blocks * panel_columns;
  const float* HWY_RESTRICT a = p.a;
  const float* HWY_RESTRICT sums_of_a = p.sums_of_a;
  V totals[rows][vectors];
  HWY_UNROLL(4)
  for (std::size_t row = 0; row < rows; ++row) totals[row][0] = totals[row][1] = hn::Zero(Float());
  for (std::size_t block = 0; block < p.blocks; ++block) {
    V sums[chains][rows][vectors];
    HWY_UNROLL(4)
    for (std::size_t chain = 0; chain < chains; ++chain) {
      HWY_UNROLL(4)
      for (std::size_t row = 0; row < rows; ++row) sums[chain][row][0] = sums[chain][row][1] = hn::Zero(Float());
    }
    const V zero_points[vectors] = {load_zero_points(zero_point), load_zero_points(zero_point + lanes())};
    for (std::size_t word = 0; word < words_of_block; ++word, words += panel_columns, a += in_word) {
      for (std::size_t i = 0; i < vectors; ++i) hwy::Prefetch(words + prefetched + i * lanes());
      const Words line[vectors] = {hn::LoadU(Word(), words), hn::LoadU(Word(), words + lanes())};
      add_words<bits>(a, p.a_row, line, zero_points, sums);
    }
    HWY_UNROLL(2)
    for (std::size_t i = 0; i < vectors; ++i) {
      const V scales = load(scale + i * lanes());
      HWY_UNROLL(4)
      for (std::size_t row = 0; row < rows; ++row) {
        HWY_UNROLL(4)
        for (std::size_t chain = 1; chain < chains; ++chain)
          sums[0][row][i] = hn::Add(sums[0][row][i], sums[chain][row][i]);
        V sum = sums[0][row][i];
        if constexpr (!zero_points_first<bits>)
          sum = hn::NegMulAdd(zero_points[i], set(sums_of_a[row * p.blocks]), sum);
        totals[row][i] = hn::MulAdd(sum, scales, totals[row][i]);
      }
    }
    scale += panel_columns;
    zero_point += panel_columns;
    ++sums_of_a;
  }
  HWY_UNROLL(4)
  for (std::size_t row = 0; row < rows; ++row) {
    hn::StoreU(totals[row][0], Float(), to + row * panel_columns);
    hn::StoreU(totals[row][1], Float(), to + row * panel_columns + lanes());
  }
}

/// Writes the results of rows [first, first + count) from their sums in the columns of a panel.
template <typename Scale>
void write_results(const BlockQuantizedProduct<Scale>& p, const float* sums, std::size_t first, std::size_t count,
                   std::size_t panel) {
  const std::size_t column = panel * panel_columns, left = HWY_MIN(panel_columns, p.columns - column);
  for (std::size_t row = 0; row < count; ++row)
    for (std::size_t at = 0; at < left; at += lanes()) {
      const V result = clamp(load(sums + row * panel_columns + at), set(p.low), set(p.high));
      float* const to = p.y + (first + row) * p.columns + column + at;
      if (left - at >= lanes())
        store(result, to);
      else
        store_first(result, to, left - at);
    }
}

/// Dequantises the numbers of the words from `i` on, exactly as dequantizeLinear does, one line for each number.
template <unsigned bits, unsigned i = 0>
HWY_INLINE void widen_words(const Words (&words)[vectors], const V (&scales)[vectors], const V (&zero_points)[vectors],
                            float* HWY_RESTRICT to) {
  if constexpr (i < 32 / bits) {
    HWY_UNROLL(2)
    for (std::size_t v = 0; v < vectors; ++v)
      store(hn::Mul(hn::Sub(number<bits, i>(words[v]), zero_points[v]), scales[v]),
            to + i * panel_columns + v * lanes());
    widen_words<bits, i + 1>(words, scales, zero_points, to);
  }
}

/// Dequantises `count` lines of a panel from line `first` on (both multiples of the numbers in a word).
template <unsigned bits, typename Scale>
void widen_lines(const BlockQuantizedProduct<Scale>& p, std::size_t panel, std::size_t first, std::size_t count,
                 float* HWY_RESTRICT to) {
  constexpr std::size_t in_word = 32 / bits;
  const std::uint32_t* words = p.words + (panel * p.blocks * p.block + first) / in_word * panel_columns;
  for (std::size_t line = first; line < first + count;) {
    const std::size_t block = line / p.block, end = HWY_MIN(first + count, (block + 1) * p.block);
    const std::size_t at = (panel * p.blocks + block) * panel_columns;
    const V scales[vectors] = {load(p.scale + at), load(p.scale + at + lanes())};
    const V zero_points[vectors] = {load_zero_points(p.zero_point + at), load_zero_points(p.zero_point + at + lanes())};
    for (; line < end; line += in_word, words += panel_columns, to += in_word * panel_columns) {
      const Words both[vectors] = {hn::LoadU(Word(), words), hn::LoadU(Word(), words + lanes())};
      widen_words<bits>(both, scales, zero_points, to);
    }
  }
}

/// multiply_panel exactly as dequantizeLinear and matmul define it, for `rows` rows from `first` on. Needed where
/// factoring the scale out of a sum makes a difference.
template <unsigned bits, typename Scale>
HWY_NOINLINE void multiply_widened(const BlockQuantizedProduct<Scale>& p, std::size_t panel, std::size_t first,
                                   std::size_t rows, float* HWY_RESTRICT to) {
  constexpr std::size_t in_word = 32 / bits;
  alignas(64) float widened[in_word * panel_columns];
  for (std::size_t i = 0; i < rows * panel_columns; ++i) to[i] = 0.0f;
  for (std::size_t line = 0; line < p.blocks * p.block; line += in_word) {
    widen_lines<bits>(p, panel, line, in_word, widened);
    const std::size_t of_block = line % p.block, count = of_block < p.lines ? HWY_MIN(in_word, p.lines - of_block) : 0;
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t i = 0; i < count; ++i) {
        const V factor = set(p.a[(first + row) * p.a_row + line + i]);
        for (std::size_t at = 0; at < panel_columns; at += lanes()) {
          float* const sum = to + row * panel_columns + at;
          store(hn::MulAdd(factor, load(widened + i * panel_columns + at), load(sum)), sum);
        }
      }
  }
}

/// Whether none of `count` numbers, whole vectors, is infinite or NaN.
inline bool are_finite(const float* numbers, std::size_t count) {
  V sum = hn::Zero(Float());  // sums x - x, which is 0 for finite x
  for (std::size_t i = 0; i < count; i += lanes()) {
    const V some = load(numbers + i);
    sum = hn::Add(sum, hn::Sub(some, some));
  }
  return hn::AllTrue(Float(), hn::Eq(sum, hn::Zero(Float())));
}

/// Writes the results of `rows` rows from `first` on in a panel, from their sums. Sums that are not finite are computed
/// again: with an infinite scale, or when the sum of a row overflows, factoring out the scale gives other infinities
/// and NaNs.
template <unsigned bits, typename Scale>
void finish_panel(const BlockQuantizedProduct<Scale>& p, std::size_t panel, std::size_t first, std::size_t rows,
                  float* sums) {
  if (!are_finite(sums, rows * panel_columns)) multiply_widened<bits>(p, panel, first, rows, sums);
  write_results(p, sums, first, rows, panel);
}

template <unsigned bits, typename Scale>
void multiply_few(const BlockQuantizedProduct<Scale>& p, std::size_t begin, std::size_t end, float*) {
  alignas(64) float sums[few_rows * panel_columns];
  for (std::size_t panel = begin; panel < end; ++panel) {
    if (p.rows == 1) multiply_panel<bits, 1, 4>(p, panel, sums);
    if (p.rows == 2) multiply_panel<bits, 2, 2>(p, panel, sums);
#if VECTOR_REGISTERS >= 32
    if (p.rows == 3) multiply_panel<bits, 3, 1>(p, panel, sums);
    if (p.rows == 4) multiply_panel<bits, 4, 1>(p, panel, sums);
#endif
    finish_panel<bits>(p, panel, 0, p.rows, sums);
  }
}

template <unsigned bits, typename Scale>
void multiply_many(const BlockQuantizedProduct<Scale>& p, std::size_t begin, std::size_t end, float* scratch) {
  float* const widened = scratch;
  float* const sums = scratch + wide_lines * panel_columns;
  alignas(64) float part[product_rows * panel_columns];
  const std::size_t depth = p.blocks * p.block;
  for (std::size_t unit = begin; unit < end; ++unit) {
    const std::size_t panel = unit / p.groups(), group = unit % p.groups() * p.row_group;
    const std::size_t rows = HWY_MIN(p.row_group, p.rows - group), tiles = schema::div_up(rows, product_rows);
    for (std::size_t line = 0; line < depth; line += wide_lines) {
      const std::size_t lines = HWY_MIN(wide_lines, depth - line);
      widen_lines<bits>(p, panel, line, lines, widened);
      for (std::size_t tile = 0; tile < tiles; ++tile) {
        const std::size_t first = rows * tile / tiles, count = rows * (tile + 1) / tiles - first;
        const float* const a = p.a + (group + first) * p.a_row + line;
        float* const to = sums + first * panel_columns;
        if (line == 0) {
          panel_products<float, true>[count](a, p.a_row, lines, widened, to, NextShare(widened));
          continue;
        }
        panel_products<float, true>[count](a, p.a_row, lines, widened, part, NextShare(widened));
        for (std::size_t i = 0; i < count * panel_columns; i += lanes())
          store(hn::Add(load(to + i), load(part + i)), to + i);
      }
    }
    finish_panel<bits>(p, panel, group, rows, sums);
  }
}

/// Copies a row of blocks and pads each with zeros, and sums each block; `to` or `sums` may be null.
inline void bring_row(const float* from, std::size_t blocks, std::size_t block, std::size_t filled_block, float* to,
                      float* sums) {
  for (std::size_t i = 0; i < blocks; ++i, from += block) {
    if (to != nullptr) {
      convert_elements(from, block, to);
      for (std::size_t k = block; k < filled_block; ++k) to[k] = 0;
      to += filled_block;
    }
    if (sums == nullptr) continue;
    V all = hn::Zero(Float());
    std::size_t k = 0;
    for (; k + lanes() <= block; k += lanes()) all = hn::Add(all, load(from + k));
    if (k < block) all = hn::Add(all, load_first(from + k, block - k, hn::Zero(Float())));
    sums[i] = hn::GetLane(hn::SumOfLanes(Float(), all));
  }
}

template <typename Scale>
BlockQuantizedMultiply<Scale>* multiply(unsigned bits, bool few) {
  if (bits == 4) return few ? multiply_few<4, Scale> : multiply_many<4, Scale>;
  return few ? multiply_few<8, Scale> : multiply_many<8, Scale>;
}

inline BlockQuantizedSizes sizes() {
  return {panel_columns, few_rows, most_group, least_group, (wide_lines + most_group) * panel_columns};
}

}  // namespace block_quantized_matmul
}  // namespace webnn::runtime::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
