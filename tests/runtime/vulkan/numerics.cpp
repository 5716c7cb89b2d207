// Numbers of the GPU where drivers differ: rounding to float16, results at the ends of the range, steps of fused
// operators.
#include <bit>
#include <cmath>
#include <cstring>
#include <doctest/doctest.h>
#include <limits>
#include <random>
#include <string>
#include <string_view>

#include "api/kernels.hpp"
#include "runtime/vulkan/kernels/spirv_instructions.hpp"
#include "runtime/vulkan/shaders.hpp"
#include "schema/elements/half.hpp"
#include "schema/operators/elementwise.hpp"
#include "tests/harness/machine/gpu.hpp"

namespace webnn::tests::numerics_test {
namespace {

using namespace runtime::vulkan;

constexpr ShaderCode (*all_shaders[])() = {
#define SHADER(name, ...) shaders::name,
#include "runtime/vulkan/shaders.def"
#undef SHADER
};

TestTensor floats(const std::vector<float>& values) {
  Numbers list;
  for (const float value : values) list.emplace_back(double(value));
  return tensor(DataType::float32, {std::uint32_t(values.size())}, list);
}

TestTensor run_row(runtime::Device& device, std::string_view kernel, std::string_view op, const OptionalTensors& inputs,
                   const NamedAttributes& attributes = {}) {
  return run_on_device(device, *api::find_kernel(kernel), operator_spec(op, inputs, attributes), inputs).front();
}

/// The same number: NaN for NaN, each infinity and zero for itself, others up to rounding.
bool agree(double expected, double actual, double relative) {
  if (std::isnan(expected) || std::isnan(actual)) return std::isnan(expected) && std::isnan(actual);
  if (std::isinf(expected) || std::isinf(actual)) return expected == actual;
  if (expected == 0 && actual == 0) return std::signbit(expected) == std::signbit(actual);
  constexpr double least_normal = std::numeric_limits<float>::min();
  return std::abs(expected - actual) <= relative * std::abs(expected) + least_normal;
}

float random_float(std::mt19937& engine) { return std::bit_cast<float>(std::uint32_t(engine())); }
float random_subnormal(std::mt19937& engine) {
  return std::bit_cast<float>(std::uint32_t(engine() & 0x807fffffu & (0x80000000u | (0x7fffffu >> engine() % 23))));
}

}  // namespace

TEST_CASE("vulkan numerics: no shader leaves the rounding to float16 to the driver") {
  constexpr std::uint32_t op_type_float = 22, op_ext_inst = 12, op_convert = 115, pack_half = 58;
  for (const auto shader : all_shaders) {
    const ShaderCode code = shader();
    CAPTURE(code.name);
    std::uint32_t half_type = 0;
    std::size_t packs = 0, conversions = 0;
    spirv::for_each(spirv::body_of(code.words), [&](const spirv::Instruction& instruction, std::size_t) {
      const auto& w = instruction.words;
      if (instruction.operation == op_type_float && w[2] == 16) half_type = w[1];
      if (instruction.operation == op_ext_inst && w[4] == pack_half) ++packs;
      if (instruction.operation == op_convert && half_type != 0 && w[1] == half_type) ++conversions;
    });
    CHECK(packs == 0);
    CHECK(conversions == 0);
  }
}

TEST_CASE("vulkan numerics: float32 is rounded to the nearest float16, of two to the even one") {
  const auto device = open_test_gpu();
  if (!device) return;
  std::vector<float> values;
  for (std::uint32_t bits = 0; bits < 0x7c00; ++bits) {
    const auto low = float(std::bit_cast<Half>(std::uint16_t(bits)));
    const float high = bits + 1 == 0x7c00 ? 65536.0f : float(std::bit_cast<Half>(std::uint16_t(bits + 1)));
    const float middle = (low + high) / 2;
    for (const float value : {low, middle, std::nextafter(middle, 0.0f), std::nextafter(middle, high)}) {
      values.push_back(value);
      values.push_back(-value);
    }
  }
  for (const float value : {65536.0f, 1e30f, std::numeric_limits<float>::infinity(), std::nanf(""), 1e-30f})
    values.push_back(value);
  const TestTensor x = floats(values);
  const NamedAttributes attributes{{"dataType", DataType::float16}};
  const TestTensor expected = run_operator("cast", {x}, attributes).front();
  const TestTensor actual = run_row(*device, "vulkan.cast", "cast", {x}, attributes);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::uint16_t a = 0, b = 0;
    std::memcpy(&a, expected.data.data() + 2 * i, 2);
    std::memcpy(&b, actual.data.data() + 2 * i, 2);
    if (a != b && !std::isnan(values[i]) && ++wrong < 5) CHECK_MESSAGE(false, values[i] << ": " << a << " " << b);
  }
  CHECK(wrong == 0);
}

