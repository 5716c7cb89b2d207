// Sizes and arguments of products with block-quantised matrices (block_quantized_matmul.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace webnn::runtime::simd {

/// y[row][column] = the sum over all blocks of scale[block][column] * the sum over the block's lines k of
/// a[row][k] * (b[k][column] - zero_point[block][column]), kept in the limits.
///
/// Numbers are signed: of unsigned ones half of the range is taken off, and of their zero points. A word of 32 bits
/// holds neighbours in a column, the first one in the low bits; blocks are filled up to whole words.
template <typename Scale>  // float or Half
struct BlockQuantizedProduct {
  std::size_t rows = 1, columns = 1;
  std::size_t blocks = 1, block = 1;  // and lines of one: whole words
  std::size_t lines = 1;              // of a block, without those that fill it up
  const float* a = nullptr;           // [rows][a_row], of which blocks * block count; 0 where blocks are filled up
  std::size_t a_row = 1;
  const float* sums_of_a = nullptr;         // [rows][blocks]; read for few rows only
  const std::uint32_t* words = nullptr;     // [panels][words of a column][columns of a panel]
  const Scale* scale = nullptr;             // [panels][blocks][columns of a panel]
  const std::int8_t* zero_point = nullptr;  // the same
  float low = -std::numeric_limits<float>::infinity(), high = std::numeric_limits<float>::infinity();
  float* y = nullptr;  // [rows][columns]
  /// Rows are multiplied in groups of so many; of few rows all are one group. Results do not depend on it.
  std::size_t row_group = 1;

  std::size_t groups() const { return (rows + row_group - 1) / row_group; }
};

/// Results of units [begin, end): unit panel * groups() + group has the columns of a panel and the rows of a group.
/// `scratch` is the caller's alone.
template <typename Scale>
using BlockQuantizedMultiply = void(const BlockQuantizedProduct<Scale>& product, std::size_t begin, std::size_t end,
                                    float* scratch);

struct BlockQuantizedSizes {
  std::size_t panel_columns;   // of a panel
  std::size_t few_rows;        // at most these are multiplied while the weights are widened in registers
  std::size_t most_group;      // the largest group of more rows, a multiple of the next
  std::size_t least_group;     // rows for which widening lines once more pays, where threads would be idle else
  std::size_t scratch_floats;  // of a thread, for more rows
};

}  // namespace webnn::runtime::simd
