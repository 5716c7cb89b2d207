// Arguments of the vector code of products with block-quantised matrices (block_quantized_matmul.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "schema/round_up.hpp"

namespace webnn::runtime::simd {

/// y[row][column] = sum over blocks of scale[block][column] * (sum over the lines k of the block of a[row][k] *
/// (b[k][column] - zero_point[block][column])), clamped to [low, high].
///
/// Quantised numbers are signed; for unsigned types half of the range is subtracted from the numbers and from their
/// zero points. A 32-bit word holds consecutive numbers of a column, the first one in the low bits. Blocks are padded
/// to whole words.
template <typename Scale>  // float or Half
struct BlockQuantizedProduct {
  std::size_t rows = 1, columns = 1;
  std::size_t blocks = 1, block = 1;  // number of blocks; lines of a block including padding
  std::size_t lines = 1;              // lines of a block without padding
  const float* a = nullptr;          // [rows][a_row], the first blocks * block of them used; 0 in the padding of blocks
  std::size_t a_row = 1;             // floats from one row of `a` to the next
  const float* sums_of_a = nullptr;  // [rows][blocks]: sums over the lines of each block; only read for few rows
  const std::uint32_t* words = nullptr;     // [panels][words of a column][columns of a panel]
  const Scale* scale = nullptr;             // [panels][blocks][columns of a panel]
  const std::int8_t* zero_point = nullptr;  // [panels][blocks][columns of a panel]
  float low = -std::numeric_limits<float>::infinity(), high = std::numeric_limits<float>::infinity();
  float* y = nullptr;  // [rows][columns]
  /// Rows are multiplied in groups of this size; few rows are a single group. Results do not depend on it.
  std::size_t row_group = 1;

  std::size_t groups() const { return schema::div_up(rows, row_group); }
};

/// Computes units [begin, end). Unit panel * groups() + group covers the columns of a panel and the rows of a group.
/// `scratch` belongs to the calling thread.
template <typename Scale>
using BlockQuantizedMultiply = void(const BlockQuantizedProduct<Scale>& product, std::size_t begin, std::size_t end,
                                    float* scratch);

struct BlockQuantizedSizes {
  std::size_t panel_columns;   // columns of a panel
  std::size_t few_rows;        // up to this many rows, weights are widened in registers
  std::size_t most_group;      // above: the maximum rows of a group, a multiple of least_group
  std::size_t least_group;     // minimum rows for which widening lines again pays when threads would be idle otherwise
  std::size_t scratch_floats;  // scratch of a thread, for more than few_rows rows
};

}  // namespace webnn::runtime::simd
