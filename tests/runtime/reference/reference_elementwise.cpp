// Reference kernels of the elementwise operators at the edges: NaN, infinities, ties, overflow, broadcasting.
#include <cmath>
#include <cstdint>

#include "tests/harness/run_operator.hpp"

namespace webnn::tests::reference_elementwise_test {
namespace {

using enum DataType;

constexpr auto int32_lowest = std::numeric_limits<std::int32_t>::min();
constexpr auto int32_highest = std::numeric_limits<std::int32_t>::max();
constexpr auto int64_lowest = std::numeric_limits<std::int64_t>::min();
constexpr auto int64_highest = std::numeric_limits<std::int64_t>::max();
constexpr auto uint64_highest = std::numeric_limits<std::uint64_t>::max();

Numbers unary(std::string_view op, DataType type, const Numbers& x, const NamedAttributes& attributes = {}) {
  return numbers(run_operator(op, {tensor(type, {std::uint32_t(x.size())}, x)}, attributes)[0]);
}

Numbers binary(std::string_view op, DataType type, const Numbers& a, const Numbers& b) {
  const auto vector = [&](const Numbers& x) { return tensor(type, {std::uint32_t(x.size())}, x); };
  return numbers(run_operator(op, {vector(a), vector(b)})[0]);
}

/// Elementwise closeness for results that are not exact.
void check_close(const Numbers& actual, const Numbers& expected, double relative = 1e-6) {
  REQUIRE(actual.size() == expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    CAPTURE(i);
    CHECK(actual[i].as_double() == doctest::Approx(expected[i].as_double()).epsilon(relative));
  }
}

TEST_CASE("reference unary: NaN goes through everything but sign") {
  for (const auto* op :
       {"abs",       "ceil",      "cos",      "elu",  "erf", "exp",        "floor", "gelu",      "hardSigmoid",
        "hardSwish", "leakyRelu", "linear",   "log",  "neg", "reciprocal", "relu",  "roundEven", "sigmoid",
        "sin",       "softplus",  "softsign", "sqrt", "tan", "tanh",       "clamp"}) {
    CAPTURE(op);
    CHECK(unary(op, float32, {not_a_number})[0].is_nan());
    CHECK(unary(op, float16, {not_a_number})[0].is_nan());
  }
  CHECK(unary("sign", float32, {not_a_number}) == Numbers{0});
}

TEST_CASE("reference unary: rounding to an integer") {
  const Numbers x{-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, -0.2, 2.7, infinity, -infinity};
  CHECK(unary("roundEven", float32, x) == Numbers{-2, -2, -0.0, 0, 2, 2, -0.0, 3, infinity, -infinity});
  CHECK(unary("ceil", float32, x) == Numbers{-2, -1, -0.0, 1, 2, 3, -0.0, 3, infinity, -infinity});
  CHECK(unary("floor", float16, x) == Numbers{-3, -2, -1, 0, 1, 2, -1, 2, infinity, -infinity});
  CHECK(unary("roundEven", float32, {8388609.0, 4194303.5}) == Numbers{8388609.0, 4194304.0});
  CHECK(unary("neg", float32, {0.0, -0.0}) == Numbers{-0.0, 0});
}

TEST_CASE("reference unary: integers wrap at the most negative number") {
  CHECK(unary("abs", int8, {-128, -127, 5}) == Numbers{-128, 127, 5});
  CHECK(unary("neg", int8, {-128, 127}) == Numbers{-128, -127});
  CHECK(unary("neg", int32, {int32_lowest, 7}) == Numbers{int32_lowest, -7});
  CHECK(unary("abs", int64, {int64_lowest, -3}) == Numbers{int64_lowest, 3});
  CHECK(unary("neg", int64, {int64_lowest, int64_highest}) == Numbers{int64_lowest, -int64_highest});
  CHECK(unary("sign", int64, {int64_lowest, 0, 9}) == Numbers{-1, 0, 1});
  CHECK(unary("relu", int8, {-128, 0, 127}) == Numbers{0, 0, 127});
}

TEST_CASE("reference unary: limits at the infinities") {
  CHECK(unary("relu", float32, {-infinity, infinity}) == Numbers{0, infinity});
  CHECK(unary("sigmoid", float32, {-infinity, infinity, 0}) == Numbers{0, 1, 0.5});
  CHECK(unary("tanh", float16, {-infinity, infinity}) == Numbers{-1, 1});
  CHECK(unary("erf", float32, {-infinity, infinity}) == Numbers{-1, 1});
  CHECK(unary("elu", float32, {-infinity, infinity}, {{"alpha", 2.0}}) == Numbers{-2, infinity});
  CHECK(unary("gelu", float32, {infinity, 0}) == Numbers{infinity, 0});
  CHECK(unary("softplus", float32, {-infinity, infinity, 1000, -1000}) == Numbers{0, infinity, 1000, 0});
  CHECK(unary("reciprocal", float32, {infinity, -infinity}) == Numbers{0, -0.0});
  CHECK(unary("reciprocal", float32, {0.0, -0.0}) == Numbers{infinity, -infinity});
  CHECK(unary("log", float32, {0, infinity, 1}) == Numbers{-infinity, infinity, 0});
  CHECK(unary("log", float32, {-1})[0].is_nan());
  CHECK(unary("sqrt", float32, {-1})[0].is_nan());
  CHECK(unary("exp", float16, {12, -20}) == Numbers{infinity, 0});  // e^12 > 65520, e^-20 < 2^-25
}

TEST_CASE("reference unary: small results keep their precision") {
  check_close(unary("elu", float32, {-1e-6}), {-9.999995e-7});
  check_close(unary("softplus", float32, {-30}), {9.357622968839e-14});
  check_close(unary("gelu", float32, {-6}), {-5.919526e-9});  // 1 + erf would cancel
  check_close(unary("sigmoid", float32, {-80}), {1.8048513878454153e-35});
}

TEST_CASE("reference unary: piecewise functions") {
  CHECK(unary("hardSigmoid", float32, {-3, 0, 3, 1}, {{"alpha", 0.25}}) == Numbers{0, 0.5, 1, 0.75});
  CHECK(unary("hardSwish", float32, {-4, -3, 0, 3, 4}) == Numbers{-0.0, -0.0, 0, 3, 4});
  CHECK(unary("leakyRelu", float32, {-4, 4}, {{"alpha", 0.5}}) == Numbers{-2, 4});
  CHECK(unary("linear", float32, {-4, 4}, {{"alpha", 0}, {"beta", 1.5}}) == Numbers{1.5, 1.5});
  CHECK(unary("softsign", float32, {-3, 3}) == Numbers{-0.75, 0.75});
  CHECK(unary("elu", float32, {-1, 2}, {{"alpha", -1.0}})[1] == Number(2));
}

TEST_CASE("reference clamp: limits are cast to the operand's type") {
  CHECK(unary("clamp", float32, {-3, 0.5, 9}, {{"minValue", -1}, {"maxValue", 6}}) == Numbers{-1, 0.5, 6});
  CHECK(unary("clamp", float32, {-infinity, infinity}) == Numbers{-infinity, infinity});
  CHECK(unary("clamp", float32, {1, 5}, {{"minValue", 2}, {"maxValue", 2}}) == Numbers{2, 2});
  CHECK(unary("clamp", int8, {-128, 127}, {{"minValue", -infinity}, {"maxValue", 1000}}) == Numbers{-128, 127});
  CHECK(unary("clamp", uint8, {0, 255}, {{"minValue", 7}}) == Numbers{7, 255});
  const Number just_below(std::int64_t{9007199254740993});  // 2^53 + 1: no double
  CHECK(unary("clamp", int64, {int64_highest, int64_lowest}, {{"maxValue", just_below}}) ==
        Numbers{just_below, int64_lowest});
  CHECK(unary("clamp", uint64, {uint64_highest, std::uint64_t{0}}, {{"maxValue", Number(uint64_highest - 1)}}) ==
        Numbers{uint64_highest - 1, 0});
}

TEST_CASE("reference unary: ranks 0 and 8, and in place") {
  CHECK(numbers(run_operator("neg", {scalar(float32, 3)})[0]) == Numbers{-3});
  const TestTensor eight = counting(float32, {1, 2, 1, 2, 1, 2, 1, 2}, -8);
  CHECK(numbers(run_operator("abs", {eight})[0])[0] == Number(8));
  CHECK(run_operator("relu", {eight}, {}, {.in_place = 0}) == run_operator("relu", {eight}));
}

TEST_CASE("reference binary: integers wrap, and division never traps") {
  CHECK(binary("add", int8, {127, -128}, {1, -1}) == Numbers{-128, 127});
  CHECK(binary("sub", uint8, {0}, {1}) == Numbers{255});
  CHECK(binary("mul", int32, {int32_highest, 65536}, {2, 65536}) == Numbers{-2, 0});
  CHECK(binary("mul", uint64, {uint64_highest}, {uint64_highest}) == Numbers{1});
  CHECK(binary("add", int64, {int64_highest}, {1}) == Numbers{int64_lowest});
  CHECK(binary("div", int32, {7, -7, 7, int32_lowest}, {2, 2, 0, -1}) == Numbers{3, -3, 0, int32_lowest});
  CHECK(binary("div", int64, {int64_lowest, 5}, {-1, 0}) == Numbers{int64_lowest, 0});
  CHECK(binary("div", uint64, {uint64_highest, 9}, {uint64_highest, 0}) == Numbers{1, 0});
  CHECK(binary("div", uint8, {200}, {255}) == Numbers{0});
  CHECK(binary("div", float32, {1, -1}, {0, 0}) == Numbers{infinity, -infinity});
}

TEST_CASE("reference binary: pow") {
  CHECK(binary("pow", int32, {2, -3, 0, 5}, {10, 3, 0, 0}) == Numbers{1024, -27, 1, 1});
  CHECK(binary("pow", int32, {1, -1, -1, 2, 0}, {-5, -3, -2, -1, -1}) == Numbers{1, -1, 1, 0, 0});
  CHECK(binary("pow", int8, {2}, {7}) == Numbers{-128});
  CHECK(binary("pow", uint64, {3}, {uint64_highest})[0] ==
        Number(std::uint64_t{12297829382473034411u}));  // 1/3 mod 2^64
  CHECK(binary("pow", float32, {2, -8, 0, 4}, {0.5, 2, 0, -0.5}) == Numbers{std::sqrt(2.0f), 64, 1, 0.5});
  CHECK(binary("pow", float32, {-8}, {1.0 / 3.0})[0].is_nan());
}

TEST_CASE("reference binary: max and min propagate NaN from either side") {
  for (const auto* op : {"max", "min"}) {
    CAPTURE(op);
    CHECK(binary(op, float32, {not_a_number}, {1})[0].is_nan());
    CHECK(binary(op, float16, {1}, {not_a_number})[0].is_nan());
  }
  CHECK(binary("max", uint64, {uint64_highest}, {1}) == Numbers{uint64_highest});
  CHECK(binary("min", int64, {int64_lowest}, {1}) == Numbers{int64_lowest});
}

TEST_CASE("reference binary: float16 rounds once and overflows to infinity") {
  CHECK(binary("add", float16, {2048, 2050, 65504}, {1, 1, 16}) == Numbers{2048, 2052, infinity});
  CHECK(binary("add", float16, {65504}, {15}) == Numbers{65504});
  CHECK(binary("mul", float16, {0x1p-14}, {0x1p-10}) == Numbers{0x1p-24});
}

TEST_CASE("reference binary: both operands broadcast") {
  const TestTensor column = tensor(float32, {2, 1}, {10, 20});
  const TestTensor row = tensor(float32, {3}, {1, 2, 3});
  CHECK(numbers(run_operator("add", {column, row})[0]) == Numbers{11, 12, 13, 21, 22, 23});
  CHECK(numbers(run_operator("sub", {scalar(int32, 1), scalar(int32, 3)})[0]) == Numbers{-2});
  const auto eight = run_operator(
      "mul", {tensor(int32, {2, 1, 1, 1, 1, 1, 1, 1}, {2, 3}), tensor(int32, {1, 1, 1, 1, 1, 1, 1, 2}, {5, 7})});
  CHECK(eight[0].descriptor.shape == Shape{2, 1, 1, 1, 1, 1, 1, 2});
  CHECK(numbers(eight[0]) == Numbers{10, 14, 15, 21});
  CHECK(numbers(run_operator("prelu", {tensor(int8, {2, 2}, {-3, 4, -5, -6}), tensor(int8, {2}, {2, -1})})[0]) ==
        Numbers{-6, 4, -10, 6});
}

TEST_CASE("reference binary: in place over either operand") {
  const TestTensor a = counting(float32, {2, 3});
  const TestTensor b = tensor(float32, {3}, {5, 6, 7});
  const auto expected = run_operator("sub", {a, b});
  CHECK(run_operator("sub", {a, b}, {}, {.in_place = 0}) == expected);
  CHECK(numbers(run_operator("sub", {b, a}, {}, {.in_place = 1})[0]) == Numbers{5, 5, 5, 2, 2, 2});
}

TEST_CASE("reference comparison: NaN is unequal to all, and integers compare exactly") {
  const Numbers a{1, 2, 3, not_a_number};
  const Numbers b{2, 2, 2, not_a_number};
  CHECK(binary("equal", float32, a, b) == Numbers{0, 1, 0, 0});
  CHECK(binary("notEqual", float32, a, b) == Numbers{1, 0, 1, 1});
  CHECK(binary("greater", float32, a, b) == Numbers{0, 0, 1, 0});
  CHECK(binary("greaterOrEqual", float32, a, b) == Numbers{0, 1, 1, 0});
  CHECK(binary("lesser", float16, a, b) == Numbers{1, 0, 0, 0});
  CHECK(binary("lesserOrEqual", float16, a, b) == Numbers{1, 1, 0, 0});
  CHECK(binary("equal", float32, {0.0}, {-0.0}) == Numbers{1});
  CHECK(binary("greater", int64, {std::int64_t{9007199254740993}}, {std::int64_t{9007199254740992}}) == Numbers{1});
  CHECK(binary("greater", uint64, {uint64_highest}, {1}) == Numbers{1});
  CHECK(run_operator("equal", {scalar(int8, 1), scalar(int8, 1)})[0] == scalar(uint8, 1));
}

TEST_CASE("reference logical: every value but 0 is true") {
  CHECK(unary("logicalNot", uint8, {0, 1, 255}) == Numbers{1, 0, 0});
  CHECK(binary("logicalAnd", uint8, {0, 2, 4, 0}, {0, 1, 0, 8}) == Numbers{0, 1, 0, 0});
  CHECK(binary("logicalOr", uint8, {0, 2, 4, 0}, {0, 1, 0, 8}) == Numbers{0, 1, 1, 1});
  CHECK(binary("logicalXor", uint8, {0, 2, 4, 0}, {0, 1, 0, 8}) == Numbers{0, 0, 1, 1});
  CHECK(numbers(run_operator("logicalOr", {tensor(uint8, {2, 1}, {0, 3}), tensor(uint8, {2}, {0, 9})})[0]) ==
        Numbers{0, 1, 1, 1});
}

TEST_CASE("reference predicate: isNaN and isInfinite") {
  const Numbers x{0, not_a_number, infinity, -infinity, 3};
  for (const DataType type : {float32, float16}) {
    CHECK(unary("isNaN", type, x) == Numbers{0, 1, 0, 0, 0});
    CHECK(unary("isInfinite", type, x) == Numbers{0, 0, 1, 1, 0});
  }
}

TEST_CASE("reference where: three-way broadcast, any type") {
  const TestTensor condition = tensor(uint8, {2, 1}, {0, 200});
  const auto chosen = run_operator("where", {condition, tensor(int64, {3}, {1, 2, 3}), scalar(int64, int64_lowest)});
  CHECK(chosen[0].descriptor == OperandDescriptor{int64, {2, 3}});
  CHECK(numbers(chosen[0]) == Numbers{int64_lowest, int64_lowest, int64_lowest, 1, 2, 3});
}

TEST_CASE("reference cast: floats to integers truncate and saturate") {
  const auto cast = [](DataType from, DataType to, const Numbers& x) {
    return unary("cast", from, x, {{"dataType", to}});
  };
  const Numbers x{-1.9, 1.9, not_a_number, 1e30, -1e30, infinity, -infinity};
  CHECK(cast(float32, int8, x) == Numbers{-1, 1, 0, 127, -128, 127, -128});
  CHECK(cast(float32, uint8, x) == Numbers{0, 1, 0, 255, 0, 255, 0});
  CHECK(cast(float32, int32, x) == Numbers{-1, 1, 0, int32_highest, int32_lowest, int32_highest, int32_lowest});
  CHECK(cast(float32, int64, x) == Numbers{-1, 1, 0, int64_highest, int64_lowest, int64_highest, int64_lowest});
  CHECK(cast(float32, uint64, x) == Numbers{0, 1, 0, uint64_highest, 0, uint64_highest, 0});
  CHECK(cast(float32, int4, x) == Numbers{-1, 1, 0, 7, -8, 7, -8});
  CHECK(cast(float16, uint4, {15.9, 16, -0.5}) == Numbers{15, 15, 0});
  CHECK(cast(float32, uint32, {4294967040.0, 4294967296.0}) == Numbers{4294967040.0, 4294967295.0});
}

TEST_CASE("reference cast: integers keep their low bits, floats round once") {
  const auto cast = [](DataType from, DataType to, const Numbers& x) {
    return unary("cast", from, x, {{"dataType", to}});
  };
  CHECK(cast(int32, int8, {384, -1, 128}) == Numbers{-128, -1, -128});
  CHECK(cast(int64, uint32, {-1, std::int64_t{1} << 32}) == Numbers{std::uint64_t{4294967295}, 0});
  CHECK(cast(int8, uint64, {-1}) == Numbers{uint64_highest});
  CHECK(cast(int32, int4, {7, 8, -8, -9, 16}) == Numbers{7, -8, -8, 7, 0});
  CHECK(cast(int4, uint4, {-1, -8, 7}) == Numbers{15, 8, 7});
  CHECK(cast(uint4, int32, {0, 15, 9}) == Numbers{0, 15, 9});
  CHECK(cast(int64, float32, {std::int64_t{16777217}, int64_highest}) == Numbers{16777216, 0x1p63});
  CHECK(cast(uint64, float32, {uint64_highest}) == Numbers{0x1p64});
  CHECK(cast(int32, float16, {65519, 65520, 2049}) == Numbers{65504, infinity, 2048});
  CHECK(cast(float32, float16, {1 + 0x1p-11, 1 + 0x1p-11 + 0x1p-23, 1e9}) == Numbers{1, 1 + 0x1p-10, infinity});
  CHECK(cast(float16, float32, {0x1p-24, -infinity}) == Numbers{0x1p-24, -infinity});
  // An odd number of 4-bit elements leaves the last high nibble zero.
  CHECK(run_operator("cast", {tensor(int8, {3}, {-1, 2, -3})}, {{"dataType", int4}})[0].data ==
        std::vector{std::byte{0x2f}, std::byte{0x0d}});
}

}  // namespace
}  // namespace webnn::tests::reference_elementwise_test
