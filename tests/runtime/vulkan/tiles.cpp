// Tiles of products: which row the model chooses for a GPU, how many workgroups share the work, and what they compute.
#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <random>
#include <string>

#include "api/kernels.hpp"
#include "compiler/ir/call_text.hpp"
#include "runtime/vulkan/kernels/dispatch.hpp"
#include "runtime/vulkan/vulkan_device.hpp"
#include "schema/elements/compare_tensors.hpp"
#include "schema/kernels/cost.hpp"
#include "tests/harness/kernel_row.hpp"
#include "tests/harness/machine/gpu.hpp"
#include "tests/harness/random/random_call.hpp"
#include "tests/harness/run_operator.hpp"

namespace webnn::tests::tiles_test {
namespace {

using namespace runtime::vulkan;

/// A convolution of a network, by its numbers alone.
struct Layer {
  std::uint32_t inputs, outputs, size, filter, stride;
};
// resnet50 at batch 1: each different 1 x 1 and 3 x 3 layer, with the size of its input.
constexpr Layer resnet50[] = {
    {64, 64, 56, 1, 1},   {64, 64, 56, 3, 1},    {64, 256, 56, 1, 1},   {256, 64, 56, 1, 1},   {256, 128, 56, 1, 1},
    {128, 128, 56, 3, 2}, {128, 512, 28, 1, 1},  {256, 512, 56, 1, 2},  {512, 128, 28, 1, 1},  {128, 128, 28, 3, 1},
    {512, 256, 28, 1, 1}, {256, 256, 28, 3, 2},  {256, 1024, 14, 1, 1}, {512, 1024, 28, 1, 2}, {1024, 256, 14, 1, 1},
    {256, 256, 14, 3, 1}, {1024, 512, 14, 1, 1}, {512, 512, 14, 3, 2},  {512, 2048, 7, 1, 1},  {1024, 2048, 14, 1, 2},
    {2048, 512, 7, 1, 1}, {512, 512, 7, 3, 1},
};

KernelSpec spec_of(const Layer& layer, DataType type) {
  const auto tensor_of = [&](const Shape& shape) { return TestTensor{{type, shape}, {}}; };
  const std::int64_t padding = layer.filter / 2, stride = layer.stride;
  return operator_spec(
      "conv2d",
      {tensor_of({1, layer.inputs, layer.size, layer.size}),
       tensor_of({layer.outputs, layer.inputs, layer.filter, layer.filter}), std::nullopt},
      {{"strides", IntegerList{stride, stride}}, {"padding", IntegerList{padding, padding, padding, padding}}});
}

/// The cheapest row of the GPU.
const KernelRow& chosen(const KernelSpec& spec, const Target& target) {
  const KernelRow* best = nullptr;
  for (const KernelRow& kernel : api::kernel_table())
    if (kernel.device == DeviceKind::vulkan && takes(kernel, spec, target) &&
        (best == nullptr || cost(kernel, spec, target) < cost(*best, spec, target)))
      best = &kernel;
  REQUIRE(best != nullptr);
  return *best;
}

}  // namespace

TEST_CASE("vulkan tiles: on 60 units each layer of resnet50 is shared by at least 100 workgroups; by matrix units 49") {
  constexpr Feature lanes = Feature::shared_memory | Feature::long_loops;
  struct Gpu {
    DataType type;
    Feature features;
    std::uint64_t least;
  };
  // Where matrix units multiply, reading shared memory takes longest, of which a larger tile needs less.
  for (const auto& [type, features, least] :
       {Gpu{DataType::float32, lanes, 100},
        Gpu{DataType::float16, lanes | Feature::float16 | Feature::matrix_units, 49}})
    for (const Layer& layer : resnet50) {
      const Target target{DeviceKind::vulkan, features, 60};
      const KernelSpec spec = spec_of(layer, type);
      const KernelRow& kernel = chosen(spec, target);
      const Dispatches list = gpu_kernels().find({&kernel})->dispatches(spec, target);
      const std::string text = std::string(kernel.name) + " for " + std::to_string(layer.inputs) + " -> " +
                               std::to_string(layer.outputs) + " at " + std::to_string(layer.size) + ", filter " +
                               std::to_string(layer.filter) + ": " + std::to_string(list.dispatches[0].groups);
      CAPTURE(text);
      // The first one of Winograd's transforms the filters, which is done once, when a graph is compiled.
      const bool is_winograd = kernel.name == "vulkan.conv2d.winograd";
      for (std::size_t i = is_winograd ? 1 : 0; i < list.dispatches.size(); ++i)
        CHECK(list.dispatches[i].groups >= least);
      if (is_winograd) continue;
      CHECK(kernel.name.starts_with(type == DataType::float16 ? "vulkan.conv2d.units" : "vulkan.conv2d.tiled"));
      if (list.dispatches.size() == 1) continue;
      CHECK(kernel.name.ends_with("split"));
      CHECK(list.scratch_bytes >= list.dispatches[0].groups * 4);
    }
}

TEST_CASE("vulkan tiles: large products take large tiles, and a GPU with more units takes smaller ones") {
  const auto rows_of = [](std::uint32_t side, std::uint32_t units) {
    const TestTensor square{{DataType::float32, {side, side}}, {}};
    const Target target{DeviceKind::vulkan, Feature::shared_memory | Feature::long_loops, units};
    return std::string(chosen(operator_spec("matmul", {square, square}), target).name);
  };
  CHECK(rows_of(4096, 60) == "vulkan.matmul.tiled_128");
  CHECK(rows_of(512, 2) != "vulkan.matmul.tiled_32");
  CHECK(rows_of(512, 60).starts_with("vulkan.matmul.tiled"));
  CHECK(rows_of(512, 60) != "vulkan.matmul.tiled_128");
}

TEST_CASE("vulkan tiles: what is planned for a GPU computes what the reference computes") {
  const auto opened = open_test_gpu();
  if (!opened) return;
  auto& device = dynamic_cast<VulkanDevice&>(*opened);
  const Target gpu{DeviceKind::vulkan, Feature::shared_memory | Feature::long_loops, 132};
  std::mt19937 engine(20261128);
  for (const KernelRow& kernel : api::kernel_table()) {
    const bool is_product = kernel.op == "matmul" || kernel.op == "gemm" || kernel.op == "conv2d";
    const bool is_planned =
        kernel.name.find(".tiled") != std::string_view::npos || kernel.name.find(".few_") != std::string_view::npos;
    if (kernel.device != DeviceKind::vulkan || !is_product || !is_planned || kernel.name.ends_with("large_lanes"))
      continue;
    CAPTURE(kernel.name);
    int taken = 0;
    for (int attempt = 0; attempt < 600 && taken < 4; ++attempt) {
      const DataType type = taken % 2 == 0 ? DataType::float32 : DataType::float16;
      const RandomCall call = random_call(*find_operator(kernel.op), type, engine);
      if (!takes(kernel, call.spec, gpu) || call.spec.outputs.empty()) continue;
      ++taken;
      CAPTURE(compiler::call_text(call.spec, std::vector<bool>(call.spec.inputs.size())));
      Dispatches list = gpu_kernels().find({&kernel})->dispatches(call.spec, gpu);
      const TestTensor expected = run_steps(call.spec, call.inputs).back();
      double peak = 1;
      for (const Number& number : numbers(expected)) peak = std::max(peak, std::abs(number.as_double()));
      const TestTensor actual =
          run_on_device(device, device.make_kernel(std::move(list), call.spec), call.spec, call.inputs).front();
      const Comparison comparison =
          compare_tensors(expected.descriptor, actual.data, expected.data,
                          {.ulp = 16, .absolute = peak * (type == DataType::float16 ? 8.0 / 1024 : 1e-4)});
      CHECK(comparison.mismatches == 0);
    }
    CHECK(taken > 0);
  }
}

}  // namespace webnn::tests::tiles_test
