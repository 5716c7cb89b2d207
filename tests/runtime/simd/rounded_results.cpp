// Groups on float16, which are computed in float32: an operator that takes a small difference for a decision sees the
// float16 numbers that separate operators would give it (takes_rounded), bit for bit.
#include <cmath>
#include <cstring>
#include <doctest/doctest.h>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include "api/kernels.hpp"
#include "runtime/cpu/cpu_features.hpp"
#include "schema/elements/compare_tensors.hpp"
#include "schema/operators/check_spec.hpp"
#include "schema/operators/elementwise.hpp"
#include "tests/harness/simd_rows.hpp"

namespace webnn::tests::rounded_results_test {
namespace {

/// Ordinary numbers, whose products and sums are rounded or overflow, and now and then any bits.
TestTensor half_numbers(const Shape& shape, std::mt19937& engine) {
  std::uniform_real_distribution<double> exponents(-10, 11);
  Numbers values(element_count(shape));
  for (Number& value : values) value = std::exp2(exponents(engine)) * (engine() % 2 ? 1 : -1);
  TestTensor result = tensor(DataType::float16, shape, values);
  for (std::size_t i = 0; i < values.size(); i += 7) {
    const auto bits = std::uint16_t(engine());
    std::memcpy(result.data.data() + i * sizeof bits, &bits, sizeof bits);
  }
  return result;
}

/// Whole numbers, so that a product with a number near one is nearly whole.
TestTensor whole_numbers(const Shape& shape, std::mt19937& engine) {
  Numbers values(element_count(shape));
  for (Number& value : values) value = double(int(engine() % 4097) - 2048);
  return tensor(DataType::float16, shape, values);
}

struct Call {
  KernelSpec spec;
  OptionalTensors inputs;

  Call(const char* root, const OptionalTensors& of_root) : spec(operator_spec(root, of_root)), inputs(of_root) {}

  /// Appends an operator on results of earlier steps and other tensors.
  Call& then(OperatorId op, const std::vector<std::variant<std::size_t, TestTensor>>& operands,
             Attributes attributes = {}) {
    std::vector<NewOperand<KernelSpec>> places;
    for (const auto& operand : operands)
      if (const auto* step = std::get_if<std::size_t>(&operand)) {
        places.emplace_back(ResultOf{*step});
      } else {
        places.emplace_back(std::get<TestTensor>(operand).descriptor);
        inputs.emplace_back(std::get<TestTensor>(operand));
      }
    append_post_op(spec, op, std::move(attributes), places);
    spec.outputs = {results_of_steps(spec).back()};
    return *this;
  }
};

void check(const Call& call, double ulp = 0) {
  const std::string_view name = row(call.spec.post_ops.back().op).name;
  CAPTURE(name);
  const Target target{DeviceKind::cpu, runtime::detect_cpu_features()};
  const TestTensor expected = run_steps(call.spec, call.inputs).back();
  std::size_t kernels = 0;
  for (const KernelRow& kernel : api::kernel_table()) {
    if (kernel.provider() != "simd" || !takes(kernel, call.spec, target)) continue;
    const std::string kernel_name(kernel.name);
    CAPTURE(kernel_name);
    const TestTensor actual = run_row(kernel_name, call.spec, call.inputs)[0];
    const Comparison comparison =
        compare_tensors(expected.descriptor, actual.data, expected.data, {.ulp = ulp, .absolute = 0, .relative = 0});
    CAPTURE(comparison.max_ulp_at);
    CHECK(comparison.mismatches == 0);
    ++kernels;
  }
  CHECK(kernels > 0);
}

const Shape shapes[] = {{5}, {131}, {3, 1009}};

/// The rows of elementwise.def that take results so.
std::vector<OperatorId> operators(Taken taken) {
  std::vector<OperatorId> found;
  for (const ElementwiseRow& row : elementwise_rows())
    if (row.results == taken && row.floats != Work::none) found.push_back(row.op);
  REQUIRE_FALSE(found.empty());
  return found;
}

Attributes to_type(DataType type) {
  Attributes attributes(row("cast"_op).attributes.size());
  attributes[0] = type;
  return attributes;
}

constexpr std::size_t first = 0, second = 1;  // steps

}  // namespace

TEST_CASE("rounded results: operators that a small difference decides") {
  if (simd_rows("binary").empty()) return;
  std::mt19937 engine(21);
  for (const Shape& shape : shapes)
    for (const char* root : {"mul", "add", "div"}) {
      CAPTURE(root);
      const TestTensor x = half_numbers(shape, engine), y = half_numbers(shape, engine),
                       z = half_numbers(shape, engine);
      const TestTensor number = scalar(DataType::float16, 1);
      for (const OperatorId op : operators(Taken::rounded)) {
        if (row(op).operands.size() == 1) {
          check(Call(root, {x, y}).then(op, {first}));
          check(Call(root, {x, y}).then("relu"_op, {first}).then(op, {second}));
          continue;
        }
        check(Call(root, {x, y}).then(op, {first, x}));
        check(Call(root, {x, y}).then(op, {number, first}));
        check(Call(root, {x, y}).then("mul"_op, {first, z}).then(op, {first, second}));
        check(Call(root, {x, y}).then(op, {first, x}).then("where"_op, {second, z, first}));
      }
      for (const DataType type : {DataType::float32, DataType::int32, DataType::int8, DataType::uint8})
        check(Call(root, {x, y}).then("cast"_op, {first}, to_type(type)));
    }
}

TEST_CASE("rounded results: differences and quotients of two of them") {
  if (simd_rows("binary").empty()) return;
  std::mt19937 engine(22);
  for (const Shape& shape : shapes) {
    const TestTensor x = half_numbers(shape, engine), y = half_numbers(shape, engine), z = half_numbers(shape, engine);
    for (const OperatorId op : operators(Taken::pair)) {
      check(Call("mul", {x, y}).then(op, {first, first}));
      check(Call("mul", {x, y}).then("mul"_op, {x, z}).then(op, {first, second}), 1);
      check(Call("mul", {x, y}).then("add"_op, {x, z}).then(op, {second, first}), 1);
    }
  }
}

TEST_CASE("rounded results: an exponent is whole if float16 has it so") {
  if (simd_rows("binary").empty()) return;
  std::mt19937 engine(23);
  for (const Shape& shape : shapes) {
    const TestTensor x = half_numbers(shape, engine), whole = whole_numbers(shape, engine);
    const TestTensor nearly_one = tensor(DataType::float16, {1}, {0.9995});
    for (const OperatorId op : operators(Taken::exponent))
      check(Call("mul", {whole, nearly_one}).then(op, {x, first}), 1);
  }
}

TEST_CASE("rounded results: behind dequantizeLinear") {
  if (simd_rows("dequantizeLinear").empty()) return;
  std::mt19937 engine(24);
  Numbers bytes(131);
  for (Number& byte : bytes) byte = int(engine() % 256) - 128;
  const OptionalTensors quantized{tensor(DataType::int8, {131}, bytes), tensor(DataType::float16, {1}, {0.3333}),
                                  tensor(DataType::int8, {1}, {3})};
  for (const OperatorId op : operators(Taken::rounded))
    if (row(op).family == Family::unary) check(Call("dequantizeLinear", quantized).then(op, {first}));
}

}  // namespace webnn::tests::rounded_results_test
