// Roots of sums of squares whose squares leave the range of float32, along rows and along columns.
#include <cmath>
#include <doctest/doctest.h>
#include <span>
#include <vector>

#include "api/webnn.hpp"
#include "tests/harness/providers.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::root_of_squares_test {

TEST_CASE("simd reduction: a root of squares is right where the squares are too large or too small") {
  if (!has_provider("simd")) return skip(no_provider("simd"));
  constexpr std::uint32_t rows = 37, columns = 53;
  for (const std::uint32_t axis : {0u, 1u})
    for (const float scale : {1e-38f, 3e-30f, 1e-20f, 1.0f, 1e18f, 1e30f, 1e36f}) {
      CAPTURE(axis);
      CAPTURE(scale);
      Context context({.device = "cpu:simd", .threads = 1});
      GraphBuilder builder(context);
      const Operand x = builder.input("x", DataType::float32, {rows, columns});
      const Graph graph = builder.build({{"y", builder.reduceL2(x, {.axes = {{axis}}})}});
      std::vector<float> values(rows * columns);
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = scale * float(int(i * 7 % 23) - 11);
      const Dimensions shape = {axis == 0 ? columns : rows};
      const Tensor input = context.createTensor({.shape = {rows, columns}, .writable = true});
      const Tensor output = context.createTensor({.shape = shape, .readable = true});
      context.writeTensor(input, std::as_bytes(std::span(values)));
      context.dispatch(graph, {{"x", input}}, {{"y", output}});
      std::vector<float> found(shape[0]);
      context.readTensor(output, std::as_writable_bytes(std::span(found))).get();
      for (std::uint32_t result = 0; result < shape[0]; ++result) {
        double sum = 0;
        for (std::uint32_t i = 0; i < (axis == 0 ? rows : columns); ++i)
          sum += std::pow(double(values[axis == 0 ? i * columns + result : result * columns + i]), 2);
        CHECK(double(found[result]) == doctest::Approx(std::sqrt(sum)).epsilon(1e-6));
      }
    }
}

}  // namespace webnn::tests::root_of_squares_test
