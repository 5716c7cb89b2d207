// What the vector code of pooling gets: the part of one window that lies in the input, and how averages of bytes are
// rounded.
#pragma once

#include <cstdint>

namespace webnn::runtime::simd {

/// Positions that a window sees; both counts are 0 for one that sees nothing.
struct PoolWindow {
  std::int64_t rows = 0, columns = 0;
  std::int64_t row_step = 0, column_step = 0;  // elements between neighbours
};

/// How a sum of bytes becomes a byte: round(sum * factor / elements + offset), saturated.
struct AverageOfBytes {
  float factor = 1, offset = 0;
  float empty = 0;  // the result where a window sees nothing
};

}  // namespace webnn::runtime::simd
