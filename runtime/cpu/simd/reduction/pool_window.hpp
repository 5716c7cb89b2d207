// Arguments of the vector code of pooling: the part of one window that is inside the input, and how averages of bytes
// are rounded.
#pragma once

#include <cstdint>

namespace webnn::runtime::simd {

/// The part of a window inside the input; both counts are 0 when nothing is.
struct PoolWindow {
  std::int64_t rows = 0, columns = 0;          // taps inside
  std::int64_t row_step = 0, column_step = 0;  // elements between neighbouring taps
};

/// How a sum of bytes becomes a byte: round(sum * factor / elements + offset), saturated.
struct AverageOfBytes {
  float factor = 1, offset = 0;
  float empty = 0;  // result of a window that sees nothing
};

}  // namespace webnn::runtime::simd