TEST_CASE("vulkan numerics: unary operators at the ends of the range are what the reference says") {
  const auto device = open_test_gpu();
  if (!device) return;
  constexpr double greatest = std::numeric_limits<float>::max(), least = std::numeric_limits<float>::min();
  for (const DataType type : {DataType::float32, DataType::float16}) {
    Numbers elements;
    for (const double value : {0.0,  infinity, least, 1e-7,  0.5,   1.0, 2.5,     3.0,  9.5,  11.0,
                               20.0, 88.0,     89.5,  100.0, 104.0, 1e4, 65504.0, 1e10, 3e38, greatest})
      for (const double sign : {1.0, -1.0})
        if (type == DataType::float32 || std::abs(value) <= 65504 || std::isinf(value))
          elements.emplace_back(sign * value);
    elements.emplace_back(not_a_number);
    const TestTensor x = tensor(type, {std::uint32_t(elements.size())}, elements);
    for (const ElementwiseRow& elementwise : elementwise_rows()) {
      const OperatorId op = elementwise.op;
      const Operator& which = row(op);
      if (which.family != Family::unary || which.name.starts_with('@') || !which.operands[0].types.contains(type))
        continue;
      const NamedAttributes attributes =
          op == "clamp"_op ? NamedAttributes{{"minValue", -2.0}, {"maxValue", 3.0}} : NamedAttributes{};
      const Numbers expected = numbers(run_operator(which.name, {x}, attributes).front());
      const Numbers actual = numbers(run_row(*device, "vulkan.unary", which.name, {x}, attributes));
      for (std::size_t i = 0; i < elements.size(); ++i)
        CHECK_MESSAGE(agree(expected[i].as_double(), actual[i].as_double(), type == DataType::float16 ? 2e-3 : 4e-6),
                      which.name << " of " << elements[i].text() << " (" << name_of(type) << "): " << expected[i].text()
                                 << " expected, " << actual[i].text());
    }
  }
}

TEST_CASE("vulkan numerics: tanh is never greater than 1") {
  const auto device = open_test_gpu();
  if (!device) return;
  std::vector<float> values;
  for (int i = 0; i < 20'000; ++i) values.push_back(float(i) / 1'000);
  for (const Number& number : numbers(run_row(*device, "vulkan.unary", "tanh", {floats(values)})))
    CHECK(number.as_double() <= 1.0);
}

