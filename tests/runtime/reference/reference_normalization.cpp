// The reference kernels of batchNormalization, instanceNormalization, layerNormalization, @rmsNormalization and softmax.
#include <cmath>

#include "tests/harness/run_operator.hpp"

namespace reference_normalization_test {

using namespace webnn::tests;

namespace {

TestTensor f32(const Shape& shape, const Numbers& elements) { return tensor(DataType::float32, shape, elements); }

const NamedAttribute exact{"epsilon", 0};

}  // namespace

TEST_CASE("reference batchNormalization: statistics, scale and bias of one axis") {
  const TestTensor input = f32({2, 2, 2}, {0, 2, 4, 6, 8, 10, 12, 14});
  const TestTensor mean = f32({2}, {2, 4}), variance = f32({2}, {4, 1});
  CHECK(numbers(run_operator("batchNormalization", {input, mean, variance}, {exact})[0]) ==
        Numbers{-1.0, 0.0, 0.0, 2.0, 3.0, 4.0, 8.0, 10.0});
  const TestTensor scale = f32({2}, {10, -1}), bias = f32({2}, {1, 0.5});
  CHECK(numbers(run_operator("batchNormalization", {input, mean, variance, scale, bias}, {exact, {"axis", 2}})[0]) ==
        Numbers{-9.0, 2.5, 11.0, -1.5, 31.0, -5.5, 51.0, -9.5});
  CHECK(numbers(run_operator("batchNormalization", {input, mean, variance, std::nullopt, bias}, {exact})[0]) ==
        Numbers{0.0, 1.0, 0.5, 2.5, 4.0, 5.0, 8.5, 10.5});
}

TEST_CASE("reference batchNormalization: epsilon is rounded to the input's type") {
  const TestTensor zero = tensor(DataType::float16, {1}, {0}), input = tensor(DataType::float16, {1}, {1});
  // 1e-8 is 0 in float16, 6e-8 the least subnormal.
  const auto run = [&](double epsilon) {
    return numbers(run_operator("batchNormalization", {input, zero, zero}, {{"axis", 0}, {"epsilon", epsilon}})[0]);
  };
  CHECK(run(1e-8) == Numbers{infinity});
  CHECK(run(6e-8) == Numbers{4096.0});
}

TEST_CASE("reference batchNormalization: writes over its input") {
  const TestTensor input = f32({4}, {1, 2, 3, 4}), mean = f32({4}, {1, 1, 1, 1}), variance = f32({4}, {1, 1, 1, 1});
  CHECK(numbers(run_operator("batchNormalization", {input, mean, variance}, {exact, {"axis", 0}},
                             {.in_place = 0})[0]) == Numbers{0.0, 1.0, 2.0, 3.0});
}

TEST_CASE("reference instanceNormalization: statistics of each channel of each image") {
  const TestTensor input = f32({2, 2, 1, 2}, {0, 2, 10, 10, -3, 3, 5, 9});
  const TestTensor scale = f32({2}, {1, 10}), bias = f32({2}, {0, 1});
  const NamedAttribute epsilon{"epsilon", 3};  // variances 1, 0, 9, 4
  const TestTensor result = run_operator("instanceNormalization", {input, scale, bias}, {epsilon})[0];
  const TestTensor expected = f32({2, 2, 1, 2}, {-0.5, 0.5, 1.0, 1.0, -3 / std::sqrt(12.0), 3 / std::sqrt(12.0),
                                                 1 - 20 / std::sqrt(7.0), 1 + 20 / std::sqrt(7.0)});
  CHECK(result == expected);
  const auto to_nhwc = [](const TestTensor& image) {
    return run_operator("transpose", {image}, {{"permutation", IntegerList{0, 2, 3, 1}}})[0];
  };
  CHECK(run_operator("instanceNormalization", {to_nhwc(input), scale, bias}, {epsilon, {"layout", "nhwc"}})[0] ==
        to_nhwc(expected));
}

TEST_CASE("reference layerNormalization: all axes but the first by default") {
  const TestTensor input = f32({2, 2, 2}, {1, 3, 1, 3, 10, 10, 30, 30});
  CHECK(numbers(run_operator("layerNormalization", {input}, {exact})[0]) ==
        Numbers{-1.0, 1.0, -1.0, 1.0, -1.0, -1.0, 1.0, 1.0});
}

TEST_CASE("reference layerNormalization: scale and bias follow the order of the axes") {
  const TestTensor input = f32({2, 3}, {-1, -1, -1, 1, 1, 1});
  const TestTensor scale = counting(DataType::float32, {3, 2});  // element [column, row]
  const TestTensor bias = tensor(DataType::float32, {3, 2}, {100, 200, 300, 400, 500, 600});
  CHECK(numbers(run_operator("layerNormalization", {input, scale, bias}, {exact, {"axes", IntegerList{1, 0}}})[0]) ==
        Numbers{100.0, 298.0, 496.0, 201.0, 403.0, 605.0});
}

TEST_CASE("reference layerNormalization: an axis that is not the last") {
  const TestTensor input = f32({2, 2}, {1, 20, 3, 40});
  const TestTensor scale = f32({2}, {1, 2});
  CHECK(numbers(run_operator("layerNormalization", {input, scale}, {exact, {"axes", IntegerList{0}}})[0]) ==
        Numbers{-1.0, -1.0, 2.0, 2.0});
}

TEST_CASE("reference layerNormalization: without axes every element is its own mean") {
  const TestTensor input = f32({3}, {1, 2, 3});
  CHECK(numbers(run_operator("layerNormalization", {input})[0]) == Numbers{0.0, 0.0, 0.0});
  CHECK(
      numbers(run_operator("layerNormalization", {input, scalar(DataType::float32, 7), scalar(DataType::float32, 0.5)},
                           {{"axes", IntegerList{}}})[0]) == Numbers{0.5, 0.5, 0.5});
  CHECK(numbers(run_operator("layerNormalization", {scalar(DataType::float32, 9)})[0]) == Numbers{0.0});
}

TEST_CASE("reference rmsNormalization: the root of the mean of squares of the last axes") {
  const TestTensor input = f32({2, 2}, {1, 7, -3, 3});
  CHECK(numbers(run_operator("@rmsNormalization", {input}, {exact})[0]) == Numbers{1 / 5.0f, 7 / 5.0f, -1.0, 1.0});
  const TestTensor scale = f32({2}, {10, -5});
  CHECK(numbers(run_operator("@rmsNormalization", {input, scale}, {exact})[0]) == Numbers{2.0, -7.0, -10.0, -5.0});
  CHECK(run_operator("@rmsNormalization", {input, scale}, {{"epsilon", 75}, {"axes", IntegerList{1}}})[0] ==
        f32({2, 2}, {1.0, -3.5, -30 / std::sqrt(84.0), -15 / std::sqrt(84.0)}));
}

TEST_CASE("reference softmax: along any axis, without overflow") {
  const double e = std::exp(1.0);
  const TestTensor input = f32({2, 2}, {1000, 1001, 1000, 1000});
  CHECK(run_operator("softmax", {input}, {{"axis", 1}})[0] == f32({2, 2}, {1 / (1 + e), e / (1 + e), 0.5, 0.5}));
  CHECK(run_operator("softmax", {input}, {{"axis", 0}})[0] == f32({2, 2}, {0.5, e / (1 + e), 0.5, 1 / (1 + e)}));
}

TEST_CASE("reference softmax: NaN spreads over its row, -Infinity has no share") {
  const TestTensor input = f32({2, 2}, {not_a_number, 1, -infinity, 1});
  const Numbers shares = numbers(run_operator("softmax", {input}, {{"axis", 1}})[0]);
  CHECK(shares[0].is_nan());
  CHECK(shares[1].is_nan());
  CHECK(shares[2] == Number(0.0));
  CHECK(shares[3] == Number(1.0));
}

}  // namespace reference_normalization_test
