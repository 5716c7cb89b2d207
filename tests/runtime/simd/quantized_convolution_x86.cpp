// Our own convolutions of bytes: which calls they take, and numbers that leave no room for roundings. (On random calls
// they are compared by tests/runtime/kernel_rows.)
#include <doctest/doctest.h>
#include <random>

#include "runtime/threads/parallel.hpp"
#include "tests/harness/kernel_row.hpp"
#include "tests/harness/machine/machine.hpp"
#include "tests/harness/simd_rows.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::quantized_convolution_test {
namespace {

const std::string depthwise = "quantizedConv2d.depthwise", pointwise = "quantizedConv2d.pointwise",
                  direct = "quantizedConv2d.direct", winograd = "quantizedConv2d.winograd";

TestTensor random_bytes(DataType type, const Shape& shape, int low, int high, std::mt19937& engine) {
  std::vector<std::int8_t> elements(element_count(shape));
  for (auto& element : elements) element = std::int8_t(std::uniform_int_distribution(low, high)(engine));
  return tensor_of(type, shape, elements);
}

struct Call {
  OptionalTensors inputs;
  NamedAttributes attributes;

  /// Bytes of the input and weights lie between these limits; results are twice the sums.
  Call(const std::string& row, std::uint32_t channels, std::uint32_t window, DataType from, DataType to, int x_low,
       int x_high, int w_low, int w_high, double filter_scale = 1) {
    std::mt19937 engine(channels);
    const bool by_channel = row == depthwise;
    const std::uint32_t seen = by_channel ? 1 : row == direct ? 7 : row == winograd ? 48 : 20;
    inputs = {random_bytes(from, {2, by_channel ? channels : seen, 7, 9}, x_low, x_high, engine),
              random_bytes(DataType::int8, {channels, seen, window, window}, w_low, w_high, engine),
              counting(DataType::float32, {channels}, -int(channels) / 2),
              tensor_of(DataType::float32, {channels}, std::vector<float>(channels, float(filter_scale)))};
    attributes = {{"dataType", to},     {"inputScale", 1.0},    {"inputZeroPoint", 1},
                  {"outputScale", 0.5}, {"outputZeroPoint", 3}, {"groups", int(by_channel ? channels : 1)}};
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

/// For the kernel's rows of all instruction sets; skips those that this machine lacks.
void compare(const std::string& kernel, const Call& call) {
  const KernelSpec spec = call.spec();
  OptionalTensors inputs = call.inputs;
  inputs[0] = in_layout(*inputs[0], Layout::row_major, Layout::channels_last);
  const TestTensor expected = run_operator("@quantizedConv2d", call.inputs, call.attributes)[0];
  for (const std::string& name : all_simd_rows(kernel)) {
    CAPTURE(name);
    const Feature needed = kernel_row(name).features;
    REQUIRE(takes(kernel_row(name), spec, {DeviceKind::cpu, needed}));
    if (!machine_has(needed)) {
      skip_part(name, machine_lacks(needed));
      continue;
    }
    for (const unsigned threads : {1u, 3u}) {
      const runtime::Team team(threads);
      const TestTensor result = run_row(name, spec, inputs, {.constants = {1, 2, 3}})[0];
      CHECK(numbers(in_layout(result, Layout::channels_last, Layout::row_major)) == numbers(expected));
    }
  }
}

/// Whether the kernel takes the call, for all instruction sets.
bool can_run(const std::string& kernel, const KernelSpec& spec) {
  const std::vector<std::string> names = all_simd_rows(kernel);
  const bool first = tests::can(names[0], spec);
  for (const std::string& name : names) CHECK(tests::can(name, spec) == first);
  return first;
}

}  // namespace

TEST_CASE("quantized convolution: any number of channels fills vectors, whole or overlapping") {
  for (const std::uint32_t channels : {5u, 32u, 33u, 64u, 90u, 96u, 144u, 200u}) {
    CAPTURE(channels);
    compare(depthwise, {depthwise, channels, 3, DataType::uint8, DataType::int8, 0, 3, -1, 1});
    compare(depthwise, {depthwise, channels, 5, DataType::int8, DataType::uint8, -2, 2, -1, 1});
    for (const std::uint32_t window : {1u, 3u})
      compare(direct, {direct, channels, window, DataType::int8, DataType::uint8, -2, 2, -1, 1});
    if (channels % 16 == 0) compare(winograd, {winograd, channels, 3, DataType::uint8, DataType::int8, 0, 3, -1, 1});
    if (channels < 32) continue;
    compare(pointwise, {pointwise, channels, 1, DataType::uint8, DataType::uint8, 0, 3, -1, 1});
    compare(pointwise, {pointwise, channels, 1, DataType::int8, DataType::int8, -2, 2, -1, 1});
  }
}

TEST_CASE("quantized convolution: windows stride, and padding stands for zero") {
  for (const std::uint32_t window : {3u, 5u})
    for (const int stride : {1, 2}) {
      Call call(depthwise, 70, window, DataType::uint8, DataType::int8, 0, 2, -1, 1);
      call.attributes.emplace_back("strides", IntegerList{3 - stride, stride});
      call.attributes.emplace_back("padding", IntegerList{1, 2, 4, 3});
      call.attributes.emplace_back("dilations", IntegerList{2, 1});
      if (window == 3) compare(depthwise, call);
      call.attributes.back().value = IntegerList{1, 1};
      compare(depthwise, call);
      Call whole(direct, 19, window - 2, DataType::int8, DataType::int8, -2, 2, -1, 1);
      whole.attributes.insert(whole.attributes.end(), call.attributes.end() - 3, call.attributes.end());
      compare(direct, whole);
      whole = {winograd, 32, 3, DataType::uint8, DataType::uint8, 0, 2, -1, 1};
      whole.attributes.emplace_back("padding", IntegerList{1, stride, 4 * (stride - 1), int(window)});
      compare(winograd, whole);
      whole = {direct, 19, window - 2, DataType::int8, DataType::int8, -2, 2, -1, 1};
      whole.attributes.insert(whole.attributes.end(), call.attributes.end() - 3, call.attributes.end());
      for (const IntegerList& dilations : {IntegerList{2, 1}, IntegerList{1, 2}}) {
        whole.attributes.back().value = dilations;
        compare(direct, whole);
      }
    }
}

TEST_CASE("quantized convolution: the greatest sums are exact, and what is out of range saturates at its own end") {
  for (const DataType to : {DataType::int8, DataType::uint8})
    for (const double scale : {1e-6, 1.0, 1e9}) {
      compare(depthwise, {depthwise, 40, 5, DataType::int8, to, -128, -128, -128, -128, scale});
      compare(depthwise, {depthwise, 40, 5, DataType::int8, to, 127, 127, -128, -128, scale});
      compare(depthwise, {depthwise, 40, 3, DataType::uint8, to, -1, -1, 127, 127, scale});
      compare(direct, {direct, 40, 3, DataType::uint8, to, -1, -1, -128, -128, scale});
      compare(direct, {direct, 40, 5, DataType::int8, to, -128, -128, -128, -128, scale});
      compare(winograd, {winograd, 48, 3, DataType::uint8, to, -1, -1, -128, -128, scale});
      compare(winograd, {winograd, 48, 3, DataType::int8, to, -128, -128, -128, 127, scale});
      compare(direct, {direct, 40, 5, DataType::int8, to, 127, 127, -128, -128, scale});
      compare(pointwise, {pointwise, 40, 1, DataType::uint8, to, -1, -1, -128, -128, scale});
      compare(pointwise, {pointwise, 40, 1, DataType::int8, to, -128, -128, -128, -128, scale});
    }
}

TEST_CASE("quantized convolution: tiles of as many channels as are taken do not overflow") {
  constexpr std::uint32_t most_channels = 1824;
  for (const int weight : {-128, 127}) {
    Call call(winograd, 16, 3, DataType::uint8, DataType::int8, 0, 0, 0, 0, 8e-8);
    std::mt19937 engine(1);
    call.inputs[0] = random_bytes(DataType::uint8, {1, most_channels, 4, 5}, -1, -1, engine);
    call.inputs[1] = random_bytes(DataType::int8, {16, most_channels, 3, 3}, weight, weight, engine);
    compare(winograd, call);
    call.inputs[0] = random_bytes(DataType::uint8, {1, most_channels + 16, 4, 5}, -1, -1, engine);
    call.inputs[1] = random_bytes(DataType::int8, {16, most_channels + 16, 3, 3}, weight, weight, engine);
    CHECK_FALSE(can_run(winograd, call.spec()));
  }
}

TEST_CASE("quantized convolution: what is not taken") {
  const auto spec = [](const std::string& row, std::uint32_t channels, std::uint32_t window, NamedAttribute changed) {
    Call call(row, channels, window, DataType::uint8, DataType::int8, 0, 1, 0, 1);
    call.attributes.push_back(std::move(changed));
    return call.spec();
  };
  CHECK(can_run(depthwise, spec(depthwise, 40, 3, {"strides", IntegerList{3, 2}})));
  CHECK_FALSE(can_run(depthwise, spec(depthwise, 40, 3, {"strides", IntegerList{1, 3}})));
  CHECK_FALSE(can_run(depthwise, spec(depthwise, 40, 3, {"dilations", IntegerList{1, 2}})));
  CHECK_FALSE(can_run(depthwise, spec(depthwise, 40, 4, {"strides", IntegerList{1, 1}})));
  CHECK(can_run(pointwise, spec(pointwise, 40, 1, {"dilations", IntegerList{2, 2}})));
  CHECK_FALSE(can_run(pointwise, spec(pointwise, 31, 1, {"dilations", IntegerList{1, 1}})));
  CHECK_FALSE(can_run(pointwise, spec(pointwise, 40, 1, {"strides", IntegerList{1, 2}})));
  CHECK_FALSE(can_run(pointwise, spec(pointwise, 40, 1, {"padding", IntegerList{0, 0, 0, 1}})));
  CHECK(can_run(direct, spec(direct, 40, 5, {"padding", IntegerList{0, 3, 0, 1}})));
  CHECK_FALSE(can_run(direct, spec(direct, 40, 1, {"dataType", DataType::float32})));
  CHECK(can_run(winograd, spec(winograd, 48, 3, {"padding", IntegerList{0, 3, 0, 1}})));
  CHECK_FALSE(can_run(winograd, spec(winograd, 40, 3, {"strides", IntegerList{1, 1}})));
  CHECK_FALSE(can_run(winograd, spec(winograd, 48, 5, {"strides", IntegerList{1, 1}})));
  CHECK_FALSE(can_run(winograd, spec(winograd, 48, 3, {"strides", IntegerList{2, 1}})));
  CHECK_FALSE(can_run(winograd, spec(winograd, 48, 3, {"dataType", DataType::float32})));
  CHECK_FALSE(can_run(direct, spec(depthwise, 40, 3, {"strides", IntegerList{1, 1}})));
}

}  // namespace webnn::tests::quantized_convolution_test
