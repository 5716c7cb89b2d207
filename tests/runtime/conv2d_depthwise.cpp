// Depthwise convolution: which calls its own kernel takes. (What it computes is compared by tests/runtime/kernel_rows.)
#include <doctest/doctest.h>

#include "schema/kernel_conditions.hpp"
#include "tests/harness/simd_rows.hpp"

namespace webnn::tests {
namespace {

bool takes(std::uint32_t channels, const Shape& filter, int groups, const IntegerList& strides,
           const IntegerList& dilations) {
  const Tensor x{{DataType::float32, {1, channels, 20, 20}}, {}}, w{{DataType::float32, filter}, {}};
  return simd_takes_depthwise(
      operator_spec("conv2d", {x, w}, {{"groups", groups}, {"strides", strides}, {"dilations", dilations}}));
}

}  // namespace

TEST_CASE("depthwise: windows of 3 or 5 columns that move by 1 or 2, a window for each channel") {
  const IntegerList none{1, 1};
  CHECK(takes(24, {24, 1, 3, 3}, 24, none, none));
  CHECK(takes(7, {7, 1, 5, 5}, 7, {3, 2}, {2, 1}));
  CHECK_FALSE(takes(24, {24, 1, 3, 4}, 24, none, none));
  CHECK_FALSE(takes(24, {24, 1, 3, 3}, 24, {1, 3}, none));
  CHECK_FALSE(takes(24, {24, 1, 3, 3}, 24, none, {1, 2}));
  CHECK_FALSE(takes(24, {48, 1, 3, 3}, 24, none, none));  // two windows for each channel
  CHECK_FALSE(takes(24, {24, 2, 3, 3}, 12, none, none));
}

}  // namespace webnn::tests
