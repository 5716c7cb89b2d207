// Data shared by the plain and the vector code of the reductions: which elements of a tensor make one result.
#pragma once

#include <cstddef>
#include <cstdint>

namespace webnn::runtime::simd {

/// A reduction as loops over memory. The innermost loop is either a run of contiguous reduced elements (`columns` is
/// 0), or covers `columns` adjacent results whose reduced elements are in rows.
struct ReductionLoops {
  static constexpr unsigned most_axes = 8;
  struct Axis {
    std::int64_t size = 1, stride = 0;  // number of elements; distance in elements of the input
  };
  Axis outer[most_axes];  // reduced axes except the innermost, outermost first
  unsigned outer_rank = 0;
  Axis inner;              // the innermost reduced axis; for a run the stride is 1
  std::int64_t count = 1;  // reduced elements of one result
};

/// What is folded, and what is done with the total.
enum class Fold : std::uint8_t {
  sum,
  sum_of_magnitudes,
  sum_of_squares,
  product,
  maximum,
  minimum,
  sum_of_exponentials
};
enum class Finish : std::uint8_t { none, mean, root, logarithm };

}  // namespace webnn::runtime::simd
