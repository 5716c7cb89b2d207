// The reference kernels of quantizeLinear and dequantizeLinear.
#include "tests/harness/run_operator.hpp"

namespace reference_quantization_test {

using namespace webnn::tests;

namespace {

Numbers quantize(const Numbers& input, Number scale, DataType type, Number zero_point,
                 DataType input_type = DataType::float32) {
  const Shape shape{std::uint32_t(input.size())};
  return numbers(run_operator("quantizeLinear", {tensor(input_type, shape, input), tensor(input_type, {1}, {scale}),
                                                 tensor(type, {1}, {zero_point})})[0]);
}

/// As numbers of the type, so that signed and unsigned literals need not be spelt out.
Numbers of(DataType type, const Numbers& elements) {
  return numbers(tensor(type, {std::uint32_t(elements.size())}, elements));
}

}  // namespace

TEST_CASE("reference quantizeLinear: ties go to the even number, before the zero point is added") {
  CHECK(quantize({0.5, 1.5, 2.5, -0.5, -1.5}, 1, DataType::int8, 3) == of(DataType::int8, {3, 5, 5, 3, 1}));
}

TEST_CASE("reference quantizeLinear: saturates to every type") {
  const Numbers far{-1e30, -1, 0, 1, 1e30};
  const auto check = [&](DataType type, const Numbers& expected) {
    for (const DataType input : {DataType::float32, DataType::float16})
      CHECK(quantize(far, 1e-3, type, 0, input) == of(type, expected));
  };
  check(DataType::int8, {-128, -128, 0, 127, 127});
  check(DataType::uint8, {0, 0, 0, 255, 255});
  check(DataType::int4, {-8, -8, 0, 7, 7});
  check(DataType::uint4, {0, 0, 0, 15, 15});
  CHECK(quantize(far, 1, DataType::int32, 0) == Numbers{-2147483648.0, -1, 0, 1, 2147483647});
  CHECK(quantize(far, 1, DataType::uint32, 0) == of(DataType::uint32, {0, 0, 0, 1, 4294967295.0}));
  CHECK(quantize({infinity, -infinity, not_a_number}, 1, DataType::int8, 5) == of(DataType::int8, {127, -128, 0}));
}

TEST_CASE("reference quantizeLinear: large zero points stay exact") {
  CHECK(quantize({1, -1}, 1, DataType::int32, 2147483646) == Numbers{2147483647, 2147483645});
  CHECK(quantize({1, -1}, 1, DataType::uint32, 4294967290.0) == of(DataType::uint32, {4294967291.0, 4294967289.0}));
}

TEST_CASE("reference quantizeLinear: the float32 quotient decides what is a tie") {
  // 1.5 / float(0.12) is a little more than 12.5 and rounds to it; times the rounded reciprocal it would give 13.
  CHECK(quantize({1.5}, 0.12, DataType::int8, 0) == of(DataType::int8, {12}));
}

TEST_CASE("reference quantizeLinear: every element of the scale serves a block") {
  const TestTensor input = tensor(DataType::float32, {2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
  const TestTensor scale = tensor(DataType::float32, {2, 2}, {1, 0.5, 1, 0.25});
  const TestTensor zero_point = tensor(DataType::uint8, {2, 2}, {0, 100, 10, 200});
  CHECK(numbers(run_operator("quantizeLinear", {input, scale, zero_point})[0]) ==
        of(DataType::uint8, {1, 2, 106, 108, 15, 16, 228, 232}));
}

TEST_CASE("reference quantizeLinear: 4-bit elements are packed, the low nibble first") {
  const TestTensor input = tensor(DataType::float32, {5}, {1, 2, -3, 4, -8});
  const TestTensor scale = tensor(DataType::float32, {1}, {1}), zero_point = tensor(DataType::int4, {1}, {0});
  const TestTensor result = run_operator("quantizeLinear", {input, scale, zero_point})[0];
  CHECK(result.data == std::vector<std::byte>{std::byte{0x21}, std::byte{0x4d}, std::byte{0x08}});
}

TEST_CASE("reference dequantizeLinear: (x - zeroPoint) * scale in blocks of 4-bit elements") {
  const TestTensor input = tensor(DataType::uint4, {2, 3}, {0, 1, 2, 13, 14, 15});
  const TestTensor scale = tensor(DataType::float16, {2, 1}, {0.5, 2}),
                   zero_point = tensor(DataType::uint4, {2, 1}, {1, 15});
  CHECK(numbers(run_operator("dequantizeLinear", {input, scale, zero_point})[0]) ==
        Numbers{-0.5, 0.0, 0.5, -4.0, -2.0, 0.0});
  const TestTensor negative = tensor(DataType::int4, {3}, {-8, -1, 7});
  CHECK(numbers(run_operator("dequantizeLinear", {negative, tensor(DataType::float32, {3}, {1, 2, 3}),
                                                  tensor(DataType::int4, {3}, {0, 1, -1})})[0]) ==
        Numbers{-8.0, -4.0, 24.0});
}

TEST_CASE("reference dequantizeLinear: 32-bit differences are exact before they are scaled") {
  const TestTensor input = tensor(DataType::int32, {2}, {2147483647, -2147483648.0});
  const TestTensor scale = tensor(DataType::float32, {2}, {1, 0.5});
  const TestTensor zero_point = tensor(DataType::int32, {2}, {2147483640, 2147483646});
  CHECK(numbers(run_operator("dequantizeLinear", {input, scale, zero_point})[0]) ==
        Numbers{7.0, double(float(-2147483647.0))});
}

TEST_CASE("reference dequantizeLinear: a scalar and its own scale for each element") {
  CHECK(numbers(run_operator("dequantizeLinear", {scalar(DataType::int8, -100), scalar(DataType::float32, 0.5),
                                                  scalar(DataType::int8, 28)})[0]) == Numbers{-64.0});
}

}  // namespace reference_quantization_test
