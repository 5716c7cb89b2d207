// Pointwise convolution: what it takes, and that every division of channels into panels and of pixels into blocks sums
// up the right numbers.
#include <algorithm>
#include <doctest/doctest.h>
#include <random>

#include "schema/kernel_conditions.hpp"
#include "tests/harness/simd_rows.hpp"

namespace webnn::tests {
namespace {

KernelSpec convolution(const Shape& input, const Shape& filter, const NamedAttributes& attributes = {}) {
  KernelSpec spec = operator_spec(
      "conv2d", {Tensor{{DataType::float32, input}, {}}, Tensor{{DataType::float32, filter}, {}}}, attributes);
  spec.input_layouts = {Layout::channels_last, Layout::row_major, Layout::row_major};
  spec.output_layouts = {Layout::channels_last};
  return spec;
}

/// Whether relu(conv2d) of whole numbers, whose sums are exact, is what plain loops give.
void check_exact(const std::string& row, std::uint32_t pixels, std::uint32_t depth, std::uint32_t columns) {
  CAPTURE(pixels);
  CAPTURE(depth);
  CAPTURE(columns);
  KernelSpec spec = convolution({1, depth, pixels, 1}, {columns, depth, 1, 1});
  spec.post_ops = {PostOp{"relu"_op, {}}};
  std::mt19937 engine(pixels * 1000 + columns);
  std::vector<float> x(std::size_t{pixels} * depth), w(std::size_t{columns} * depth);
  for (auto* const numbers : {&x, &w})
    for (float& item : *numbers) item = float(engine() % 15) - 7;
  const Tensor actual = run_row(row, spec,
                                {tensor_of(DataType::float32, spec.inputs[0]->shape, x),
                                 tensor_of(DataType::float32, spec.inputs[1]->shape, w), std::nullopt},
                                {.constants = {1}})[0];
  const auto* const results = reinterpret_cast<const float*>(actual.data.data());
  std::size_t wrong = 0;
  for (std::size_t pixel = 0; pixel < pixels; ++pixel)
    for (std::size_t column = 0; column < columns; ++column) {
      float sum = 0;
      for (std::size_t k = 0; k < depth; ++k) sum += x[pixel * depth + k] * w[column * depth + k];
      wrong += results[pixel * columns + column] != std::max(sum, 0.0f);
    }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("pointwise: windows of one pixel that see each pixel once") {
  const auto takes = [](const Shape& filter, const NamedAttributes& attributes) {
    return simd_takes_pointwise(convolution({1, 8, 6, 6}, filter, attributes));
  };
  CHECK(takes({4, 8, 1, 1}, {}));
  CHECK_FALSE(takes({4, 8, 1, 1}, {{"strides", IntegerList{2, 2}}}));
  CHECK_FALSE(takes({4, 8, 1, 1}, {{"padding", IntegerList{1, 1, 1, 1}}}));
  CHECK_FALSE(takes({4, 4, 1, 1}, {{"groups", 2}}));
  CHECK_FALSE(takes({4, 8, 1, 3}, {}));
}

TEST_CASE("pointwise: channels in whole and half vectors, pixels in blocks and strips of any size") {
  for (const std::string& row : simd_rows("conv2d.pointwise")) {
    CAPTURE(row);
    for (const std::uint32_t columns : {1u, 5u, 8u, 9u, 16u, 17u, 24u, 31u, 40u, 64u, 72u, 105u})
      for (const std::uint32_t pixels : {1u, 7u, 25u, 61u}) check_exact(row, pixels, 19, columns);
    check_exact(row, 13, 700, 130);
  }
}

}  // namespace webnn::tests
