// The vector kernels whose results have another type than their operands: comparisons, predicates, where, casts and
// quantisation, against the reference kernels and exactly.
#include <bit>
#include <cmath>
#include <doctest/doctest.h>
#include <random>
#include <string>

#include "api/kernels.hpp"
#include "runtime/cpu/cpu_features.hpp"
#include "tests/harness/simd_rows.hpp"

namespace simd_conversions_test {

using namespace webnn;
using namespace webnn::tests;

namespace {

/// Where conversions and comparisons turn, and NaN, infinities and subnormal numbers.
TestTensor edges() {
  std::vector<float> values;
  for (const float middle : {0.0f, 1.0f, 127.0f, 128.0f, 255.0f, 256.0f, 65504.0f, 65520.0f, 16777216.0f, 2147483648.0f,
                             4294967296.0f, 1e38f})
    for (const float sign : {1.0f, -1.0f})
      for (const float step : {-1.0f, -0.75f, -0.5f, -0.25f, 0.0f, 0.25f, 0.5f, 0.75f, 1.0f}) {
        const float value = sign * (middle + step);
        values.insert(values.end(), {value, std::nextafter(value, 0.0f), std::nextafter(value, float(infinity))});
      }
  for (const double value : {infinity, -infinity, not_a_number, -0.0, 1e-45, -1e-45, 1e-40, 6e-8, 5.96e-8})
    values.push_back(float(value));
  const auto count = std::uint32_t(values.size());
  return tensor_of(DataType::float32, {count}, values);
}

TestTensor cast_to(const TestTensor& tensor, DataType type) {
  return run_operator("cast", {tensor}, {{"dataType", type}})[0];
}

/// Every value of an 8-bit type.
TestTensor all_bytes(DataType type) {
  std::vector<std::uint8_t> values(256);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::uint8_t(i);
  return tensor_of(type, {256}, values);
}

void check_exact(const std::string& kernel, const char* op, const OptionalTensors& inputs,
                 const NamedAttributes& attributes = {}) {
  const TestTensor expected = run_operator(op, inputs, attributes)[0];
  for (const std::string& name : simd_rows(kernel)) {
    CAPTURE(name);
    CAPTURE(std::string(op));
    const KernelSpec spec = operator_spec(op, inputs, attributes);
    REQUIRE(takes(row(*api::find_kernel(name)), spec, {DeviceKind::cpu, runtime::detect_cpu_features()}));
    CHECK(numbers(run_row(name, spec, inputs)[0]) == numbers(expected));
  }
}

}  // namespace

TEST_CASE("simd conversions: floats to integers truncate, saturate, and NaN gives 0") {
  for (const DataType type : {DataType::int32, DataType::int8, DataType::uint8})
    for (const TestTensor& x : {edges(), cast_to(edges(), DataType::float16)})
      check_exact("cast", "cast", {x}, {{"dataType", type}});
}

TEST_CASE("simd conversions: between float types, rounded to even") {
  const TestTensor x = run_operator("where", {run_operator("isNaN", {edges()})[0], tensor(DataType::float32, {}, {1}),
                                              edges()})[0];  // a NaN's bits are no one's business
  check_exact("cast", "cast", {x}, {{"dataType", DataType::float16}});
  check_exact("cast", "cast", {cast_to(x, DataType::float16)}, {{"dataType", DataType::float32}});
}

TEST_CASE("simd conversions: integers to floats and wider integers") {
  for (const DataType type : {DataType::int8, DataType::uint8})
    for (const DataType to : {DataType::float32, DataType::float16, DataType::int32})
      check_exact("cast", "cast", {all_bytes(type)}, {{"dataType", to}});
  std::mt19937 engine(3);
  std::vector<std::int32_t> values{0, -1, 16777217, -16777219, 2147483647, -2147483647 - 1, 65504, 65520, 100000};
  while (values.size() < 1000) values.push_back(std::int32_t(engine()) >> (engine() % 32));
  const TestTensor x = tensor_of(DataType::int32, {1000}, values);
  for (const DataType to : {DataType::float32, DataType::float16}) check_exact("cast", "cast", {x}, {{"dataType", to}});
}

TEST_CASE("simd conversions: between integers the low bits stay") {
  const TestTensor wide =
      tensor_of(DataType::int32, {6}, std::vector<std::int32_t>{-1, 255, 256, -129, 0x12345678, -7});
  for (const DataType to : {DataType::int32, DataType::uint32, DataType::int8, DataType::uint8})
    for (const TestTensor& x : {wide, all_bytes(DataType::int8), all_bytes(DataType::uint8)})
      check_exact("cast", "cast", {x}, {{"dataType", to}});
}

TEST_CASE("simd conversions: casts of wide types are refused") {
  for (const std::string& name : simd_rows("cast"))
    for (const auto& [from, to] : {std::pair{DataType::float32, DataType::int64},
                                   {DataType::int64, DataType::float32},
                                   {DataType::float32, DataType::uint32},
                                   {DataType::uint32, DataType::float32}}) {
      const KernelSpec spec = operator_spec("cast", {counting(from, {3})}, {{"dataType", to}});
      CHECK_FALSE(takes(row(*api::find_kernel(name)), spec, {DeviceKind::cpu, runtime::detect_cpu_features()}));
    }
}

TEST_CASE("simd conversions: comparisons and predicates with NaN, infinities and both zeros") {
  const TestTensor x = edges();
  const std::uint32_t count = x.descriptor.shape[0];
  TestTensor column = x;
  column.descriptor.shape = Shape({count, 1});
  for (const char* op : {"equal", "notEqual", "greater", "greaterOrEqual", "lesser", "lesserOrEqual"}) {
    check_exact("comparison", op, {column, x});
    check_exact("comparison", op, {all_bytes(DataType::int8), tensor(DataType::int8, {}, {-3})});
  }
  for (const char* op : {"isNaN", "isInfinite"}) check_exact("predicate", op, {x});
}

TEST_CASE("simd conversions: logical operators take every value but 0 as true") {
  const TestTensor bytes = all_bytes(DataType::uint8);
  for (const char* op : {"logicalAnd", "logicalOr", "logicalXor"})
    check_exact("logical", op, {bytes, tensor(DataType::uint8, {256, 1}, Numbers(256, 2))});
  check_exact("logical", "logicalNot", {bytes});
}

TEST_CASE("simd conversions: where moves bits of any type") {
  std::mt19937 engine(4);
  std::vector<std::uint32_t> bits(600);
  for (std::uint32_t& item : bits) item = std::uint32_t(engine());  // as floats: NaNs with payloads too
  std::vector<std::uint8_t> chosen(600);
  for (std::uint8_t& item : chosen) item = engine() % 2 ? std::uint8_t(engine()) : std::uint8_t(0);
  const TestTensor condition = tensor_of(DataType::uint8, {600}, chosen);
  for (const DataType type : {DataType::float32, DataType::int32, DataType::uint32}) {
    const TestTensor a = tensor_of(type, {600}, bits);
    const TestTensor b = tensor_of(type, {1}, std::vector<std::uint32_t>{0x7fa12345});
    const KernelSpec spec = operator_spec("where", {condition, a, b});
    for (const std::string& name : simd_rows("where"))
      CHECK(run_row(name, spec, {condition, a, b})[0] == run_operator("where", {condition, a, b})[0]);
  }
  check_exact("where", "where", {condition, tensor(DataType::int8, {}, {-5}), tensor(DataType::int8, {2, 1}, {1, 2})});
  check_exact("where", "where",
              {condition, tensor(DataType::float16, {}, {0.5}), counting(DataType::float16, {600}, -300)});
}

TEST_CASE("simd conversions: quantisation rounds ties to even and saturates, block by block") {
  for (const DataType type : {DataType::int8, DataType::uint8}) {
    const TestTensor x = edges();
    check_exact("quantizeLinear", "quantizeLinear",
                {x, tensor(DataType::float32, {1}, {0.5}), tensor(type, {1}, {type == DataType::int8 ? -7 : 100})});
    const TestTensor halves =
        run_operator("mul", {counting(DataType::float32, {4, 6, 10}, -120), scalar(DataType::float32, 0.5)})[0];
    const TestTensor scale = tensor(DataType::float32, {2, 6, 5}, [] {
      Numbers list;
      for (int i = 0; i < 60; ++i) list.push_back(0.25 * (1 + i % 7));
      return list;
    }());
    const TestTensor zero_point = counting(type, {2, 6, 5}, 3);
    check_exact("quantizeLinear", "quantizeLinear", {halves, scale, zero_point});
    check_exact("dequantizeLinear", "dequantizeLinear", {counting(type, {4, 6, 10}, 0), scale, zero_point});
    check_exact("dequantizeLinear", "dequantizeLinear",
                {all_bytes(type), tensor(DataType::float16, {1}, {0.25}), tensor(type, {1}, {9})});
  }
}

TEST_CASE("simd integers: operators of one operand on edges") {
  const TestTensor words = tensor_of(
      DataType::int32, {9}, std::vector<std::int32_t>{0, 1, -1, 2147483647, -2147483647 - 1, 5, -5, 100, -100});
  for (const TestTensor& x : {words, all_bytes(DataType::int8)}) {
    for (const char* op : {"abs", "neg", "relu", "sign"}) check_exact("integerUnary", op, {x});
    check_exact("integerUnary", "clamp", {x}, {{"minValue", -3}, {"maxValue", 4.6}});
  }
  check_exact("integerUnary", "clamp", {words});
  check_exact("integerUnary", "clamp", {all_bytes(DataType::uint8)}, {{"minValue", -3}, {"maxValue", 200}});
}

TEST_CASE("simd integers: operators of two operands wrap, and divide by zero to 0") {
  std::mt19937 engine(5);
  std::vector<std::int32_t> values{0, 1, -1, 2147483647, -2147483647 - 1, 2, -2, 46341, -46341};
  while (values.size() < 77) values.push_back(std::int32_t(engine()) >> (engine() % 32));
  const TestTensor words = tensor_of(DataType::int32, {77}, values);
  for (const char* op : {"add", "sub", "mul", "div", "max", "min", "pow", "prelu", "equal", "notEqual", "greater",
                         "greaterOrEqual", "lesser", "lesserOrEqual"}) {
    const bool compares = find_operator(op) && row(*find_operator(op)).family == Family::comparison;
    for (const TestTensor& x : {words, all_bytes(DataType::int8), all_bytes(DataType::uint8)}) {
      if (std::string(op) == "prelu" && x.descriptor.type == DataType::uint8) continue;
      TestTensor column = x;
      column.descriptor.shape.push_back(1);
      check_exact(compares ? "comparison" : "integerBinary", op, {column, x});
      check_exact(compares ? "comparison" : "integerBinary", op, {x, tensor(x.descriptor.type, {}, {3})});
    }
  }
}

}  // namespace simd_conversions_test
