// Attention of a tile of queries to a block of keys, for one instruction set; included by attention.cpp. Both matrix
// products use the same loop: elements of one matrix, broadcast to all lanes, times vectors of queries.
#include <cstddef>
#include <hwy/highway.h>

// clang-format off
#include "runtime/cpu/simd/elementwise/elementwise_math.inl.hpp"
#include "runtime/cpu/simd/float_io.inl.hpp"
#include "runtime/cpu/simd/product/sum_blocks.inl.hpp"
// clang-format on
#include "runtime/cpu/simd/attention/attention.hpp"
#include "schema/round_up.hpp"

HWY_BEFORE_NAMESPACE();
namespace webnn::runtime::simd::HWY_NAMESPACE {

/// The rows of a register block: 6 rows times the vectors of a tile fill the registers.
inline constexpr std::size_t attention_rows = 6;
inline constexpr std::size_t attention_vectors = VECTOR_REGISTERS >= 32 ? 4 : 2;

/// sums[row][vector] = the sum over all k of factors[row * row_step + k * step] * x[k][vector].
template <std::size_t rows, std::size_t vectors>
HWY_INLINE void sum_products_of_rows(const float* factors, std::size_t row_step, std::size_t step, const float* x,
                                     std::size_t depth, V (&sums)[rows][vectors]) {
  const std::size_t n = lanes();
  HWY_UNROLL(6)
  for (std::size_t row = 0; row < rows; ++row) {
    HWY_UNROLL(4)
    for (std::size_t i = 0; i < vectors; ++i) sums[row][i] = hn::Zero(Float());
  }
  for (std::size_t k = 0; k < depth; ++k, factors += step, x += vectors * n) {
    V v[vectors];
    HWY_UNROLL(4)
    for (std::size_t i = 0; i < vectors; ++i) v[i] = load(x + i * n);
    HWY_UNROLL(6)
    for (std::size_t row = 0; row < rows; ++row) {
      const V factor = set(factors[row * row_step]);
      HWY_UNROLL(4)
      for (std::size_t i = 0; i < vectors; ++i) sums[row][i] = hn::MulAdd(factor, v[i], sums[row][i]);
    }
  }
}

/// Calls body.template operator()<count>(first row) for the rows from `begin` to `end`, `count` at a time: 1 to `rows`.
template <std::size_t rows, typename Body>
void for_each_block_of(std::size_t count, std::size_t begin, std::size_t end, const Body& body) {
  if constexpr (rows > 1) {
    if (count < rows) return for_each_block_of<rows - 1>(count, begin, end, body);
  }
  for (std::size_t row = begin; row < end; row += rows) body.template operator()<rows>(row);
}

/// The same for as few register blocks as possible, of nearly equal size, that together cover `count` rows. Blocks of one
/// or two rows would wait for the latency of their additions.
template <typename Body>
void for_each_attention_tile(std::size_t count, const Body& body) {
  const std::size_t blocks = schema::div_up(count, attention_rows), rows = schema::div_up(count, blocks);
  const std::size_t small = rows * blocks - count, large_rows = (blocks - small) * rows;
  for_each_block_of<attention_rows>(rows, 0, large_rows, body);
  if (small != 0) for_each_block_of<attention_rows>(rows - 1, large_rows, count, body);
}

/// Computes the scores of all keys and raises `greatest` to their maximum. NaN scores are ignored here: they make the
/// sum of the weights NaN, whatever the maximum is.
template <std::size_t vectors>
HWY_INLINE void compute_scores(const AttentionBlock& b, V (&greatest)[vectors]) {
  const std::size_t n = lanes();
  for_each_attention_tile(b.keys, [&]<std::size_t rows>(std::size_t first) HWY_ATTR {
    V sums[rows][vectors];
    sum_products_of_rows(b.key + first * b.key_row, b.key_row, 1, b.queries, b.features, sums);
    HWY_UNROLL(6)
    for (std::size_t row = 0; row < rows; ++row) {
      const float* const mask = b.mask + (first + row) * b.mask_row;
      HWY_UNROLL(4)
      for (std::size_t i = 0; i < vectors; ++i) {
        if (b.mask != nullptr)
          sums[row][i] = hn::Add(sums[row][i], b.mask_of_queries ? load(mask + i * n) : set(*mask));
        greatest[i] = greater_of(sums[row][i], greatest[i]);
        store(sums[row][i], b.scores + ((first + row) * vectors + i) * n);
      }
    }
  });
}

/// Adds one more block of keys to the running result.
template <std::size_t vectors>
void attend_to_block(const AttentionBlock& b) {
  const std::size_t n = lanes();
  V greatest[vectors], correction[vectors], sums[vectors];
  HWY_UNROLL(4)
  for (std::size_t i = 0; i < vectors; ++i) greatest[i] = load(b.greatest + i * n);
  compute_scores(b, greatest);
  HWY_UNROLL(4)
  for (std::size_t i = 0; i < vectors; ++i) {
    correction[i] = exponential_of_weight(hn::Sub(load(b.greatest + i * n), greatest[i]));
    store(greatest[i], b.greatest + i * n);
    sums[i] = hn::Zero(Float());
  }
  for (std::size_t key = 0; key < b.keys; ++key) {
    HWY_UNROLL(4)
    for (std::size_t i = 0; i < vectors; ++i) {
      float* const score = b.scores + (key * vectors + i) * n;
      const V weight = exponential_of_weight(hn::Sub(load(score), greatest[i]));
      sums[i] = hn::Add(sums[i], weight);
      store(weight, score);
    }
  }
  HWY_UNROLL(4)
  for (std::size_t i = 0; i < vectors; ++i)
    store(hn::MulAdd(load(b.sums + i * n), correction[i], sums[i]), b.sums + i * n);
  const std::size_t block = block_length(b.keys, long_block);
  for_each_attention_tile(b.value_features, [&]<std::size_t rows>(std::size_t first) HWY_ATTR {
    float* const to = b.mixed + first * vectors * n;
    for (std::size_t key = 0; key < b.keys; key += block) {
      V mixed[rows][vectors];
      sum_products_of_rows(b.value + first + key * b.value_row, 1, b.value_row, b.scores + key * vectors * n,
                           HWY_MIN(block, b.keys - key), mixed);
      HWY_UNROLL(6)
      for (std::size_t row = 0; row < rows; ++row) {
        HWY_UNROLL(4)
        for (std::size_t i = 0; i < vectors; ++i) {
          const V before = load(to + (row * vectors + i) * n);
          const V after = key == 0 ? hn::MulAdd(before, correction[i], mixed[row][i]) : hn::Add(before, mixed[row][i]);
          store(after, to + (row * vectors + i) * n);
        }
      }
    }
  });
}

inline void attend(const AttentionBlock& b) {
  if (b.vectors == 1) return attend_to_block<1>(b);
  if (b.vectors == 2) return attend_to_block<2>(b);
  if constexpr (attention_vectors == 4) {
    if (b.vectors == 3) return attend_to_block<3>(b);
    return attend_to_block<4>(b);
  }
}

/// Initialises the running result, for no keys yet. `greatest` starts at the lowest finite number rather than
/// -infinity, so that scores of -infinity get the weight 0.
inline void begin_attention(const AttentionBlock& b) {
  const std::size_t n = lanes();
  for (std::size_t i = 0; i < b.width; i += n) {
    store(set(-3.402823466e38f), b.greatest + i);
    store(hn::Zero(Float()), b.sums + i);
  }
  for (std::size_t i = 0; i < b.width * b.value_features; i += n) store(hn::Zero(Float()), b.mixed + i);
}

/// Divides by the sums of the weights. A query whose weights are all 0 gets NaN, as from a softmax of -infinity only.
inline void finish_attention(const AttentionBlock& b) {
  const std::size_t n = lanes();
  for (std::size_t i = 0; i < b.width; i += n) store(hn::Div(set(1.0f), load(b.sums + i)), b.sums + i);
  for (std::size_t row = 0; row < b.value_features; ++row)
    for (std::size_t i = 0; i < b.width; i += n) {
      float* const to = b.mixed + row * b.width + i;
      store(hn::Mul(load(to), load(b.sums + i)), to);
    }
}

/// x = factor * x
inline void scale_queries(float* x, std::size_t size, float factor) {
  for (std::size_t i = 0; i < size; i += lanes()) store(hn::Mul(load(x + i), set(factor)), x + i);
}

inline AttentionFunctions attention_functions() {
  return {lanes(), attention_vectors * lanes(), scale_queries, begin_attention, attend, finish_attention};
}

}  // namespace webnn::runtime::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
