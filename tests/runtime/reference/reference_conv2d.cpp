// The reference kernels of conv2d and convTranspose2d, against loops over the definition on whole numbers, which are
// exact in every type.
#include <array>

#include "tests/harness/run_operator.hpp"

namespace reference_conv2d_test {

using namespace webnn::tests;

namespace {

/// Small whole numbers without a pattern that a wrong index would repeat.
TestTensor whole_numbers(DataType type, const Shape& shape, int seed) {
  Numbers elements;
  unsigned state = unsigned(seed);
  for (std::size_t i = 0; i < element_count(shape); ++i) {
    state = state * 1664525u + 1013904223u;
    elements.push_back(Number(int(state >> 29) - 3));
  }
  return tensor(type, shape, elements);
}

TestTensor permuted(const TestTensor& tensor, IntegerList permutation) {
  return run_operator("transpose", {tensor}, {{"permutation", std::move(permutation)}})[0];
}

double at(const TestTensor& tensor, std::array<std::int64_t, 4> index) {
  std::size_t offset = 0;
  for (unsigned axis = 0; axis < 4; ++axis) offset = offset * tensor.descriptor.shape[axis] + std::size_t(index[axis]);
  return numbers(tensor)[offset].as_double();
}

struct Options {
  IntegerList padding{0, 0, 0, 0}, strides{1, 1}, dilations{1, 1};
  int groups = 1;
};

NamedAttributes attributes_of(const Options& options) {
  return {{"padding", options.padding},
          {"strides", options.strides},
          {"dilations", options.dilations},
          {"groups", options.groups}};
}

/// The sum over channels and taps of input * filter for every output element; nchw and oihw.
Numbers expected_conv2d(const TestTensor& input, const TestTensor& filter, const Shape& output, const Options& o) {
  const Shape& in = input.descriptor.shape;
  const Shape& taps = filter.descriptor.shape;
  const std::int64_t outputs_per_group = output[1] / unsigned(o.groups);
  Numbers sums;
  for (std::int64_t n = 0; n < output[0]; ++n)
    for (std::int64_t c = 0; c < output[1]; ++c)
      for (std::int64_t y = 0; y < output[2]; ++y)
        for (std::int64_t x = 0; x < output[3]; ++x) {
          double sum = 0;
          for (std::int64_t i = 0; i < taps[1]; ++i)
            for (std::int64_t ky = 0; ky < taps[2]; ++ky)
              for (std::int64_t kx = 0; kx < taps[3]; ++kx) {
                const std::int64_t row = y * o.strides[0] + ky * o.dilations[0] - o.padding[0];
                const std::int64_t column = x * o.strides[1] + kx * o.dilations[1] - o.padding[2];
                if (row < 0 || row >= in[2] || column < 0 || column >= in[3]) continue;
                sum += at(input, {n, c / outputs_per_group * taps[1] + i, row, column}) * at(filter, {c, i, ky, kx});
              }
          sums.push_back(Number(sum));
        }
  return sums;
}

/// Every input element added to the output elements it reaches; nchw and iohw.
Numbers expected_conv_transpose2d(const TestTensor& input, const TestTensor& filter, const Shape& output,
                                  const Options& o) {
  const Shape& in = input.descriptor.shape;
  const Shape& taps = filter.descriptor.shape;
  std::vector<double> sums(element_count(output));
  for (std::int64_t n = 0; n < in[0]; ++n)
    for (std::int64_t i = 0; i < in[1]; ++i)
      for (std::int64_t y = 0; y < in[2]; ++y)
        for (std::int64_t x = 0; x < in[3]; ++x)
          for (std::int64_t f = 0; f < taps[1]; ++f)
            for (std::int64_t ky = 0; ky < taps[2]; ++ky)
              for (std::int64_t kx = 0; kx < taps[3]; ++kx) {
                const std::int64_t group = i / (in[1] / unsigned(o.groups));
                const std::int64_t channel = group * taps[1] + f;
                const std::int64_t row = y * o.strides[0] + ky * o.dilations[0] - o.padding[0];
                const std::int64_t column = x * o.strides[1] + kx * o.dilations[1] - o.padding[2];
                if (row < 0 || row >= output[2] || column < 0 || column >= output[3]) continue;
                sums[std::size_t(((n * output[1] + channel) * output[2] + row) * output[3] + column)] +=
                    at(input, {n, i, y, x}) * at(filter, {i, f, ky, kx});
              }
  return Numbers(sums.begin(), sums.end());
}

}  // namespace

TEST_CASE("reference conv2d: a sum over the window plus the bias") {
  const TestTensor input = counting(DataType::float32, {1, 1, 3, 3});
  const TestTensor filter = tensor(DataType::float32, {1, 1, 2, 2}, {1, 10, 100, 1000});
  const TestTensor bias = tensor(DataType::float32, {1}, {0.5});
  const TestTensor sums = run_operator("conv2d", {input, filter, bias})[0];
  CHECK(sums.descriptor.shape == Shape{1, 1, 2, 2});
  CHECK(numbers(sums) == Numbers{4310.5, 5421.5, 7643.5, 8754.5});
}

TEST_CASE("reference conv2d: padding, strides, dilations and groups") {
  const std::pair<Shape, Shape> everyday{{2, 4, 7, 6}, {6, 4, 3, 2}}, grouped{{2, 4, 7, 6}, {6, 2, 3, 2}},
      depthwise{{1, 4, 5, 5}, {8, 1, 3, 3}};
  const std::vector<std::pair<std::pair<Shape, Shape>, Options>> cases{
      {everyday, {}},
      {everyday, {{1, 2, 0, 3}}},
      {everyday, {{0, 0, 0, 0}, {2, 3}}},
      {everyday, {{1, 0, 2, 1}, {2, 1}, {2, 3}}},
      {everyday, {{5, 6, 4, 7}, {3, 2}}},  // whole windows in padding
      {grouped, {{1, 1, 1, 1}, {2, 2}, {1, 1}, 2}},
      {depthwise, {{1, 1, 1, 1}, {1, 1}, {2, 2}, 4}},
  };
  for (const auto& [shapes, options] : cases)
    for (const DataType type : {DataType::float32, DataType::float16}) {
      const TestTensor input = whole_numbers(type, shapes.first, 1), filter = whole_numbers(type, shapes.second, 2);
      const TestTensor result = run_operator("conv2d", {input, filter}, attributes_of(options))[0];
      CHECK(numbers(result) == expected_conv2d(input, filter, result.descriptor.shape, options));
    }
}

TEST_CASE("reference conv2d: every layout gives the same numbers") {
  const Options options{{1, 0, 2, 1}, {2, 1}, {1, 2}, 2};
  const TestTensor input = whole_numbers(DataType::float32, {2, 4, 5, 6}, 3);
  const TestTensor filter = whole_numbers(DataType::float32, {6, 2, 3, 2}, 4);
  const TestTensor bias = whole_numbers(DataType::float32, {6}, 5);
  const TestTensor expected = run_operator("conv2d", {input, filter, bias}, attributes_of(options))[0];
  const std::pair<const char*, IntegerList> filter_layouts[] = {
      {"oihw", {0, 1, 2, 3}}, {"hwio", {2, 3, 1, 0}}, {"ohwi", {0, 2, 3, 1}}, {"ihwo", {1, 2, 3, 0}}};
  for (const auto& [layout, permutation] : filter_layouts) {
    NamedAttributes attributes = attributes_of(options);
    attributes.push_back({"filterLayout", layout});
    CHECK(run_operator("conv2d", {input, permuted(filter, permutation), bias}, attributes)[0] == expected);
    attributes.push_back({"inputLayout", "nhwc"});
    const TestTensor result =
        run_operator("conv2d", {permuted(input, {0, 2, 3, 1}), permuted(filter, permutation), bias}, attributes)[0];
    CHECK(result == permuted(expected, {0, 2, 3, 1}));
  }
}

TEST_CASE("reference conv2d: rounds once") {
  // 2048 + 1 + 1 is 2050 in float16; rounded at each addition it would stay 2048.
  const TestTensor input = tensor(DataType::float16, {1, 3, 1, 1}, {2048, 1, 1});
  const TestTensor filter = tensor(DataType::float16, {1, 3, 1, 1}, {1, 1, 1});
  CHECK(numbers(run_operator("conv2d", {input, filter})[0]) == Numbers{2050.0});
}

TEST_CASE("reference convTranspose2d: an input element spreads its filter") {
  const TestTensor input = tensor(DataType::float32, {1, 1, 1, 2}, {1, 10});
  const TestTensor filter = tensor(DataType::float32, {1, 1, 1, 3}, {1, 2, 3});
  const TestTensor bias = tensor(DataType::float32, {1}, {0.5});
  CHECK(numbers(run_operator("convTranspose2d", {input, filter, bias})[0]) == Numbers{1.5, 12.5, 23.5, 30.5});
  CHECK(numbers(run_operator("convTranspose2d", {input, filter}, {{"strides", IntegerList{1, 2}}})[0]) ==
        Numbers{1.0, 2.0, 13.0, 20.0, 30.0});
  CHECK(numbers(run_operator("convTranspose2d", {input, filter}, {{"padding", IntegerList{0, 0, 1, 1}}})[0]) ==
        Numbers{12.0, 23.0});
}

TEST_CASE("reference convTranspose2d: outputPadding and outputSizes lengthen the end") {
  const TestTensor input = tensor(DataType::float32, {1, 1, 1, 2}, {1, 10});
  const TestTensor filter = tensor(DataType::float32, {1, 1, 1, 2}, {1, 2});
  const IntegerList strides{1, 3};
  CHECK(numbers(run_operator("convTranspose2d", {input, filter},
                             {{"strides", strides}, {"outputPadding", IntegerList{0, 2}}})[0]) ==
        Numbers{1.0, 2.0, 0.0, 10.0, 20.0, 0.0, 0.0});
  CHECK(numbers(run_operator("convTranspose2d", {input, filter},
                             {{"strides", strides}, {"outputSizes", IntegerList{1, 6}}})[0]) ==
        Numbers{1.0, 2.0, 0.0, 10.0, 20.0, 0.0});
  // The added column is no padding: with padding removed at the beginning, the filter's last tap reaches it.
  CHECK(numbers(run_operator(
            "convTranspose2d", {input, filter},
            {{"strides", strides}, {"padding", IntegerList{0, 0, 1, 1}}, {"outputPadding", IntegerList{0, 1}}})[0]) ==
        Numbers{2.0, 0.0, 10.0, 20.0});
}

TEST_CASE("reference convTranspose2d: padding, strides, dilations and groups") {
  const std::pair<Shape, Shape> everyday{{2, 4, 5, 4}, {4, 3, 3, 2}}, depthwise{{1, 4, 3, 3}, {4, 1, 3, 3}};
  const std::vector<std::pair<std::pair<Shape, Shape>, Options>> cases{
      {everyday, {}},
      {everyday, {{1, 2, 0, 1}}},
      {everyday, {{0, 1, 1, 0}, {2, 3}, {2, 1}}},
      {everyday, {{1, 1, 1, 1}, {3, 2}, {1, 1}, 2}},
      {depthwise, {{1, 1, 1, 1}, {2, 2}, {1, 1}, 4}},
  };
  for (const auto& [shapes, options] : cases)
    for (const DataType type : {DataType::float32, DataType::float16}) {
      const TestTensor input = whole_numbers(type, shapes.first, 6), filter = whole_numbers(type, shapes.second, 7);
      const TestTensor result = run_operator("convTranspose2d", {input, filter}, attributes_of(options))[0];
      CHECK(numbers(result) == expected_conv_transpose2d(input, filter, result.descriptor.shape, options));
    }
}

TEST_CASE("reference convTranspose2d: every layout gives the same numbers") {
  const Options options{{1, 0, 0, 1}, {2, 1}, {1, 2}, 2};
  const TestTensor input = whole_numbers(DataType::float32, {2, 4, 3, 5}, 8);
  const TestTensor filter = whole_numbers(DataType::float32, {4, 3, 3, 2}, 9);
  const TestTensor bias = whole_numbers(DataType::float32, {6}, 10);
  const TestTensor expected = run_operator("convTranspose2d", {input, filter, bias}, attributes_of(options))[0];
  const std::pair<const char*, IntegerList> filter_layouts[] = {
      {"iohw", {0, 1, 2, 3}}, {"hwoi", {2, 3, 1, 0}}, {"ohwi", {1, 2, 3, 0}}};
  for (const auto& [layout, permutation] : filter_layouts) {
    NamedAttributes attributes = attributes_of(options);
    attributes.push_back({"filterLayout", layout});
    CHECK(run_operator("convTranspose2d", {input, permuted(filter, permutation), bias}, attributes)[0] == expected);
    attributes.push_back({"inputLayout", "nhwc"});
    const TestTensor result = run_operator(
        "convTranspose2d", {permuted(input, {0, 2, 3, 1}), permuted(filter, permutation), bias}, attributes)[0];
    CHECK(result == permuted(expected, {0, 2, 3, 1}));
  }
}

}  // namespace reference_conv2d_test
