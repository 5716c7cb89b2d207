// Depthwise convolution: which calls its own kernel takes, and what padding does. (What else it computes is compared by
// tests/runtime/kernel_rows.)
#include <cmath>
#include <doctest/doctest.h>
#include <limits>

#include "tests/harness/kernel_row.hpp"
#include "tests/harness/simd_rows.hpp"

namespace webnn::tests::conv2d_depthwise_test {
namespace {

bool takes(std::uint32_t channels, const Shape& filter, int groups, const IntegerList& strides,
           const IntegerList& dilations) {
  const TestTensor x{{DataType::float32, {1, channels, 20, 20}}, {}}, w{{DataType::float32, filter}, {}};
  return tests::can(
      all_simd_rows("conv2d.depthwise").back(),
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

TEST_CASE("depthwise: every window sees a column of the image") {
  const auto takes_padding = [](const IntegerList& padding, std::uint32_t width, int stride) {
    const TestTensor x{{DataType::float32, {1, 8, 9, width}}, {}}, w{{DataType::float32, {8, 1, 3, 3}}, {}};
    return tests::can(
        all_simd_rows("conv2d.depthwise").back(),
        operator_spec("conv2d", {x, w}, {{"groups", 8}, {"padding", padding}, {"strides", IntegerList{1, stride}}}));
  };
  CHECK(takes_padding({0, 0, 2, 2}, 9, 1));
  CHECK(takes_padding({9, 9, 2, 2}, 8, 2));  // the last window begins at the last column but one
  CHECK(takes_padding({0, 0, 2, 2}, 1, 1));
  CHECK_FALSE(takes_padding({0, 0, 3, 0}, 9, 1));
  CHECK_FALSE(takes_padding({0, 0, 0, 3}, 9, 1));
  CHECK_FALSE(takes_padding({0, 0, 2, 3}, 8, 2));
}

TEST_CASE("depthwise: padding adds nothing, not even for a weight that is infinite") {
  constexpr std::uint32_t channels = 20, size = 9;
  for (const std::string& row : simd_rows("conv2d.depthwise")) {
    CAPTURE(row);
    const TestTensor x = tensor_of(DataType::float32, {1, channels, size, size},
                                   std::vector<float>(std::size_t{channels} * size * size, 1.0f));
    std::vector<float> weights(std::size_t{channels} * 9, 1.0f);
    for (std::size_t channel = 0; channel < channels; ++channel)
      weights[channel * 9 + 3] = std::numeric_limits<float>::infinity();  // the middle of the left column
    const TestTensor w = tensor_of(DataType::float32, {channels, 1, 3, 3}, weights);
    KernelSpec spec =
        operator_spec("conv2d", {x, w}, {{"groups", int{channels}}, {"padding", IntegerList{1, 1, 1, 1}}});
    spec.input_layouts = {Layout::channels_last, Layout::row_major, Layout::row_major};
    spec.output_layouts = {Layout::channels_last};
    const TestTensor y = run_row(row, spec, {x, w, std::nullopt}, {.constants = {1}})[0];
    const auto* const results = reinterpret_cast<const float*>(y.data.data());
    std::size_t wrong = 0;
    for (std::size_t pixel = 0; pixel < std::size_t{size} * size; ++pixel)
      for (std::size_t channel = 0; channel < channels; ++channel)
        wrong += std::isfinite(results[pixel * channels + channel]) != (pixel % size == 0);
    CHECK(wrong == 0);
  }
}

}  // namespace webnn::tests::conv2d_depthwise_test