TEST_CASE("vulkan numerics: no result leaves the range of its function") {
  const auto device = open_test_gpu();
  if (!device) return;
  std::mt19937 engine(11);
  std::vector<float> values;
  for (int i = 0; i < 20'000; ++i) values.push_back(float(i) / 2'000);  // where tanh and erf come near 1
  for (int i = 0; i < 20'000; ++i) values.push_back(random_float(engine));
  const TestTensor x = floats(values);
  for (const std::string op : {"erf", "tanh", "sin", "cos", "softsign", "sigmoid", "hardSigmoid"}) {
    CAPTURE(op);
    const double least = op.ends_with("igmoid") ? 0 : -1;
    const Numbers results = numbers(run_row(*device, "vulkan.unary", op, {x}));
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < results.size(); ++i)
      if (const double y = results[i].as_double(); (y > 1 || y < least) && ++wrong < 5)
        CHECK_MESSAGE(false, op << " of " << values[i] << " is 1 + " << y - 1);
    CHECK(wrong == 0);
  }
  Numbers rows;
  for (int i = 0; i < 8'192; ++i) rows.emplace_back(double(engine() % 64) - (i % 2) * 40.0);
  const TestTensor shares = tensor(DataType::float32, {1'024, 8}, rows);
  for (const Number& share : numbers(run_row(*device, "vulkan.softmax", "softmax", {shares}, {{"axis", 1}})))
    REQUIRE((share.as_double() >= 0 && share.as_double() <= 1));
}

TEST_CASE("vulkan numerics: functions of random numbers, subnormal ones too, are those of the reference") {
  const auto device = open_test_gpu();
  if (!device) return;
  std::mt19937 engine(7);
  std::vector<float> a, b;
  for (int i = 0; i < 20'000; ++i) {
    a.push_back(i % 2 ? random_float(engine) : random_subnormal(engine));
    b.push_back(i % 4 < 2    ? float(int(engine() % 4001) - 2000) / 1000
                : i % 4 == 2 ? random_float(engine)
                             : random_subnormal(engine));
  }
  const auto check = [&](const char* kernel, std::string_view op, const OptionalTensors& inputs) {
    const NamedAttributes attributes =
        op == "clamp" ? NamedAttributes{{"minValue", -2.0}, {"maxValue", 3.0}} : NamedAttributes{};
    const Numbers expected = numbers(run_operator(op, inputs, attributes).front());
    const Numbers actual = numbers(run_row(*device, kernel, op, inputs, attributes));
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < expected.size(); ++i)
      if (!agree(expected[i].as_double(), actual[i].as_double(), 4e-6) && ++wrong < 5)
        CHECK_MESSAGE(false, op << " of " << a[i] << ", " << b[i] << ": " << expected[i].text() << " expected, "
                                << actual[i].text());
    CHECK(wrong == 0);
  };
  const TestTensor x = floats(a), y = floats(b);
  for (const ElementwiseRow& elementwise : elementwise_rows()) {
    const Operator& which = row(elementwise.op);
    CAPTURE(which.name);
    if (which.name.starts_with('@') || !which.operands[0].types.contains(DataType::float32)) continue;
    if (which.family == Family::unary) check("vulkan.unary", which.name, {x});
    if (which.family == Family::binary) check("vulkan.binary", which.name, {x, y});
  }
  // A constant exponent may choose something simpler.
  for (const float exponent : {0.5f, -0.5f, -1.0f, 2.0f, 3.0f, 1.0f, 0.25f})
    check("vulkan.binary", "pow", {x, tensor(DataType::float32, {}, {double(exponent)})});
}

TEST_CASE("vulkan numerics: fused operators round to float16 after each step") {
  const auto device = open_test_gpu();
  if (!device) return;
  // m = a b is infinite in float16, so that m - m is NaN; 2048 + 1 is 2048.
  OptionalTensors inputs{tensor(DataType::float16, {1, 2}, {60'000, 2'048}),
                         tensor(DataType::float16, {2, 3}, {2, 0, 1, 0, 1, 0})};
  const KernelSpec spec = operator_spec("matmul", inputs);
  const KernelId kernel = *api::find_kernel("vulkan.matmul");
  KernelSpec difference = spec;
  append_post_op(difference, "sub"_op, {}, {ResultOf{0}, ResultOf{0}});
  Numbers results = numbers(run_on_device(*device, kernel, difference, inputs).front());
  CHECK(std::isnan(results[0].as_double()));
  CHECK(results[1].as_double() == 0);

  KernelSpec longer = spec;
  const TestTensor one = scalar(DataType::float16, 1);
  inputs.emplace_back(one);
  append_post_op(longer, "add"_op, {}, {ResultOf{0}, one.descriptor});
  append_post_op(longer, "sub"_op, {}, {ResultOf{1}, ResultOf{0}});  // (m + 1) - m
  results = numbers(run_on_device(*device, kernel, longer, inputs).front());
  CHECK(std::isnan(results[0].as_double()));
  CHECK(results[1].as_double() == 0);
  CHECK(results[1] == numbers(run_steps(longer, inputs).back())[1]);
}

}  // namespace webnn::tests::numerics_test
