// Roots of sums of squares on the GPU whose squares leave the range of float32.
#include <cmath>
#include <doctest/doctest.h>
#include <random>

#include "api/kernels.hpp"
#include "tests/harness/machine/gpu.hpp"

namespace webnn::tests::vulkan_root_of_squares_test {
namespace {

constexpr double scales[] = {1e-36, 3e-30, 1e-20, 1e-14, 1.0, 1e14, 1e18, 1e30, 1e35};

/// Elements of magnitudes from 0 to 11 times `scale`, and the root of the sum of their squares.
struct Row {
  Numbers elements;
  double root = 0;
};
Row row_of(std::uint32_t size, double scale, std::mt19937& engine) {
  Row row;
  for (std::uint32_t i = 0; i < size; ++i) {
    const double element = double(float(scale * (int(engine() % 23) - 11)));
    row.elements.emplace_back(element);
    row.root = std::hypot(row.root, element);
  }
  return row;
}

void check_root(runtime::Device& device, std::string_view kernel, std::string_view op, const TestTensor& x,
                const NamedAttributes& attributes, double expected) {
  const OptionalTensors inputs{x};
  const TestTensor y =
      run_on_device(device, *api::find_kernel(kernel), operator_spec(op, inputs, attributes), inputs).front();
  CHECK(numbers(y).front().as_double() == doctest::Approx(expected).epsilon(1e-5).scale(0));
}

}  // namespace

TEST_CASE("vulkan reductions: a root of squares is right where the squares are too large or too small") {
  const auto device = open_test_gpu();
  if (!device) return;
  std::mt19937 engine(11);
  for (const std::string_view kernel : {"vulkan.reduction", "vulkan.reduction.rows"})
    for (const std::uint32_t size : {3u, 61u, 5'003u, 70'001u})
      for (const double scale : scales) {
        CAPTURE(kernel);
        CAPTURE(size);
        CAPTURE(scale);
        const Row row = row_of(size, scale, engine);
        check_root(*device, kernel, "reduceL2", tensor(DataType::float32, {size}, row.elements), {}, row.root);
      }
}

TEST_CASE("vulkan pools: a root of squares is right where the squares are too large or too small") {
  const auto device = open_test_gpu();
  if (!device) return;
  std::mt19937 engine(12);
  for (const double scale : scales) {
    CAPTURE(scale);
    const Row row = row_of(35, scale, engine);
    check_root(*device, "vulkan.pool2d", "l2Pool2d", tensor(DataType::float32, {1, 1, 5, 7}, row.elements), {},
               row.root);
  }
}

}  // namespace webnn::tests::vulkan_root_of_squares_test
