// The reference kernels of averagePool2d, l2Pool2d and maxPool2d.
#include "tests/harness/run_operator.hpp"

namespace reference_pool2d_test {

using namespace webnn::tests;

namespace {

const NamedAttribute window_2x2{"windowDimensions", IntegerList{2, 2}};

Numbers pool(std::string_view op, const TestTensor& input, const NamedAttributes& attributes) {
  return numbers(run_operator(op, {input}, attributes)[0]);
}

}  // namespace

TEST_CASE("reference pool2d: the window is the whole image when none is given") {
  const TestTensor input = counting(DataType::float32, {1, 2, 2, 2});
  CHECK(pool("averagePool2d", input, {}) == Numbers{1.5, 5.5});
  CHECK(pool("maxPool2d", input, {}) == Numbers{3.0, 7.0});
  CHECK(pool("l2Pool2d", tensor(DataType::float32, {1, 1, 1, 2}, {3, 4}), {}) == Numbers{5.0});
}

TEST_CASE("reference pool2d: padding does not count in an average and takes no part in a maximum") {
  const TestTensor input = tensor(DataType::float32, {1, 1, 2, 2}, {-1, -2, -3, -4});
  const NamedAttributes padded{window_2x2, {"padding", IntegerList{1, 0, 0, 1}}};
  CHECK(pool("averagePool2d", input, padded) == Numbers{-1.5, -2.0, -2.5, -3.0});
  CHECK(pool("maxPool2d", input, padded) == Numbers{-1.0, -2.0, -1.0, -2.0});
}

TEST_CASE("reference pool2d: a window without an element gives 0 or the lowest value") {
  const NamedAttributes beside{{"windowDimensions", IntegerList{1, 1}}, {"padding", IntegerList{0, 0, 1, 0}}};
  const TestTensor input = tensor(DataType::float32, {1, 1, 1, 1}, {5});
  CHECK(pool("averagePool2d", input, beside) == Numbers{0.0, 5.0});
  CHECK(pool("l2Pool2d", input, beside) == Numbers{0.0, 5.0});
  CHECK(pool("maxPool2d", input, beside) == Numbers{-infinity, 5.0});
  CHECK(pool("maxPool2d", tensor(DataType::int8, {1, 1, 1, 1}, {5}), beside) == Numbers{-128, 5});
  CHECK(pool("maxPool2d", tensor(DataType::uint64, {1, 1, 1, 1}, {5}), beside) ==
        Numbers{std::uint64_t{0}, std::uint64_t{5}});
}

TEST_CASE("reference pool2d: strides and dilations") {
  const TestTensor input = counting(DataType::float32, {1, 1, 1, 7});
  const auto row = [&](int window, int stride, int dilation) {
    return NamedAttributes{{"windowDimensions", IntegerList{1, window}},
                           {"strides", IntegerList{1, stride}},
                           {"dilations", IntegerList{1, dilation}}};
  };
  CHECK(pool("maxPool2d", input, row(3, 2, 1)) == Numbers{2.0, 4.0, 6.0});
  CHECK(pool("averagePool2d", input, row(2, 1, 3)) == Numbers{1.5, 2.5, 3.5, 4.5});
  CHECK(pool("averagePool2d", input, row(3, 2, 2)) == Numbers{2.0, 4.0});
}

TEST_CASE("reference pool2d: rounding up adds windows that reach past the end") {
  const TestTensor input = counting(DataType::float32, {1, 1, 1, 4});
  NamedAttributes attributes{{"windowDimensions", IntegerList{1, 3}}, {"strides", IntegerList{1, 2}}};
  CHECK(pool("averagePool2d", input, attributes) == Numbers{1.0});
  attributes.push_back({"outputShapeRounding", "ceil"});
  CHECK(pool("averagePool2d", input, attributes) == Numbers{1.0, 2.5});
  attributes.push_back({"outputSizes", IntegerList{1, 1}});
  CHECK(pool("averagePool2d", input, attributes) == Numbers{1.0});
}

TEST_CASE("reference pool2d: outputSizes keep the padding") {
  const TestTensor input = counting(DataType::float32, {1, 1, 5, 5});
  const NamedAttributes attributes{{"windowDimensions", IntegerList{3, 3}},
                                   {"padding", IntegerList{1, 0, 0, 1}},
                                   {"strides", IntegerList{2, 2}},
                                   {"outputSizes", IntegerList{3, 3}}};
  CHECK(pool("maxPool2d", input, attributes) == Numbers{7.0, 9.0, 9.0, 17.0, 19.0, 19.0, 22.0, 24.0, 24.0});
}

TEST_CASE("reference pool2d: channels last gives the same numbers") {
  const TestTensor input = counting(DataType::float16, {2, 3, 5, 4});
  const auto to_nhwc = [](const TestTensor& image) {
    return run_operator("transpose", {image}, {{"permutation", IntegerList{0, 2, 3, 1}}})[0];
  };
  for (const char* op : {"averagePool2d", "l2Pool2d", "maxPool2d"}) {
    NamedAttributes attributes{window_2x2,
                               {"padding", IntegerList{1, 0, 2, 1}},
                               {"strides", IntegerList{2, 1}},
                               {"dilations", IntegerList{1, 2}}};
    const TestTensor expected = run_operator(op, {input}, attributes)[0];
    attributes.push_back({"layout", "nhwc"});
    CHECK(run_operator(op, {to_nhwc(input)}, attributes)[0] == to_nhwc(expected));
  }
}

TEST_CASE("reference pool2d: NaN stays") {
  const TestTensor input = tensor(DataType::float32, {1, 1, 1, 3}, {1, not_a_number, 2});
  const NamedAttribute window{"windowDimensions", IntegerList{1, 2}};
  for (const char* op : {"averagePool2d", "l2Pool2d", "maxPool2d"})
    for (const Number& number : pool(op, input, {window})) CHECK(number.is_nan());
}

TEST_CASE("reference pool2d: maxPool2d compares 64-bit integers exactly") {
  const Number near{(std::int64_t{1} << 62) + 1}, nearer{(std::int64_t{1} << 62) + 2};
  const TestTensor input = tensor(DataType::int64, {1, 1, 1, 3}, {near, nearer, near});
  CHECK(pool("maxPool2d", input, {}) == Numbers{nearer});
}

}  // namespace reference_pool2d_test
