// Operators on quantised tensors: sums are exact however long they are, packed filters have the kernel's own form, and
// networks of them are left without quantizeLinear and dequantizeLinear.
#include <doctest/doctest.h>
#include <string>

#include "api/kernels.hpp"
#include "api/oracle/evaluate.hpp"
#include "api/pack_constant.hpp"
#include "api/runner/compile_program.hpp"
#include "runtime/vulkan/kernels/dispatch.hpp"
#include "schema/error.hpp"
#include "tests/harness/graph_text.hpp"
#include "tests/harness/machine/gpu.hpp"
#include "tests/harness/run_operator.hpp"

namespace webnn::tests::vulkan_quantized_test {
namespace {

constexpr auto i8 = DataType::int8, u8 = DataType::uint8, f32 = DataType::float32;
const std::string convolutions = "vulkan.quantizedConv2d.";

/// A pointwise convolution to floats whose sums are the same at each position: the last product is 1, all others are the
/// greatest that there are.
struct LongSum {
  LongSum(std::uint32_t channels, std::uint32_t positions) {
    constexpr std::uint32_t outputs = 5;
    Numbers x(std::size_t(channels) * positions, Number(255)), w(std::size_t(channels) * outputs, Number(127));
    for (std::uint32_t i = 0; i < positions; ++i) x[std::size_t(channels - 1) * positions + i] = Number(1);
    for (std::uint32_t i = 0; i < outputs; ++i) w[std::size_t(i) * channels + channels - 1] = Number(1);
    inputs = {tensor(u8, {1, channels, 1, positions}, x), tensor(i8, {outputs, channels, 1, 1}, w), std::nullopt,
              tensor(f32, {outputs}, Numbers(outputs, Number(1)))};
    spec = operator_spec("@quantizedConv2d", inputs, {{"dataType", f32}});
    spec.input_layouts.assign(inputs.size(), Layout::row_major);
    spec.input_layouts[0] = Layout::channels_last;
    spec.output_layouts = {Layout::channels_last};
    inputs[0] = in_layout(*inputs[0], Layout::row_major, Layout::channels_last);
    expected = float(std::int64_t(channels - 1) * 255 * 127 + 1);
  }
  KernelSpec spec;
  OptionalTensors inputs;
  float expected = 0;
};

}  // namespace

TEST_CASE("vulkan quantized: long sums of the greatest products are exact") {
  auto device = open_test_gpu();
  if (!device) return;
  for (const char* name : {"tiled_large_lanes", "tiled_128", "tiled_64", "tiled_32", "tiled_32_split", "tiled_dots_128",
                           "tiled_dots_64", "tiled_dots_32", "tiled_dots_32_split", "few_rows"}) {
    CAPTURE(name);
    const KernelId kernel = *api::find_kernel(convolutions + name);
    for (const std::uint32_t channels : {516u, 4099u}) {
      const LongSum sum(channels, 3);
      REQUIRE(takes(row(kernel), sum.spec, device->target()));
      if (!device->can_run(kernel, sum.spec)) continue;
      for (const Number& number : numbers(run_on_device(*device, kernel, sum.spec, sum.inputs)[0]))
        CHECK(number == Number(double(sum.expected)));
    }
  }
}

TEST_CASE("vulkan quantized: a packed filter of another form or size is refused") {
  auto device = open_test_gpu();
  if (!device) return;
  const KernelId kernel = *api::find_kernel(convolutions + "tiled_64");
  LongSum sum(32, 3);
  if (!device->can_run(kernel, sum.spec)) return skip("this device cannot run the row's calls");
  const auto packed = api::pack_constant(kernel, sum.spec, 1, sum.inputs[1]->data);
  REQUIRE(packed);
  sum.spec.input_layouts[1] = Layout::private_form;
  std::vector<std::span<const std::byte>> constants(4);
  const auto prepare = [&](const std::string& form, std::size_t bytes) {
    sum.spec.input_forms = {"", form, "", ""};
    constants[1] = packed->bytes.view().first(bytes);
    return device->make_kernel(kernel, sum.spec, constants);
  };
  const std::size_t all = packed->bytes.size();
  CHECK_NOTHROW(prepare(packed->form, all));
  CHECK_THROWS_WITH_AS(prepare(packed->form, all - 1), doctest::Contains("is not what vulkan.quantizedConv2d.tiled_64"),
                       Error);
  CHECK_THROWS_AS(prepare("vulkan.words_of_outputs", all), Error);
}

TEST_CASE("vulkan quantized: a network is left without quantizeLinear and dequantizeLinear between its operators") {
  auto device = open_test_gpu();
  if (!device) return;
  const auto graph = parsed(R"(graph "quantised" {
  %x = input float32[1, 3, 9, 9]
  %s = constant float32[1, 1, 1, 1] {0.125}
  %zu = constant uint8[1, 1, 1, 1] {0}
  %zi = constant int8[1, 1, 1, 1] {3}
  %zw = constant int8[1, 1, 1, 1] {0}
  %w1 = constant int8[4, 3, 1, 1] {1, -2, 3, 4, 5, -6, 7, 8, 9, 1, 2, 3}
  %w2 = constant int8[4, 4, 1, 1] {1, -2, 3, 4, 5, -6, 7, 8, 9, 1, 2, 3, -4, -5, -6, -7}
  %q = quantizeLinear(%x, %s, %zi)
  %dq = dequantizeLinear(%q, %s, %zi)
  %dw1 = dequantizeLinear(%w1, %s, %zw)
  %c1 = conv2d(%dq, %dw1)
  %r1 = relu(%c1)
  %q1 = quantizeLinear(%r1, %s, %zu)
  %d1 = dequantizeLinear(%q1, %s, %zu)
  %p1 = maxPool2d(%d1) {windowDimensions=[3, 3], strides=[2, 2]}
  %qp = quantizeLinear(%p1, %s, %zu)
  %dp = dequantizeLinear(%qp, %s, %zu)
  %dw2 = dequantizeLinear(%w2, %s, %zw)
  %c2 = conv2d(%dp, %dw2)
  %q2 = quantizeLinear(%c2, %s, %zi)
  %d2 = dequantizeLinear(%q2, %s, %zi)
  %sum = add(%d2, %dp)
  %q3 = quantizeLinear(%sum, %s, %zi)
  %d3 = dequantizeLinear(%q3, %s, %zi)
  %a = averagePool2d(%d3)
  output "y" = %a
}
)");
  compiler::Options options;
  Diagnostics diagnostics;
  const auto program = api::compile_program(graph, options, *device, "", diagnostics);
  REQUIRE(program);
  if (!includes(device->target().features, Feature::memory_8bit)) return skip("this device has no 8-bit memory");
  std::string steps;
  for (const Step& step : program->steps) steps += std::string(row(step.op).name) + " ";
  // One reorder of the input, whose three channels come first; the mean is of floats, because nothing rounds it.
  CHECK(steps ==
        "quantizeLinear @quantizedConv2d maxPool2d @quantizedConv2d @quantizedAdd dequantizeLinear averagePool2d ");
}

}  // namespace webnn::tests::vulkan_quantized_test
