// The dispatches of a kernel share its cost by their work, so that each is submitted in as many slices as it needs.
#include <doctest/doctest.h>
#include <numeric>
#include <random>

#include "api/kernels.hpp"
#include "runtime/vulkan/kernels/dispatch.hpp"
#include "runtime/vulkan/vulkan_device.hpp"
#include "schema/kernels/cost.hpp"
#include "tests/harness/machine/gpu.hpp"
#include "tests/harness/random/random_graph.hpp"
#include "tests/runtime/vulkan/check_row.hpp"

namespace webnn::tests::shares_of_cost_test {
namespace {

using namespace runtime::vulkan;

constexpr auto f32 = DataType::float32;

struct Call {
  RowCall row;
  std::size_t largest;  // number of the dispatch that does nearly all
};

const RowCall network{"vulkan.lstm.hoisted",
                      "lstm",
                      {{f32, {8, 1, 512}}, {f32, {1, 64, 512}}, {f32, {1, 64, 16}}},
                      {{"steps", 8}, {"hiddenSize", 16}}};

const std::vector<Call> calls{
    {network, 2},
    {{"vulkan.matmul.tiled_32_split", "matmul", {{f32, {64, 4096}}, {f32, {4096, 64}}}}, 0},
    {{"vulkan.matmul.few_rows", "matmul", {{f32, {1, 16'384}}, {f32, {16'384, 64}}}}, 0},
    {{"vulkan.conv2d.tiled_32_split", "conv2d", {{f32, {1, 512, 7, 7}}, {f32, {64, 512, 3, 3}}}}, 0},
    {{"vulkan.conv2d.winograd", "conv2d", {{f32, {1, 64, 56, 56}}, {f32, {64, 64, 3, 3}}}}, 2},
    {{"vulkan.attention.split",
      "@attention",
      {{f32, {1, 1, 64}}, {f32, {1, 4096, 64}}, {f32, {1, 4096, 64}}},
      {{"scale", 0.25},
       {"queryPermutation", IntegerList{0, 1, 2}},
       {"keyPermutation", IntegerList{0, 1, 2}},
       {"valuePermutation", IntegerList{0, 1, 2}},
       {"outputPermutation", IntegerList{0, 1, 2}}}},
     0},
};

OptionalTensors operands_of(const RowCall& call) {
  std::mt19937 engine(1);
  OptionalTensors operands;
  for (const OperandDescriptor& operand : call.operands) operands.push_back(random_tensor(operand, engine));
  return operands;
}

}  // namespace

TEST_CASE("vulkan shares: a dispatch that does nearly all has nearly all of the cost") {
  for (const auto& [call, largest] : calls) {
    CAPTURE(call.kernel);
    const KernelSpec spec = operator_spec(call.op, operands_of(call), call.attributes);
    Dispatches list = gpu_kernels().find(*api::find_kernel(call.kernel))->dispatches(spec, gpu_of_units(60));
    list.unroll();
    REQUIRE(list.dispatches.size() > 1);
    const double all = std::accumulate(list.dispatches.begin(), list.dispatches.end(), 0.0,
                                       [](double sum, const Dispatch& each) { return sum + double(each.work); });
    CHECK(double(list.dispatches[largest].work) > 0.9 * all);
  }
}

TEST_CASE("vulkan shares: the turns of a tile's main loop are those of the inner axis alone") {
  const auto turns = [](const char* kernel, std::uint32_t inner) {
    const RowCall call{kernel, "matmul", {{DataType::float16, {64, inner}}, {DataType::float16, {inner, 64}}}};
    const KernelSpec spec = operator_spec(call.op, operands_of(call));
    return gpu_kernels().find(*api::find_kernel(kernel))->dispatches(spec, gpu_of_units(60)).dispatches[0].main_turns;
  };
  for (const char* const kernel : {"vulkan.matmul.tiled", "vulkan.matmul.tiled_128", "vulkan.matmul.units"}) {
    CAPTURE(kernel);
    CHECK(turns(kernel, 64'000) > 80 * turns(kernel, 640));
  }
}

TEST_CASE("vulkan shares: a long dispatch among short ones is cut into slices") {
  const OptionalTensors operands = operands_of(network);
  const KernelSpec spec = operator_spec(network.op, operands, network.attributes);
  OptionalTensors inputs = operands;
  inputs.resize(spec.inputs.size());
  constexpr std::uint64_t slices = 40;
  std::vector<TestTensor> results[2];
  std::uint64_t submitted[2] = {};
  for (const int cut : {0, 1}) {
    const auto device = open_test_gpu(runtime::GpuOptions{.flops_at_once = cut ? cost_of(spec).flops / slices : 0u});
    if (!device) return;
    results[cut] = run_on_device(*device, *api::find_kernel(network.kernel), spec, inputs);
    submitted[cut] = dynamic_cast<const VulkanDevice&>(*device).queue().submitted();
  }
  CHECK(results[0] == results[1]);
  CHECK(submitted[1] >= submitted[0] + slices / 2);  // slices are of whole workgroups
}

}  // namespace webnn::tests::shares_of_cost_test
