// Products on units that multiply tiles of bfloat16: every float32 counts as what it is, also the smallest and the largest, and
// numbers that are not finite stay where they belong. (What else panels of a product do, panel_product.cpp tests for these
// rows too.)
#include <cmath>
#include <doctest/doctest.h>
#include <limits>
#include <random>

#include "runtime/threads/parallel.hpp"
#include "tests/harness/kernel_row.hpp"
#include "tests/harness/simd_rows.hpp"

namespace webnn::tests::tile_product_test {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();

struct Matrices {
  std::uint32_t rows, depth, columns;
  std::vector<float> a, b;
};

/// Normally distributed numbers, each multiplied by a power of two between the two exponents.
std::vector<float> numbers(std::size_t count, int least_exponent, int greatest_exponent, unsigned seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<double> normal;
  std::uniform_int_distribution<int> exponent(least_exponent, greatest_exponent);
  std::vector<float> list(count);
  for (float& item : list) item = float(std::ldexp(normal(engine), exponent(engine)));
  return list;
}

std::vector<float> multiply(const std::string& row, const Matrices& m, unsigned threads = 1) {
  const TestTensor a = tensor_of(DataType::float32, {m.rows, m.depth}, m.a);
  const TestTensor b = tensor_of(DataType::float32, {m.depth, m.columns}, m.b);
  const runtime::Team team(threads);
  const TestTensor y = run_row(row, operator_spec("matmul", {a, b}), {a, b}, {.constants = {1}})[0];
  const auto* const first = reinterpret_cast<const float*>(y.data.data());
  return {first, first + m.rows * m.columns};
}

/// How many results are off by more than a few roundings of the products' sum of absolute values, or by more than products
/// that are no normal numbers.
std::size_t count_wrong(const Matrices& m, const std::vector<float>& y) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < m.rows; ++i)
    for (std::size_t j = 0; j < m.columns; ++j) {
      double sum = 0, absolute = 0;
      for (std::size_t k = 0; k < m.depth; ++k) {
        const double product = double(m.a[i * m.depth + k]) * double(m.b[k * m.columns + j]);
        sum += product;
        absolute += std::abs(product);
      }
      const double bound = absolute * 0x1p-21 + m.depth * 0x1p-126;
      const double largest = std::numeric_limits<float>::max();
      const float actual = y[i * m.columns + j];
      if (std::abs(sum) <= largest - bound) {
        if (!(absolute > largest) && !(std::abs(double(actual) - sum) <= bound)) ++wrong;
      } else if (std::abs(sum) > largest + bound && std::isfinite(actual)) {
        ++wrong;
      }
    }
  return wrong;
}

}  // namespace

TEST_CASE("products in tiles: numbers of every magnitude, from the smallest to the largest") {
  for (const std::string& row : simd_rows("matmul.panels")) {
    CAPTURE(row);
    struct Exponents {
      int a_least, a_greatest, b_least, b_greatest;
    };
    for (const Exponents& e : {Exponents{0, 0, 0, 0}, Exponents{-149, -126, 90, 124}, Exponents{90, 124, -149, -126},
                               Exponents{60, 80, 20, 40}, Exponents{100, 124, -20, 0}, Exponents{-149, 124, -30, 0},
                               Exponents{-70, -50, -70, -50}, Exponents{120, 125, 120, 125}}) {
      CAPTURE(e.a_least);
      CAPTURE(e.b_least);
      Matrices m{37, 70, 52, {}, {}};
      m.a = numbers(m.rows * m.depth, e.a_least, e.a_greatest, 1);
      m.b = numbers(m.depth * m.columns, e.b_least, e.b_greatest, 2);
      CHECK(count_wrong(m, multiply(row, m)) == 0);
    }
  }
}

TEST_CASE(
    "products in tiles: an infinity or a NaN of any kind reaches its row or its column, and no other result changes") {
  for (const std::string& row : simd_rows("matmul.panels")) {
    CAPTURE(row);
    std::uint32_t bits = 0x7fffffff;  // adding to it wraps around
    float all_ones;
    std::memcpy(&all_ones, &bits, sizeof all_ones);
    bits = 0x7f800001;  // zero but for its lowest bits
    float signalling;
    std::memcpy(&signalling, &bits, sizeof signalling);
    Matrices m{70, 300, 40, {}, {}};
    m.a = numbers(m.rows * m.depth, 0, 0, 1);
    m.b = numbers(m.depth * m.columns, 0, 0, 2);
    const std::vector<float> finite = multiply(row, m);
    for (const float special : {infinity, -infinity, nan, all_ones, -all_ones, signalling}) {
      CAPTURE(special);
      Matrices changed = m;
      changed.a[17 * m.depth + 200] = special;
      const std::vector<float> y = multiply(row, changed);
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < y.size(); ++i) {
        const bool is_hit = i / m.columns == 17;
        if (is_hit ? (std::isnan(special) ? !std::isnan(y[i]) : !std::isinf(y[i])) : y[i] != finite[i]) ++wrong;
      }
      CHECK(wrong == 0);
      changed = m;
      changed.b[200 * m.columns + 21] = special;
      const std::vector<float> z = multiply(row, changed);
      wrong = 0;
      for (std::size_t i = 0; i < z.size(); ++i)
        if (i % m.columns == 21) wrong += std::isnan(special) ? !std::isnan(z[i]) : !std::isinf(z[i]);
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("products in tiles: the same bits for any number of threads, also where some results are not finite") {
  for (const std::string& row : simd_rows("matmul.panels")) {
    CAPTURE(row);
    for (const std::uint32_t rows : {33u, 300u, 700u}) {
      CAPTURE(rows);
      Matrices m{rows, 1000, 83, {}, {}};
      m.a = numbers(m.rows * m.depth, 0, 0, 1);
      m.b = numbers(m.depth * m.columns, 0, 0, 2);
      for (std::size_t i = 0; i < m.rows; i += 29) m.a[i * m.depth + i % m.depth] = i % 2 == 0 ? 3e38f : infinity;
      const std::vector<float> expected = multiply(row, m);
      for (const unsigned threads : {2u, 3u}) {
        const std::vector<float> actual = multiply(row, m, threads);
        CHECK(std::memcmp(actual.data(), expected.data(), actual.size() * sizeof(float)) == 0);
      }
    }
  }
}

}  // namespace webnn::tests::tile_product_test
