// Data shared by the plain and the vector code of resample2d.
#pragma once

#include <cstdint>

namespace webnn::runtime::simd {

/// The source of one output coordinate along an axis: (1 - weight) * [low] + weight * [high]; offsets in elements. With
/// weight 0 both offsets are equal, and `high` is not read.
struct Sample {
  std::int64_t low = 0, high = 0;
  float weight = 0;
};

}  // namespace webnn::runtime::simd
