// XNNPACK's convolution of bytes has integer biases and limited scales: calls whose numbers do not fit are computed
// otherwise, and only they are. (On random calls the row is compared by tests/runtime/kernel_rows.)
#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <optional>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "runtime/cpu/kernel_list.hpp"
#include "runtime/threads/parallel.hpp"
#include "tests/harness/kernel_row.hpp"
#include "tests/harness/run_operator.hpp"

namespace webnn::tests::xnnpack_quantized_test {
namespace {

constexpr const char* kernel = "xnnpack.quantizedConv2d";

TestTensor bytes(DataType type, const Shape& shape, int low, int high, unsigned seed) {
  std::mt19937 engine(seed);
  Numbers elements(element_count(shape));
  for (Number& element : elements) element = Number(std::int64_t{std::uniform_int_distribution(low, high)(engine)});
  return tensor(type, shape, elements);
}

/// One number for each output channel: the first, and so much more for each one after it.
TestTensor by_channel(std::uint32_t channels, double first, double more = 0) {
  Numbers elements;
  for (std::uint32_t i = 0; i < channels; ++i) elements.emplace_back(first + more * i);
  return tensor(DataType::float32, {channels}, elements);
}

struct Scales {
  double input, output;
  int zero_point = 0;  // of both
};

struct Call {
  OptionalTensors inputs;  // input, filter, bias, scales of the filter
  NamedAttributes attributes;

  Call(OptionalTensors of_call, DataType to, const Scales& scales) : inputs(std::move(of_call)) {
    const Shape &x = inputs[0]->descriptor.shape, &w = inputs[1]->descriptor.shape;
    attributes = {{"dataType", to},
                  {"inputScale", scales.input},
                  {"inputZeroPoint", scales.zero_point},
                  {"outputScale", scales.output},
                  {"outputZeroPoint", scales.zero_point},
                  {"groups", int(x[1] / w[1])}};
    if (w[2] > 1) attributes.emplace_back("padding", IntegerList{1, 0, 2, 1});
  }

