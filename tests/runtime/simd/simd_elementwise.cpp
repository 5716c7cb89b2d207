// The elementwise vector kernels: every function over all of its domain against double precision, and chains of
// operators over every way of walking an operand against the reference kernels one after another.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <doctest/doctest.h>
#include <random>
#include <string>

#include "api/kernels.hpp"
#include "runtime/cpu/cpu_features.hpp"
#include "runtime/threads/parallel.hpp"
#include "schema/elements/compare_tensors.hpp"
#include "schema/operators/check_spec.hpp"
#include "schema/operators/elementwise.hpp"
#include "tests/harness/machine/sanitizers.hpp"
#include "tests/harness/simd_rows.hpp"

namespace simd_elementwise_test {

using namespace webnn;
using namespace webnn::tests;

namespace {

TestTensor of_floats(const Shape& shape, const std::vector<float>& values) {
  return tensor_of(DataType::float32, shape, values);
}

// A sanitizer makes a million of them take minutes.
constexpr std::uint32_t point_count = under_sanitizer ? 1u << 16 : 1u << 20;

/// Floats of every exponent and sign: subnormal numbers, infinities and NaNs too.
TestTensor all_magnitudes() {
  std::vector<float> values(point_count);
  constexpr std::uint32_t step = std::uint32_t((std::uint64_t{1} << 32) / point_count);
  for (std::uint32_t i = 0; i < point_count; ++i) {
    const std::uint32_t bits = i * step + i % step;
    std::memcpy(&values[i], &bits, sizeof bits);
  }
  const float specials[] = {0.0f, -0.0f, float(infinity), float(-infinity), float(not_a_number), 1e-45f, -1e-45f};
  std::copy(std::begin(specials), std::end(specials), values.begin());
  return of_floats({point_count}, values);
}

/// Evenly spread over [-range, range].
TestTensor evenly(float range) {
  std::vector<float> values(point_count);
  for (std::uint32_t i = 0; i < point_count; ++i)
    values[i] = float((double(i) / (point_count - 1) * 2 - 1) * double(range));
  return of_floats({point_count}, values);
}

TestTensor random_floats(const Shape& shape, std::mt19937& engine) {
  std::vector<float> values(element_count(shape));
  std::uniform_real_distribution<float> distribution(-2, 2);
  for (float& value : values) value = distribution(engine);
  return of_floats(shape, values);
}

/// Those of one operand that the vector kernels have.
std::vector<ElementwiseRow> functions() {
  std::vector<ElementwiseRow> rows;
  for (const ElementwiseRow& row : elementwise_rows())
    if (schema::row(row.op).family == Family::unary && row.floats != Work::none) rows.push_back(row);
  return rows;
}

void check_function(OperatorId op, const ErrorLimit& limit, const TestTensor& x, const std::string& kernel) {
  const std::string_view name = row(op).name;
  CAPTURE(name);
  CAPTURE(kernel);
  const KernelSpec spec = operator_spec(name, {x});
  const TestTensor expected = run_operator(name, {x})[0];
  const TestTensor actual = run_row(kernel, spec, {x})[0];
  const Comparison comparison =
      compare_tensors(expected.descriptor, actual.data, expected.data, {limit.ulp, limit.absolute, 0});
  CAPTURE(comparison.max_ulp);
  const double at_most_wrong = numbers(x)[comparison.max_ulp_at].as_double();
  CAPTURE(at_most_wrong);
  CHECK(comparison.mismatches == 0);
}

}  // namespace

TEST_CASE("simd elementwise: every function of one operand on a million points is what double precision gives") {
  const TestTensor sweeps[] = {all_magnitudes(), evenly(1), evenly(15), evenly(110)};
  for (const std::string& kernel : simd_rows("unary"))
    for (const ElementwiseRow& function : functions())
      for (const TestTensor& sweep : sweeps) check_function(function.op, function.error, sweep, kernel);
}

TEST_CASE("simd elementwise: the sign of a zero is what every function makes of it") {
  const TestTensor x = of_floats({2}, {0.0f, -0.0f});
  for (const std::string& kernel : simd_rows("unary"))
    for (const ElementwiseRow& function : functions()) {
      const std::string_view name = row(function.op).name;
      CAPTURE(name);
      CAPTURE(kernel);
      const auto actual = numbers(run_row(kernel, operator_spec(name, {x}), {x})[0]);
      const auto expected = numbers(run_operator(name, {x})[0]);
      for (std::size_t i = 0; i < expected.size(); ++i)
        CHECK(std::signbit(actual[i].as_double()) == std::signbit(expected[i].as_double()));
    }
}

TEST_CASE("simd elementwise: every function on every float16") {
  std::vector<std::uint16_t> bits(65536);
  for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = std::uint16_t(i);
  const TestTensor x = tensor_of(DataType::float16, {65536}, bits);
  for (const std::string& kernel : simd_rows("unary"))
    for (const ElementwiseRow& function : functions()) check_function(function.op, {1, 1e-3}, x, kernel);
}

TEST_CASE("simd elementwise: operators of two operands on pairs of all magnitudes") {
  std::mt19937 engine(7);
  std::vector<float> a(1u << 18), b(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::uint32_t bits[] = {std::uint32_t(engine()), std::uint32_t(engine())};
    std::memcpy(&a[i], &bits[0], 4);
    std::memcpy(&b[i], &bits[1], 4);
    if (i % 3 == 0) a[i] = float(int(engine() % 9) - 4);
    if (i % 5 == 0) b[i] = float(int(engine() % 17) - 8) / 2;
    if (i % 7 == 0) a[i] = float(engine() % 100000) * 1e-4f;
    if (i % 11 == 0) b[i] = i % 2 ? float(infinity) : float(not_a_number);
    if (i % 13 == 0) a[i] = i % 2 ? float(-infinity) : -0.0f;
  }
  const auto count = std::uint32_t(a.size());
  const TestTensor left = of_floats({count}, a), right = of_floats({count}, b);
  for (const std::string& kernel : simd_rows("binary"))
    for (const ElementwiseRow& function : elementwise_rows()) {
      const Operator& op = row(function.op);
      if (op.family != Family::binary || function.floats == Work::none) continue;
      CAPTURE(kernel);
      CAPTURE(op.name);
      const TestTensor expected = run_operator(op.name, {left, right})[0];
      const TestTensor actual = run_row(kernel, operator_spec(op.name, {left, right}), {left, right})[0];
      const ErrorLimit& limit = function.error;
      const Comparison comparison =
          compare_tensors(expected.descriptor, actual.data, expected.data, {limit.ulp, limit.absolute, 0});
      const std::size_t worst = comparison.max_ulp_at;
      CAPTURE(a[worst]);
      CAPTURE(b[worst]);
      CAPTURE(comparison.max_ulp);
      CHECK(comparison.mismatches == 0);
    }
}

TEST_CASE("simd elementwise: a constant exponent may choose something simpler than pow, with its results") {
  const TestTensor sweep = all_magnitudes();
  for (const double exponent : {2.0, 3.0, 0.5, -0.5, -1.0, 1.5, -2.0})
    for (const std::string& kernel : simd_rows("binary")) {
      const OptionalTensors inputs{sweep, scalar(DataType::float32, exponent)};
      const TestTensor expected = run_operator("pow", inputs)[0];
      const TestTensor actual = run_row(kernel, operator_spec("pow", inputs), inputs, {.constants = {1}})[0];
      const Comparison comparison = compare_tensors(expected.descriptor, actual.data, expected.data, {2, 0, 0});
      CAPTURE(kernel);
      CAPTURE(exponent);
      const double at_most_wrong = numbers(sweep)[comparison.max_ulp_at].as_double();
      CAPTURE(at_most_wrong);
      CHECK(comparison.mismatches == 0);
    }
}

namespace {

/// (a + b) then sigmoid, c - it, prelu by d, * itself of a: every way in which a chain meets its operands.
struct ChainShapes {
  const char* name;
  Shape a, b, c, d;
};
const ChainShapes chain_shapes[] = {
    {"scalars", {}, {}, {}, {}},
    {"one element", {1}, {1, 1}, {}, {1}},
    {"less than a vector", {5}, {5}, {5}, {}},
    {"one block and a rest", {131}, {131}, {1}, {131}},
    {"first operand is a scalar", {}, {3, 333}, {333}, {3, 1}},
    {"long rows", {7, 2100}, {2100}, {7, 1}, {1, 2100}},
    {"long rows in the middle", {2, 3, 50, 60}, {3, 1, 1}, {2, 1, 1, 1}, {50, 60}},
    {"channels, short rows", {2, 24, 7, 7}, {24, 1, 1}, {1, 24, 1, 1}, {7, 7}},
    {"channels, one position", {64, 40, 1, 1}, {40, 1, 1}, {64, 1, 1, 1}, {1}},
    {"last axis", {40, 768}, {768}, {768}, {40, 1}},
    {"both broadcast", {40, 1}, {1, 50}, {40, 50}, {1}},
    {"in the middle", {3, 1, 5}, {3, 4, 5}, {4, 1}, {1, 1, 5}},
    {"every axis apart", {2, 3, 4, 5}, {2, 1, 4, 1}, {1, 3, 1, 5}, {2, 1, 1, 5}},
    {"rank 8", {2, 1, 2, 1, 2, 1, 2, 3}, {1, 2, 1, 2, 1, 2, 1, 3}, {3}, {2, 2, 2, 2, 2, 2, 2, 1}},
    {"large", {300, 1000}, {1000}, {300, 1}, {300, 1000}},
};

struct ChainCall {
  KernelSpec spec;
  OptionalTensors inputs;
  TestTensor expected;
};

ChainCall make_chain(const ChainShapes& shapes, std::mt19937& engine) {
  const TestTensor a = random_floats(shapes.a, engine), b = random_floats(shapes.b, engine),
                   c = random_floats(shapes.c, engine), d = random_floats(shapes.d, engine);
  ChainCall call;
  call.inputs = {a, b, c, d, a};
  const TestTensor sum = run_operator("add", {a, b})[0];
  const TestTensor sigmoid = run_operator("sigmoid", {sum})[0];
  const TestTensor difference = run_operator("sub", {c, sigmoid})[0];
  const TestTensor prelu = run_operator("prelu", {difference, d})[0];
  call.expected = run_operator("mul", {prelu, a})[0];
  call.spec = operator_spec("add", {a, b});
  append_post_op(call.spec, "sigmoid"_op, {}, {ResultOf{0}});
  append_post_op(call.spec, "sub"_op, {}, {c.descriptor, ResultOf{1}});
  append_post_op(call.spec, "prelu"_op, {}, {ResultOf{2}, d.descriptor});
  append_post_op(call.spec, "mul"_op, {}, {ResultOf{3}, a.descriptor});
  call.spec.outputs = {call.expected.descriptor};
  return call;
}

TestTensor to_channels_last(const TestTensor& tensor, bool back = false) {
  if (tensor.descriptor.shape.rank() != 4) return tensor;
  KernelSpec spec;
  spec.op = "@reorder"_op;
  spec.inputs = {tensor.descriptor};
  spec.outputs = {tensor.descriptor};
  spec.input_layouts = {back ? Layout::channels_last : Layout::row_major};
  spec.output_layouts = {back ? Layout::row_major : Layout::channels_last};
  return run_kernel(tests::find_reference_kernel(spec), spec, {tensor})[0];
}

void check_equal(const TestTensor& actual, const TestTensor& expected) {
  const Comparison comparison = compare_tensors(expected.descriptor, actual.data, expected.data, {8, 1e-6, 0});
  CAPTURE(comparison.max_ulp);
  CHECK(comparison.mismatches == 0);
}

}  // namespace

TEST_CASE("simd elementwise: a chain is its operators one after another, however its operands broadcast") {
  std::mt19937 engine(11);
  for (const ChainShapes& shapes : chain_shapes) {
    CAPTURE(shapes.name);
    ChainCall call = make_chain(shapes, engine);
    for (const std::string& kernel : simd_rows("binary")) {
      CAPTURE(kernel);
      const Target target{DeviceKind::cpu, runtime::detect_cpu_features()};
      REQUIRE(takes(row(*api::find_kernel(kernel)), call.spec, target));
      for (const unsigned threads : {1u, 3u}) {
        const runtime::Team team(threads);
        check_equal(run_row(kernel, call.spec, call.inputs)[0], call.expected);
      }
    }
  }
}

TEST_CASE("simd elementwise: channels-last operands, with filters and scalars in their own order") {
  std::mt19937 engine(12);
  for (const ChainShapes& shapes : chain_shapes) {
    ChainCall call = make_chain(shapes, engine);
    if (call.expected.descriptor.shape.rank() != 4) continue;
    CAPTURE(shapes.name);
    for (auto& input : call.inputs) {
      call.spec.input_layouts.push_back(input->descriptor.shape.rank() == 4 ? Layout::channels_last
                                                                            : Layout::row_major);
      input = to_channels_last(*input);
    }
    call.spec.output_layouts = {Layout::channels_last};
    for (const std::string& kernel : simd_rows("binary"))
      check_equal(to_channels_last(run_row(kernel, call.spec, call.inputs)[0], true), call.expected);
  }
}

TEST_CASE("simd elementwise: in place of any operand of the output's shape") {
  std::mt19937 engine(13);
  for (const ChainShapes& shapes : chain_shapes) {
    CAPTURE(shapes.name);
    ChainCall call = make_chain(shapes, engine);
    for (const std::string& kernel : simd_rows("binary"))
      for (std::size_t i = 0; i < call.inputs.size(); ++i)
        if (call.inputs[i]->descriptor == call.expected.descriptor) {
          const int place = int(i);
          CAPTURE(place);
          check_equal(run_row(kernel, call.spec, call.inputs, {.in_place = place})[0], call.expected);
        }
  }
}

TEST_CASE("simd elementwise: the longest chain") {
  std::mt19937 engine(14);
  const TestTensor x = random_floats({9, 77}, engine);
  KernelSpec spec = operator_spec("abs", {x});
  OptionalTensors inputs{x};
  TestTensor expected = run_operator("abs", {x})[0];
  for (int i = 0; i < 32; ++i) {
    const TestTensor other = random_floats(i % 2 ? Shape({77}) : Shape({9, 1}), engine);
    const char* op = i % 3 ? "add" : "max";
    expected = run_operator(op, {expected, other})[0];
    append_post_op(spec, *find_operator(op), {}, {running_result(spec), other.descriptor});
    inputs.push_back(other);
  }
  for (const std::string& kernel : simd_rows("unary")) {
    const KernelRow& chosen = row(*api::find_kernel(kernel));
    CHECK(chosen.can_apply(spec));
    check_equal(run_row(kernel, spec, inputs)[0], expected);
    KernelSpec longer = spec;
    append_post_op(longer, "relu"_op, {}, {running_result(longer)});
    CHECK_FALSE(chosen.can_apply(longer));
  }
}

namespace {

/// A group: its root operator and post-ops, and where it starts. `x` and `y` are floats of one shape.
struct Group {
  const char* name;
  KernelSpec spec;
  OptionalTensors inputs;
};

/// Further operators of a group, with their operands from outside.
struct Further {
  const char* op;
  std::vector<std::size_t> steps_back;  // of each operand; 0: from outside
  OptionalTensors from_outside{};
  NamedAttributes attributes{};
};

Group group(const char* name, const char* root, OptionalTensors inputs, const std::vector<Further>& further,
            const NamedAttributes& attributes = {}) {
  Group result{name, operator_spec(root, inputs, attributes), std::move(inputs)};
  for (const Further& next : further) {
    const Operator& op = row(*find_any_operator(next.op));
    Attributes attributes(op.attributes.size());
    for (const NamedAttribute& attribute : next.attributes)
      attributes[std::size_t(op.attribute_index(attribute.name))] = attribute.value;
    std::vector<NewOperand<KernelSpec>> operands;
    auto outside = next.from_outside.begin();
    for (const std::size_t back : next.steps_back)
      if (const auto inside = result_back(Expression(result.spec).size(), back))
        operands.push_back(ResultOf{inside->index});
      else
        operands.push_back((*outside++)->descriptor);
    append_post_op(result.spec, *find_any_operator(next.op), std::move(attributes), operands);
    result.inputs.insert(result.inputs.end(), next.from_outside.begin(), next.from_outside.end());
  }
  const std::vector<OperandDescriptor> results = results_of_steps(result.spec);
  REQUIRE(results.size() == 1 + further.size());
  result.spec.outputs = {results.back()};
  return result;
}

std::vector<Group> groups(const Shape& shape, DataType type, std::mt19937& engine) {
  const auto random = [&](const Shape& of) {
    const TestTensor floats = random_floats(of, engine);
    return type == DataType::float32 ? floats : run_operator("cast", {floats}, {{"dataType", type}})[0];
  };
  const TestTensor x = random(shape), y = random(shape);
  const TestTensor row = random({shape[shape.rank() - 1]}), number = scalar(type, 0.25);
  const TestTensor condition = run_operator("lesser", {y, x})[0];
  std::vector<Further> tree;  // eight products are there before the first is added
  for (int i = 0; i < 7; ++i) tree.push_back({"mul", {0, 0}, {x, i % 2 ? row : y}});
  for (int i = 0; i < 7; ++i) tree.push_back({"add", {1, 2 + 2 * std::size_t(i)}});
  std::vector<Group> result{
      group("a sum of products", "mul", {x, y}, {{"mul", {0, 0}, {x, row}}, {"add", {2, 1}}}),
      group("eight products", "mul", {x, number}, tree),
      group("a diamond", "add", {x, number}, {{"exp", {1}}, {"neg", {2}}, {"exp", {1}}, {"sub", {3, 1}}}),
      group("squares", "sub", {x, row}, {{"mul", {1, 1}}, {"mul", {1, 1}}, {"mul", {2, 2}}, {"add", {1, 4}}}),
      group("all from the root", "tanh", {x}, {{"sub", {0, 1}, {row}}, {"div", {1, 0}, {number}}, {"mul", {3, 1}}}),
      group("where of results", "sub", {x, y},
            {{"greater", {1, 0}, {number}}, {"where", {1, 2, 0}, {row}}, {"where", {2, 0, 1}, {x}}}),
      group("where first", "where", {condition, x, row}, {{"mul", {1, 1}}, {"where", {0, 1, 2}, {condition}}}),
      group("conditions", "greater", {x, row},
            {{"lesserOrEqual", {0, 0}, {y, number}},
             {"logicalAnd", {2, 1}},
             {"logicalNot", {1}},
             {"logicalOr", {1, 0}, {condition}},
             {"logicalXor", {1, 5}}}),
      group("a condition as a number", "isNaN", {x}, {{"cast", {1}, {}, {{"dataType", type}}}, {"add", {1, 0}, {row}}}),
      group("an integer at the end", "mul", {x, y}, {{"cast", {1}, {}, {{"dataType", DataType::int8}}}}),
  };
  const DataType other = type == DataType::float32 ? DataType::float16 : DataType::float32;
  result.push_back(group("another type between", "cast", {x},
                         {{"mul", {1, 1}}, {"cast", {1}, {}, {{"dataType", type}}}, {"sub", {1, 0}, {y}}},
                         {{"dataType", other}}));
  result.push_back(group("floats only between", "cast",
                         {tensor(DataType::int32, shape, Numbers(element_count(shape), 3))}, {{"isInfinite", {1}}},
                         {{"dataType", type}}));
  return result;
}

}  // namespace

TEST_CASE("simd elementwise: groups whose operators share results, conditions and types") {
  std::mt19937 engine(15);
  const Target target{DeviceKind::cpu, runtime::detect_cpu_features()};
  for (const DataType type : {DataType::float32, DataType::float16})
    for (const Shape& shape : {Shape{5}, Shape{3, 43}, Shape{2, 1, 3, 1000}})
      for (const Group& group : groups(shape, type, engine)) {
        CAPTURE(group.name);
        const TestTensor expected = run_steps(group.spec, group.inputs).back();
        for (const KernelRow& kernel : api::kernel_table()) {
          if (kernel.provider() != "simd" || !takes(kernel, group.spec, target)) continue;
          const std::string kernel_name(kernel.name);
          CAPTURE(kernel_name);
          const bool is_half = std::ranges::any_of(results_of_steps(group.spec), [](const OperandDescriptor& result) {
            return result.type == DataType::float16;  // which the reference rounds to after each operator
          });
          const Comparison comparison =
              compare_tensors(expected.descriptor, run_row(kernel_name, group.spec, group.inputs)[0].data,
                              expected.data, {8, is_half ? 0.05 : 1e-5, 0});
          CAPTURE(comparison.max_absolute);
          CHECK(comparison.mismatches == 0);
        }
        const auto takes_it = [&](const KernelRow& kernel) {
          return kernel.provider() == "simd" && takes(kernel, group.spec, target);
        };
        if (!simd_rows("unary").empty()) CHECK(std::ranges::any_of(api::kernel_table(), takes_it));
      }
}

TEST_CASE("simd elementwise: what a group cannot hold in lanes of float32") {
  const TestTensor x = of_floats({4}, {1, 2, 3, 4});
  const TestTensor integers = tensor(DataType::int32, {4}, {1, 2, 3, 4});
  const Group rounded =
      group("integers between", "neg", {x},
            {{"cast", {1}, {}, {{"dataType", DataType::int32}}}, {"cast", {1}, {}, {{"dataType", DataType::float32}}}});
  const Group compared = group("integers compared", "equal", {integers, integers}, {{"where", {1, 0, 0}, {x, x}}});
  for (const std::string& kernel : simd_rows("unary"))
    CHECK_FALSE(row(*api::find_kernel(kernel)).can_apply(rounded.spec));
  for (const std::string& kernel : simd_rows("comparison"))
    CHECK_FALSE(row(*api::find_kernel(kernel)).can_apply(compared.spec));
}

}  // namespace simd_elementwise_test
