// Pointwise convolution: what it takes, and that every division of channels into panels and of pixels into blocks sums
// up the right numbers.
#include <algorithm>
#include <doctest/doctest.h>
#include <random>

#include "runtime/threads/parallel.hpp"
#include "tests/harness/kernel_row.hpp"
#include "tests/harness/simd_rows.hpp"

namespace webnn::tests::conv2d_pointwise_test {
namespace {

KernelSpec convolution(const Shape& input, const Shape& filter, const NamedAttributes& attributes = {}) {
  KernelSpec spec = operator_spec(
      "conv2d", {TestTensor{{DataType::float32, input}, {}}, TestTensor{{DataType::float32, filter}, {}}}, attributes);
  spec.input_layouts = {Layout::channels_last, Layout::row_major, Layout::row_major};
  spec.output_layouts = {Layout::channels_last};
  return spec;
}

struct Case {
  std::uint32_t images, height, width, depth, columns, stride;
};

/// Whether relu(conv2d) of whole numbers, whose sums are exact, is what plain loops give.
void check_exact(const std::string& row, const Case& c) {
  CAPTURE(c.height);
  CAPTURE(c.width);
  CAPTURE(c.depth);
  CAPTURE(c.columns);
  CAPTURE(c.stride);
  KernelSpec spec = convolution({c.images, c.depth, c.height, c.width}, {c.columns, c.depth, 1, 1},
                                {{"strides", IntegerList{std::int64_t{c.stride}, std::int64_t{c.stride}}}});
  append_post_op(spec, "relu"_op, {}, {running_result(spec)});
  std::mt19937 engine(c.height * 1000 + c.columns);
  std::vector<float> x(element_count(spec.inputs[0]->shape)), w(element_count(spec.inputs[1]->shape));
  for (auto* const numbers : {&x, &w})
    for (float& item : *numbers) item = float(engine() % 15) - 7;
  const TestTensor actual = run_row(row, spec,
                                    {tensor_of(DataType::float32, spec.inputs[0]->shape, x),
                                     tensor_of(DataType::float32, spec.inputs[1]->shape, w), std::nullopt},
                                    {.constants = {1}})[0];
  const auto* result = reinterpret_cast<const float*>(actual.data.data());
  std::size_t wrong = 0;
  for (std::size_t image = 0; image < c.images; ++image)
    for (std::size_t i = 0; i < c.height; i += c.stride)
      for (std::size_t j = 0; j < c.width; j += c.stride)
        for (std::size_t column = 0; column < c.columns; ++column) {
          float sum = 0;
          for (std::size_t k = 0; k < c.depth; ++k)
            sum += x[((image * c.height + i) * c.width + j) * c.depth + k] * w[column * c.depth + k];
          wrong += *result++ != std::max(sum, 0.0f);
        }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("pointwise: windows of one pixel without padding and groups") {
  const auto takes = [](const Shape& filter, const NamedAttributes& attributes) {
    return tests::can(all_simd_rows("conv2d.pointwise").back(), convolution({1, 8, 6, 6}, filter, attributes));
  };
  CHECK(takes({4, 8, 1, 1}, {}));
  CHECK(takes({4, 8, 1, 1}, {{"strides", IntegerList{3, 2}}}));
  CHECK_FALSE(takes({4, 8, 1, 1}, {{"padding", IntegerList{1, 1, 1, 1}}}));
  CHECK_FALSE(takes({4, 4, 1, 1}, {{"groups", 2}}));
  CHECK_FALSE(takes({4, 8, 1, 3}, {}));
}

TEST_CASE("pointwise: channels in whole and half vectors, pixels in blocks and strips of any size") {
  for (const std::string& row : simd_rows("conv2d.pointwise")) {
    CAPTURE(row);
    for (const std::uint32_t columns : {1u, 5u, 8u, 9u, 16u, 17u, 24u, 31u, 40u, 64u, 72u, 105u})
      for (const std::uint32_t pixels : {1u, 7u, 25u, 61u}) check_exact(row, {1, pixels, 1, 19, columns, 1});
    check_exact(row, {1, 13, 1, 700, 130, 1});
    check_exact(row, {2, 5, 9, 11, 20, 2});
    check_exact(row, {2, 7, 60, 11, 40, 3});
    for (const unsigned threads : {2u, 5u}) {  // which take pixels, or channels where there are few pixels
      CAPTURE(threads);
      const runtime::Team team(threads);
      check_exact(row, {1, 3, 1, 900, 400, 1});
      check_exact(row, {1, 61, 1, 90, 105, 1});
    }
  }
}

}  // namespace webnn::tests::conv2d_pointwise_test
