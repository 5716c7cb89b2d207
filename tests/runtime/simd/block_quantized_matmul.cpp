// Products with block-quantised matrices: infinities and numbers near the largest, and how threads share the work.
// (What else they compute is compared by tests/runtime/kernel_rows.)
#include <cmath>
#include <doctest/doctest.h>
#include <limits>
#include <random>

#include "runtime/threads/parallel.hpp"
#include "tests/harness/simd_rows.hpp"

namespace webnn::tests::block_quantized_matmul_test {
namespace {

struct Product {
  KernelSpec spec;
  OptionalTensors inputs;
};

/// [rows, depth] times [depth, columns] in blocks of 32 lines; the numbers and the zero points are random when no value
/// is given.
Product product_of(DataType type, const std::vector<float>& a, std::uint32_t depth, std::uint32_t columns,
                   std::optional<int> number = {}, std::optional<int> zero_point = {}) {
  std::mt19937 engine(5);
  const auto integers = [&](std::uint32_t lines, std::optional<int> value) {
    const std::uint32_t count = 1u << bits_of(type);
    Numbers elements(std::size_t{lines} * columns);
    for (Number& element : elements)
      element = Number(std::int64_t(value.value_or(int(engine() % count) - (is_signed(type) ? int(count / 2) : 0))));
    return tensor(type, {lines, columns}, elements);
  };
  const std::uint32_t rows = std::uint32_t(a.size() / depth), blocks = depth / 32;
  const std::vector<float> scales(std::size_t{blocks} * columns, 1.0f / 64);
  Product product;
  product.inputs = {tensor_of(DataType::float32, {rows, depth}, a), integers(depth, number),
                    tensor_of(DataType::float32, {blocks, columns}, scales), integers(blocks, zero_point)};
  product.spec = operator_spec("@blockQuantizedMatmul", product.inputs);
  return product;
}

std::vector<float> random_rows(std::size_t rows, std::size_t depth) {
  std::mt19937 engine(11);
  std::vector<float> a(rows * depth);
  for (float& element : a) element = float(engine() % 4096) / 1024 - 2;
  return a;
}

/// Elements that are neither the same infinity, nor both NaN, nor near each other.
std::size_t differences(const TestTensor& found, const TestTensor& wanted) {
  const Numbers a = numbers(found), b = numbers(wanted);
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double x = a[i].as_double(), y = b[i].as_double();
    const bool same = x == y || (std::isnan(x) && std::isnan(y)) || std::abs(x - y) <= 1e-4;
    count += !same;
  }
  return count;
}

}  // namespace

TEST_CASE("block products: a row with an infinity has infinities, and its neighbours are finite, however many rows") {
  constexpr std::uint32_t depth = 64, columns = 40;
  constexpr DataType types[] = {DataType::int4, DataType::uint4, DataType::int8, DataType::uint8};
  for (const std::string& row : simd_rows("blockQuantizedMatmul"))
    for (const DataType type : types)
      for (const std::uint32_t rows : {1u, 2u, 3u, 4u, 5u, 7u, 30u}) {
        CAPTURE(row);
        CAPTURE(name_of(type));
        CAPTURE(rows);
        std::vector<float> a = random_rows(rows, depth);
        a[(rows - 1) / 2 * depth + 35] = std::numeric_limits<float>::infinity();
        const auto [spec, inputs] = product_of(type, a, depth, columns);
        const TestTensor wanted = run_operator("@blockQuantizedMatmul", inputs)[0];
        std::size_t finite = 0, infinite = 0;
        for (const Number& result : numbers(wanted)) {
          finite += std::isfinite(result.as_double());
          infinite += std::isinf(result.as_double());
        }
        CHECK(finite == (rows - 1) * columns);
        CHECK(infinite > columns / 2);  // a weight of 0 makes NaN of an infinity
        CHECK(differences(run_row(row, spec, inputs)[0], wanted) == 0);
      }
}

TEST_CASE("block products: of the largest numbers nothing overflows that the weights keep small") {
  constexpr std::uint32_t depth = 32, columns = 32;
  for (const std::string& row : simd_rows("blockQuantizedMatmul"))
    for (const std::uint32_t rows : {1u, 2u, 4u, 6u}) {
      CAPTURE(row);
      CAPTURE(rows);
      std::vector<float> a(std::size_t{rows} * depth, 3e38f);
      for (std::size_t i = 1; i < a.size(); i += 2)
        a[i] = -3e38f;  // a block's sum is 0, 8 times an element is infinite
      const auto [spec, inputs] = product_of(DataType::uint4, a, depth, columns, 1, 1);
      for (const Number& result : numbers(run_row(row, spec, inputs)[0])) REQUIRE(result == Number(0));
    }
}

TEST_CASE("block products: threads share panels and groups of rows, and results stay the same bit for bit") {
  constexpr std::uint32_t depth = 96, columns = 64;
  for (const std::string& row : simd_rows("blockQuantizedMatmul"))
    for (const DataType type : {DataType::uint4, DataType::int8})
      for (const std::uint32_t rows : {4u, 29u, 130u, 400u}) {
        CAPTURE(row);
        CAPTURE(rows);
        const auto [spec, inputs] = product_of(type, random_rows(rows, depth), depth, columns);
        const TestTensor alone = run_row(row, spec, inputs)[0];
        for (const unsigned threads : {2u, 5u, 16u}) {
          CAPTURE(threads);
          const runtime::Team team(threads);
          CHECK(run_row(row, spec, inputs)[0] == alone);
        }
      }
}

}  // namespace webnn::tests::block_quantized_matmul_test
