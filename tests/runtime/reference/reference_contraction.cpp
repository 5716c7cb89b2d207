// The reference kernels of gemm and matmul.
#include "tests/harness/run_operator.hpp"

namespace reference_contraction_test {

using namespace webnn::tests;

namespace {

TestTensor f32(const Shape& shape, const Numbers& elements) { return tensor(DataType::float32, shape, elements); }

}  // namespace

TEST_CASE("reference gemm: alpha * A * B + beta * C") {
  const TestTensor a = f32({2, 3}, {1, 2, 3, 4, 5, 6}), b = f32({3, 2}, {1, 0, 0, 1, 1, 1});
  CHECK(numbers(run_operator("gemm", {a, b})[0]) == Numbers{4.0, 5.0, 10.0, 11.0});
  const TestTensor c = f32({2, 2}, {1, 2, 3, 4});
  CHECK(numbers(run_operator("gemm", {a, b, c}, {{"alpha", 0.5}, {"beta", 10}})[0]) == Numbers{12.0, 22.5, 35.0, 45.5});
}

TEST_CASE("reference gemm: transposed operands") {
  const TestTensor a = f32({2, 3}, {1, 2, 3, 4, 5, 6}), a_transposed = f32({3, 2}, {1, 4, 2, 5, 3, 6});
  const TestTensor b = f32({3, 2}, {1, 0, 0, 1, 1, 1}), b_transposed = f32({2, 3}, {1, 0, 1, 0, 1, 1});
  const TestTensor expected = run_operator("gemm", {a, b})[0];
  CHECK(run_operator("gemm", {a_transposed, b}, {{"aTranspose", true}})[0] == expected);
  CHECK(run_operator("gemm", {a, b_transposed}, {{"bTranspose", true}})[0] == expected);
  CHECK(run_operator("gemm", {a_transposed, b_transposed}, {{"aTranspose", true}, {"bTranspose", true}})[0] ==
        expected);
}

TEST_CASE("reference gemm: C broadcasts from a scalar, a row and a column") {
  const TestTensor a = f32({2, 1}, {1, 2}), b = f32({1, 2}, {1, 2});
  CHECK(numbers(run_operator("gemm", {a, b, scalar(DataType::float32, 10)})[0]) == Numbers{11.0, 12.0, 12.0, 14.0});
  CHECK(numbers(run_operator("gemm", {a, b, f32({2}, {10, 20})})[0]) == Numbers{11.0, 22.0, 12.0, 24.0});
  CHECK(numbers(run_operator("gemm", {a, b, f32({2, 1}, {10, 20})})[0]) == Numbers{11.0, 12.0, 22.0, 24.0});
}

TEST_CASE("reference matmul: rounds once") {
  const TestTensor a = tensor(DataType::float16, {1, 3}, {2048, 1, 1}),
                   b = tensor(DataType::float16, {3, 1}, {1, 1, 1});
  CHECK(numbers(run_operator("matmul", {a, b})[0]) == Numbers{2050.0});
}

TEST_CASE("reference matmul: the axes before the matrices broadcast") {
  // [2, 1, 1, 2] x [3, 2, 1]: six products of a row and a column.
  const TestTensor a = f32({2, 1, 1, 2}, {1, 2, 3, 4}), b = f32({3, 2, 1}, {1, 0, 0, 1, 1, 1});
  const TestTensor products = run_operator("matmul", {a, b})[0];
  CHECK(products.descriptor.shape == Shape{2, 3, 1, 1});
  CHECK(numbers(products) == Numbers{1.0, 2.0, 3.0, 3.0, 4.0, 7.0});
}

TEST_CASE("reference matmul: more columns and rows than are summed at a time") {
  const unsigned rows = 3, inner = 5, columns = 300;
  const TestTensor a = counting(DataType::float32, {rows, inner}), b = counting(DataType::float32, {inner, columns});
  Numbers expected;
  for (unsigned row = 0; row < rows; ++row)
    for (unsigned column = 0; column < columns; ++column) {
      double sum = 0;
      for (unsigned k = 0; k < inner; ++k) sum += double(row * inner + k) * double(k * columns + column);
      expected.push_back(Number(sum));
    }
  CHECK(numbers(run_operator("matmul", {a, b})[0]) == expected);
}

}  // namespace reference_contraction_test
