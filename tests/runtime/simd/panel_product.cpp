// Products with packed panels: direct and planar convolutions, gemm and matmul sum up the right numbers for every division into
// panels, blocks, chunks and strips, and with small rounding errors.
#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <limits>
#include <random>

#include "runtime/threads/parallel.hpp"
#include "tests/harness/kernel_row.hpp"
#include "tests/harness/simd_rows.hpp"

namespace webnn::tests::panel_product_test {
namespace {

struct Window {
  std::uint32_t images, height, width, depth, columns;
  std::uint32_t window_height, window_width, stride, dilation, padding;
};

KernelSpec convolution(const Window& w) {
  const std::int64_t stride = w.stride, dilation = w.dilation, padding = w.padding;
  KernelSpec spec =
      operator_spec("conv2d",
                    {TestTensor{{DataType::float32, {w.images, w.depth, w.height, w.width}}, {}},
                     TestTensor{{DataType::float32, {w.columns, w.depth, w.window_height, w.window_width}}, {}},
                     TestTensor{{DataType::float32, {w.columns}}, {}}},
                    {{"strides", IntegerList{stride, stride}},
                     {"dilations", IntegerList{dilation, dilation}},
                     {"padding", IntegerList{padding, padding, padding, padding}}});
  spec.input_layouts = {Layout::channels_last, Layout::row_major, Layout::row_major};
  spec.output_layouts = {Layout::channels_last};
  return spec;
}

std::vector<float> whole_numbers(std::size_t count, unsigned seed) {
  std::mt19937 engine(seed);
  std::vector<float> numbers(count);
  for (float& number : numbers) number = float(engine() % 15) - 7;
  return numbers;
}

std::vector<float> floats_of(const TestTensor& tensor) {
  const auto* const first = reinterpret_cast<const float*>(tensor.data.data());
  return {first, first + tensor.data.size() / sizeof(float)};
}

/// The result of a row for an image [images, height, width, depth], and what plain loops in double precision give.
struct Results {
  std::vector<float> actual;
  std::vector<double> expected;
};

/// `x` is channels-last, also for a row that reads it row-major.
Results convolve(const std::string& row, const Window& w, const std::vector<float>& x, const std::vector<float>& filter,
                 const std::vector<float>& bias) {
  KernelSpec spec = convolution(w);
  if (row.find("planar") != std::string::npos) spec.input_layouts[0] = Layout::row_major;
  const TestTensor image = tensor_of(DataType::float32, spec.inputs[0]->shape, x);
  const TestTensor actual = run_row(row, spec,
                                    {in_layout(image, Layout::channels_last, spec.input_layouts[0]),
                                     tensor_of(DataType::float32, spec.inputs[1]->shape, filter),
                                     tensor_of(DataType::float32, spec.inputs[2]->shape, bias)},
                                    {.constants = {1}})[0];
  Results results{floats_of(actual), {}};
  const Shape& output = spec.outputs[0].shape;
  const std::size_t window = std::size_t(w.window_height) * w.window_width;
  for (std::size_t image = 0; image < w.images; ++image)
    for (std::size_t i = 0; i < output[2]; ++i)
      for (std::size_t j = 0; j < output[3]; ++j)
        for (std::size_t column = 0; column < w.columns; ++column) {
          double sum = double(bias[column]);
          for (std::size_t tap = 0; tap < window; ++tap) {
            const std::size_t y = i * w.stride + tap / w.window_width * w.dilation - w.padding;
            const std::size_t at = j * w.stride + tap % w.window_width * w.dilation - w.padding;
            if (y >= w.height || at >= w.width) continue;  // wraps when negative
            for (std::size_t k = 0; k < w.depth; ++k)
              sum += double(x[((image * w.height + y) * w.width + at) * w.depth + k]) *
                     double(filter[(column * w.depth + k) * window + tap]);
          }
          results.expected.push_back(sum);
        }
  return results;
}

void check_exact(const std::string& row, const Window& w) {
  CAPTURE(w.height);
  CAPTURE(w.depth);
  CAPTURE(w.columns);
  CAPTURE(w.window_width);
  const Results results =
      convolve(row, w, whole_numbers(std::size_t(w.images) * w.height * w.width * w.depth, 1),
               whole_numbers(std::size_t(w.columns) * w.depth * w.window_height * w.window_width, 2),
               whole_numbers(w.columns, 3));
  CHECK(std::equal(results.actual.begin(), results.actual.end(), results.expected.begin(), results.expected.end()));
}

std::vector<std::string> direct_and_planar_rows() {
  std::vector<std::string> rows = simd_rows("conv2d.direct");
  for (std::string& row : simd_rows("conv2d.planar")) rows.push_back(std::move(row));
  return rows;
}

struct Matrices {
  std::uint32_t rows, depth, columns;
  bool transposed = false;
};

/// matmul(a, b) + bias, or gemm with the bias as c.
void check_exact(const std::string& row, const std::string& op, const Matrices& m) {
  CAPTURE(m.rows);
  CAPTURE(m.depth);
  CAPTURE(m.columns);
  const Shape b_shape = m.transposed ? Shape{m.columns, m.depth} : Shape{m.depth, m.columns};
  const TestTensor a = tensor_of(DataType::float32, {m.rows, m.depth}, whole_numbers(m.rows * m.depth, 1));
  const TestTensor b = tensor_of(DataType::float32, b_shape, whole_numbers(m.depth * m.columns, 2));
  const TestTensor bias = tensor_of(DataType::float32, {m.columns}, whole_numbers(m.columns, 3));
  KernelSpec spec = op == "gemm" ? operator_spec("gemm", {a, b, bias}, {{"bTranspose", m.transposed}})
                                 : operator_spec("matmul", {a, b});
  if (op == "matmul") append_post_op(spec, "add"_op, {}, {running_result(spec), bias.descriptor});
  append_post_op(spec, "relu"_op, {}, {running_result(spec)});
  const std::vector<float> actual = floats_of(run_row(row, spec, {a, b, bias}, {.constants = {1}})[0]);
  const auto at = [](const TestTensor& tensor, std::size_t i) {
    return reinterpret_cast<const float*>(tensor.data.data())[i];
  };
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < m.rows; ++i)
    for (std::size_t j = 0; j < m.columns; ++j) {
      float sum = at(bias, j);
      for (std::size_t k = 0; k < m.depth; ++k)
        sum += at(a, i * m.depth + k) * at(b, m.transposed ? j * m.depth + k : k * m.columns + j);
      wrong += actual[i * m.columns + j] != std::max(sum, 0.0f);
    }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("direct convolution: windows of any size, stride, dilation and padding") {
  for (const std::string& row : simd_rows("conv2d.direct")) {
    CAPTURE(row);
    for (const std::uint32_t columns : {1u, 8u, 17u, 40u, 70u}) check_exact(row, {1, 9, 7, 13, columns, 3, 3, 2, 1, 1});
    for (std::uint32_t columns = 1; columns <= 17; ++columns)  // pairs of products, and an odd depth without
      for (const std::uint32_t depth : {14u, 15u}) check_exact(row, {1, 9, 7, depth, columns, 3, 3, 1, 1, 1});
    check_exact(row, {2, 8, 8, 16, 20, 3, 3, 1, 1, 1});
    check_exact(row, {1, 12, 5, 7, 33, 1, 5, 1, 1, 2});
    check_exact(row, {1, 13, 13, 5, 12, 3, 3, 1, 3, 3});
    check_exact(row, {1, 4, 3, 12, 24, 3, 3, 1, 1, 4});  // windows that see padding alone, at both ends
    check_exact(row, {2, 5, 6, 12, 24, 3, 3, 2, 5, 7});
    check_exact(row, {1, 20, 20, 24, 16, 16, 16, 4, 1, 0});
    check_exact(row, {1, 5, 5, 600, 90, 3, 3, 2, 1, 1});  // in chunks
    const runtime::Team team(3);
    check_exact(row, {1, 3, 3, 64, 200, 3, 3, 2, 1, 1});
    check_exact(row, {1, 30, 20, 24, 40, 3, 3, 1, 1, 1});
  }
}

TEST_CASE("planar convolution: windows of any size, stride, vertical dilation and padding") {
  for (const std::string& row : simd_rows("conv2d.planar")) {
    CAPTURE(row);
    for (const std::uint32_t columns : {1u, 8u, 17u, 24u, 40u, 70u})
      check_exact(row, {1, 9, 7, 3, columns, 3, 3, 2, 1, 1});
    for (std::uint32_t width = 1; width <= 33; ++width) check_exact(row, {1, 4, width, 3, 16, 3, 3, 1, 1, 2});
    for (std::uint32_t columns = 1; columns <= 17; ++columns) {  // pairs of lines, and of a line and zeros
      check_exact(row, {2, 7, 13, 2, columns, 3, 3, 2, 1, 1});
      check_exact(row, {1, 6, 9, 1, columns, 3, 2, 1, 1, 3});
      check_exact(row, {1, 5, 20, 1, columns, 1, 5, 1, 1, 2});
    }
    check_exact(row, {2, 8, 8, 4, 20, 3, 3, 1, 1, 1});
    check_exact(row, {1, 12, 5, 8, 33, 5, 1, 1, 3, 2});
    check_exact(row, {1, 30, 41, 3, 64, 7, 7, 2, 1, 3});  // sums of several blocks
    check_exact(row, {2, 5, 6, 1, 24, 3, 3, 2, 1, 7});    // windows that see padding alone
    const runtime::Team team(3);
    check_exact(row, {1, 61, 30, 3, 40, 3, 3, 2, 1, 1});
    check_exact(row, {1, 3, 300, 2, 200, 3, 3, 1, 1, 1});
  }
}

TEST_CASE("direct and planar convolution: padding adds nothing, even with infinite weights") {
  for (const std::string& row : direct_and_planar_rows()) {
    CAPTURE(row);
    for (const std::uint32_t depth : {3u, 4u})
      for (const std::uint32_t columns : {2u, 40u}) {
        const Window w{1, 4, 4, depth, columns, 3, 3, 1, 1, 1};
        std::vector<float> filter(columns * depth * 9, 1.0f);
        filter[0] =
            std::numeric_limits<float>::infinity();  // of the first tap, which sees padding at the top and the left
        const Results results =
            convolve(row, w, std::vector<float>(4 * 4 * depth, 1.0f), filter, std::vector<float>(columns));
        CHECK(results.actual[0] == 4 * float(depth));
        CHECK(std::isinf(results.actual[(1 * 4 + 1) * columns]));
        CHECK(
            std::equal(results.actual.begin(), results.actual.end(), results.expected.begin(), results.expected.end()));
      }
  }
}

TEST_CASE("direct and planar convolution: an infinite pixel reaches the windows that see it alone") {
  for (const std::string& row : direct_and_planar_rows()) {
    CAPTURE(row);
    for (const std::uint32_t depth : {3u, 4u})
      for (const std::uint32_t columns : {2u, 16u, 40u}) {
        const Window w{1, 6, 6, depth, columns, 3, 3, 1, 1, 1};
        std::vector<float> x(6 * 6 * depth, 1.0f);
        x[(3 * 6 + 3) * depth + depth - 1] = std::numeric_limits<float>::infinity();
        const Results results =
            convolve(row, w, x, std::vector<float>(columns * depth * 9, 1.0f), std::vector<float>(columns));
        CHECK(
            std::equal(results.actual.begin(), results.actual.end(), results.expected.begin(), results.expected.end()));
      }
  }
}

TEST_CASE("direct convolution: 4,608 products have a fifth of the rounding errors of a plain sum") {
  for (const std::string& row : simd_rows("conv2d.direct")) {
    CAPTURE(row);
    const Window w{1, 5, 5, 512, 32, 3, 3, 2, 1, 0};
    std::mt19937 engine(5);
    std::normal_distribution<float> numbers;
    std::vector<float> x(5 * 5 * 512), filter(32 * 512 * 9);
    for (float& item : x) item = std::max(numbers(engine), 0.0f);
    for (float& item : filter) item = numbers(engine);
    const Results results = convolve(row, w, x, filter, std::vector<float>(32));
    double of_row = 0, of_plain = 0;
    for (std::size_t i = 0; i < results.actual.size(); ++i) {
      const std::size_t pixel = i / 32, column = i % 32;
      float plain = 0;
      for (std::size_t tap = 0; tap < 9; ++tap)
        for (std::size_t k = 0; k < 512; ++k)
          plain += x[((pixel / 2 * 2 + tap / 3) * 5 + pixel % 2 * 2 + tap % 3) * 512 + k] *
                   filter[(column * 512 + k) * 9 + tap];
      of_row += std::pow(double(results.actual[i]) - results.expected[i], 2);
      of_plain += std::pow(double(plain) - results.expected[i], 2);
    }
    CHECK(std::sqrt(of_row) < std::sqrt(of_plain) / 5);
  }
}

TEST_CASE("panel products: gemm and matmul of any sizes, with a bias") {
  for (const std::string op : {"gemm", "matmul"})
    for (const std::string& row : simd_rows(op + ".panels")) {
      CAPTURE(row);
      const bool transposed = op == "gemm";
      for (const std::uint32_t columns : {1u, 9u, 24u, 31u, 130u})
        for (const std::uint32_t rows : {1u, 9u, 26u}) check_exact(row, op, {rows, 70, columns, transposed});
      check_exact(row, op, {130, 1500, 70});  // in chunks
      check_exact(row, op, {70, 3000, 150, transposed});
      const runtime::Team team(3);
      check_exact(row, op, {7, 900, 400});
      check_exact(row, op, {200, 90, 105, transposed});
    }
}

TEST_CASE("panel products: every number of columns and rows, whole and half vectors, sums in blocks and in chunks") {
  for (const std::string& row : simd_rows("matmul.panels")) {
    CAPTURE(row);
    for (std::uint32_t columns = 1; columns <= 72; ++columns)
      for (const std::uint32_t depth : {70u, 71u}) check_exact(row, "matmul", {1 + columns % 17, depth, columns});
    for (std::uint32_t rows = 1; rows <= 18; ++rows)
      for (const std::uint32_t columns : {7u, 16u, 20u, 40u, 56u}) check_exact(row, "matmul", {rows, 130, columns});
    for (const std::uint32_t columns : {5u, 14u, 24u, 37u, 56u, 72u}) check_exact(row, "matmul", {27, 20002, columns});
  }
}

TEST_CASE("panel products: short sums of many rows, few and many columns, by one thread and by several") {
  for (const std::string& row : simd_rows("matmul.panels")) {
    CAPTURE(row);
    for (const unsigned threads : {1u, 2u, 3u}) {
      const runtime::Team team(threads);
      for (const std::uint32_t rows : {127u, 128u, 160u, 600u}) {
        check_exact(row, "matmul", {rows, 2, 16});
        check_exact(row, "matmul", {rows, 32, 17});
        check_exact(row, "matmul", {rows, 8, 700});
      }
      check_exact(row, "matmul", {100, 600, 600});  // a matrix larger than half of the L2 cache
    }
  }
}

TEST_CASE("panel products: neither scales nor a left side to transpose") {
  const auto takes = [](const NamedAttributes& attributes, const Shape& c) {
    const TestTensor a{{DataType::float32, {16, 16}}, {}}, b{{DataType::float32, {16, 16}}, {}};
    KernelSpec spec = operator_spec("gemm", {a, b, TestTensor{{DataType::float32, c}, {}}}, attributes);
    spec.constants = 0b10;
    return tests::can(all_simd_rows("gemm.panels").back(), spec);
  };
  CHECK(takes({}, {16}));
  CHECK(takes({{"bTranspose", true}}, {1, 16}));
  CHECK_FALSE(takes({{"aTranspose", true}}, {16}));
  CHECK_FALSE(takes({{"alpha", 0.5}}, {16}));
  CHECK_FALSE(takes({}, {16, 1}));
}

}  // namespace webnn::tests::panel_product_test