  KernelSpec spec() const {
    KernelSpec spec = operator_spec("@quantizedConv2d", inputs, attributes);
    spec.constants = 0b1110;
    spec.input_layouts.assign(4, Layout::row_major);
    spec.input_layouts[0] = Layout::channels_last;
    spec.output_layouts = {Layout::channels_last};
    return spec;
  }
};

Numbers computed(const Call& call) {
  const KernelSpec spec = call.spec();
  REQUIRE(takes(kernel_row(kernel), spec, {DeviceKind::cpu, Feature::none}));
  OptionalTensors inputs = call.inputs;
  inputs[0] = in_layout(*inputs[0], Layout::row_major, Layout::channels_last);
  RunOptions options{.may_allocate = true, .overreads = kernel_row(kernel).overreads};
  for (std::size_t i = 1; i < inputs.size(); ++i)
    if (inputs[i]) options.constants.push_back(i);
  const runtime::Team team(3);
  const TestTensor result =
      run_kernel(runtime::cpu_kernels().find(*api::find_kernel(kernel))->prepare, spec, inputs, options)[0];
  return numbers(in_layout(result, Layout::channels_last, Layout::row_major));
}

/// At most a unit from what the separate operators give.
void compare(const Call& call) {
  const Numbers actual = computed(call);
  const Numbers expected = numbers(run_operator("@quantizedConv2d", call.inputs, call.attributes)[0]);
  REQUIRE(actual.size() == expected.size());
  double most = 0;
  for (std::size_t i = 0; i < actual.size(); ++i)
    most = std::max(most, std::abs(actual[i].as_double() - expected[i].as_double()));
  CHECK(most <= 1);
}

/// Whether XNNPACK computes a call on int8: it needs no memory for its numbers as floats.
bool is_by_xnnpack(const Call& call) {
  std::vector<std::span<const std::byte>> constants(4);
  for (std::size_t i = 1; i < 4; ++i)
    if (call.inputs[i]) constants[i] = call.inputs[i]->data;
  return runtime::cpu_kernels().find(*api::find_kernel(kernel))->prepare(call.spec(), constants).scratch_bytes == 0;
}

/// Few small integers, so that the bias is a large part of each result.
Call small_sums(DataType from, DataType to, std::uint32_t outputs, std::uint32_t seen, std::uint32_t window,
                const TestTensor& bias, double filter_scale, const Scales& scales) {
  const std::uint32_t inputs = seen == 1 ? outputs : seen;
  return {
      {bytes(from, {2, inputs, 3, 2}, scales.zero_point, scales.zero_point + 1, inputs),
       bytes(DataType::int8, {outputs, seen, window, window}, -1, 1, outputs), bias, by_channel(outputs, filter_scale)},
      to,
      scales};
}

constexpr DataType both_types[] = {DataType::int8, DataType::uint8};

}  // namespace

TEST_CASE("xnnpack: a bias that is no multiple of the unit of quantised sums is not rounded to one") {
  for (const DataType from : both_types)
    for (const DataType to : both_types)
      for (const std::uint32_t window : {1u, 2u}) {
        CAPTURE(name_of(from));
        CAPTURE(name_of(to));
        CAPTURE(window);
        const Scales scales{.input = 1, .output = 0.05, .zero_point = 5};
        const TestTensor bias = by_channel(21, -3.4, 0.31);
        compare(small_sums(from, to, 21, 6, window, bias, 1, scales));
        compare(small_sums(from, to, 21, 1, window, bias, 1, scales));
        CHECK_FALSE(is_by_xnnpack(small_sums(from, to, 21, 6, window, bias, 1, scales)));
      }
  const TestTensor x = bytes(DataType::int8, {1, 16, 2, 2}, 1, 1, 0),
                   zeros = bytes(DataType::int8, {1, 16, 2, 2}, 0, 0, 0),
                   w = bytes(DataType::int8, {16, 16, 1, 1}, -1, 1, 0);
  const Scales fine{.input = 0.1, .output = 0.002};
  CHECK(computed({{zeros, w, by_channel(16, 0.4), by_channel(16, 1)}, DataType::int8, {.input = 1, .output = 0.01}}) ==
        Numbers(64, Number(std::int64_t{40})));
  CHECK(computed({{zeros, w, by_channel(16, 0.004), by_channel(16, 0.1)}, DataType::int8, fine}) ==
        Numbers(64, Number(std::int64_t{2})));
  compare({{x, w, by_channel(16, 0.004, 0.0007), by_channel(16, 0.1)}, DataType::int8, fine});
}

TEST_CASE("xnnpack: a bias brings large quantised sums back into the range of the result") {
  const TestTensor ones = bytes(DataType::int8, {1, 16, 2, 2}, 1, 1, 0);
  const Scales scales{.input = 1, .output = 0.01};
  Numbers first_of_16(16 * 16, Number(0));
  for (std::size_t i = 0; i < 16; ++i) first_of_16[16 * i] = Number(1);
  const TestTensor w = tensor(DataType::int8, {16, 16, 1, 1}, first_of_16);
  CHECK(computed({{ones, w, by_channel(16, -9), by_channel(16, 10)}, DataType::int8, scales}) ==
        Numbers(64, Number(std::int64_t{100})));
  // Multiples of the unit stay exact: the sum is 0, or far out of range.
  for (const double bias : {-10.0, -20.0, 0.0}) {
    const Call call({ones, w, by_channel(16, bias), by_channel(16, 10)}, DataType::int8, scales);
    CHECK(is_by_xnnpack(call));
    compare(call);
  }
  for (const DataType from : both_types)
    for (const DataType to : both_types) {
      compare(small_sums(from, to, 40, 1, 2, by_channel(40, -100, 5.05), 10, scales));
      compare(small_sums(from, to, 40, 3, 1, by_channel(40, -100, 5.05), 10, scales));
    }
}

TEST_CASE("xnnpack: scales of quantised sums that it refuses") {
  const TestTensor x = bytes(DataType::int8, {1, 8, 2, 2}, -9, 9, 0), w = bytes(DataType::int8, {8, 8, 1, 1}, -1, 1, 0);
  for (const std::optional<TestTensor>& bias : {std::optional<TestTensor>(), std::optional(by_channel(8, 0.002))}) {
    compare({{x, w, bias, by_channel(8, 1e-39)}, DataType::int8, {.input = 1e36, .output = 1e-3}});   // subnormal
    compare({{x, w, bias, by_channel(8, 1e-30)}, DataType::int8, {.input = 1e36, .output = 1e-10}});  // too large
  }
}

TEST_CASE("xnnpack: quantised biases as exporters write them stay with it") {
  const Scales scales{.input = 0.02, .output = 0.05, .zero_point = 3};
  const double unit = 0.02 * 0.005;
  for (const TestTensor& bias : {by_channel(32, -160 * unit, 10 * unit), by_channel(32, -1.234, 0.077)}) {
    const Call call = small_sums(DataType::int8, DataType::int8, 32, 8, 3, bias, 0.005, scales);
    CHECK(is_by_xnnpack(call));
    compare(call);
  }
  CHECK(is_by_xnnpack({{bytes(DataType::int8, {1, 8, 2, 2}, -9, 9, 0), bytes(DataType::int8, {8, 8, 1, 1}, -9, 9, 0),
                        std::nullopt, by_channel(8, 1)},
                       DataType::int8,
                       {.input = 1, .output = 0.001}}));
}

}  // namespace webnn::tests::xnnpack_quantized_test
