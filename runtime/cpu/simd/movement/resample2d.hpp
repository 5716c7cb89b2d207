// What the plain and the vector code of resample2d share.
#pragma once

#include <cstdint>

namespace webnn::runtime::simd {

/// Where one output coordinate of an axis reads: (1 - weight) * [low] + weight * [high], as offsets in elements.
/// Without a weight both are one, and `high` is not read.
struct Sample {
  std::int64_t low = 0, high = 0;
  float weight = 0;
};

}  // namespace webnn::runtime::simd
