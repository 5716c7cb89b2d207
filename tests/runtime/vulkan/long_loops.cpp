// Loops of so many turns that some drivers end them before: they are cut into parts, and what cannot be cut is refused.
#include <cmath>
#include <doctest/doctest.h>

#include "api/kernels.hpp"
#include "runtime/vulkan/kernels/dispatch.hpp"
#include "runtime/vulkan/vulkan_device.hpp"
#include "schema/elements/compare_tensors.hpp"
#include "tests/harness/machine/gpu.hpp"

namespace webnn::tests::long_loops_test {
namespace {

using namespace runtime::vulkan;

/// Small whole numbers, so that sums of them are exact, with a few that stand out near the end.
TestTensor long_tensor(DataType type, const Shape& shape) {
  TestTensor result{{type, shape}, std::vector<std::byte>(byte_length({type, shape}))};
  const std::size_t count = element_count(shape);
  for (std::size_t i = 0; i < count; ++i) {
    const int value = i + 5 == count ? 7 : i % 3 == 0 ? 1 : i % 3 == 1 ? 0 : -1;
    store(Number(value), type, result.data.data() + i * bits_of(type) / 8);
  }
  return result;
}

struct LongCall {
  const char* kernel;
  const char* op;
  OptionalTensors inputs;
  NamedAttributes attributes{};
  std::size_t parts = 2;  // dispatches, at least
};

}  // namespace

TEST_CASE("vulkan long loops: what is longer than a driver's loops is what the reference gives") {
  const auto opened = open_test_gpu();
  if (!opened) return;
  auto& device = dynamic_cast<VulkanDevice&>(*opened);
  constexpr auto f32 = DataType::float32;
  const auto vector = [](std::uint32_t size, DataType type = DataType::float32) { return long_tensor(type, {size}); };
  const std::vector<LongCall> calls{
      {"vulkan.cumulativeSum", "cumulativeSum", {long_tensor(f32, {65'540, 3})}, {{"axis", 0}}},
      {"vulkan.cumulativeSum",
       "cumulativeSum",
       {long_tensor(DataType::int32, {65'540, 2})},
       {{"axis", 0}, {"reversed", true}, {"exclusive", true}}},
      {"vulkan.argReduction", "argMax", {long_tensor(f32, {65'540, 3})}, {{"axis", 0}}},
      {"vulkan.argReduction", "argMin", {vector(131'075, DataType::int8)}, {{"axis", 0}}},
      {"vulkan.reduction", "reduceSum", {vector(4'194'305)}, {{"axes", IntegerList{0}}}},
      {"vulkan.reduction", "reduceMax", {vector(4'194'305)}, {{"axes", IntegerList{0}}}},
      {"vulkan.reduction", "reduceMean", {long_tensor(f32, {2, 1'300, 1'301})}, {{"axes", IntegerList{1, 2}}}},
      {"vulkan.reduction", "reduceL2", {vector(4'194'305)}, {{"axes", IntegerList{0}}}},
      {"vulkan.reduction", "reduceLogSumExp", {vector(2'100'000)}, {{"axes", IntegerList{0}}}},
      {"vulkan.reduction", "reduceSum", {vector(4'194'305, DataType::int32)}, {{"axes", IntegerList{0}}}},
      {"vulkan.reduction", "reduceMin", {vector(4'194'305, DataType::int32)}, {{"axes", IntegerList{0}}}},
      {"vulkan.softmax", "softmax", {vector(1'400'001)}, {{"axis", 0}}},
      {"vulkan.instanceNormalization",
       "instanceNormalization",
       {long_tensor(f32, {1, 1, 1'300, 1'300}), std::nullopt, std::nullopt}},
      {"vulkan.layerNormalization",
       "layerNormalization",
       {vector(700'001), std::nullopt, std::nullopt},
       {{"axes", IntegerList{0}}}},
      {"vulkan.rmsNormalization", "@rmsNormalization", {vector(700'001), std::nullopt}, {{"axes", IntegerList{0}}}},
      {"vulkan.matmul", "matmul", {long_tensor(f32, {1, 65'537}), long_tensor(f32, {65'537, 2})}},
      {"vulkan.gemm",
       "gemm",
       {long_tensor(f32, {65'537, 2}), long_tensor(f32, {65'537, 3}), vector(3)},
       {{"aTranspose", true}, {"alpha", 2.0}, {"beta", 3.0}}},
      {"vulkan.conv2d", "conv2d", {long_tensor(f32, {1, 8'003, 3, 3}), long_tensor(f32, {2, 8'003, 3, 3}), vector(2)}},
      {"vulkan.conv2d",
       "conv2d",
       {long_tensor(f32, {1, 1, 131, 131}), long_tensor(f32, {1, 1, 131, 131}), std::nullopt}},
      {"vulkan.pool2d", "averagePool2d", {long_tensor(f32, {1, 2, 257, 257})}},
      {"vulkan.pool2d", "maxPool2d", {long_tensor(DataType::int8, {1, 1, 2, 70'000})}},
      {"vulkan.pool2d",
       "l2Pool2d",
       {long_tensor(f32, {1, 1, 300, 300})},
       {{"windowDimensions", IntegerList{299, 299}}, {"padding", IntegerList{1, 0, 0, 1}}}},
  };
  for (const LongCall& call : calls) {
    const std::string op = call.op;
    CAPTURE(op);
    const KernelSpec spec = operator_spec(call.op, call.inputs, call.attributes);
    CAPTURE(spec.inputs[0]->text());
    const KernelId id = *api::find_kernel(call.kernel);
    REQUIRE(takes(row(id), spec, device.target()));
    const Dispatches list = gpu_kernels().find(id)->dispatches(spec, {DeviceKind::vulkan});
    CHECK(list.dispatches.size() >= call.parts);
    for (const Dispatch& dispatch : list.dispatches) CHECK(dispatch.turns <= 2 * most_turns_of_part - 1);
    if (!device.can_run(id, spec)) continue;  // without 8-bit memory
    const TestTensor expected = run_operator(call.op, call.inputs, call.attributes).front();
    const TestTensor actual = run_on_device(device, id, spec, call.inputs).front();
    const Comparison comparison =
        compare_tensors(expected.descriptor, actual.data, expected.data, {.ulp = 64, .absolute = 1e-6});
    CAPTURE(comparison.max_absolute);
    CHECK(comparison.mismatches == 0);
  }
}

TEST_CASE("vulkan long loops: infinities and NaN stand where they would without parts") {
  const auto device = open_test_gpu();
  if (!device) return;
  for (const double special : {infinity, -infinity, not_a_number})
    for (const std::size_t at : {std::size_t{3}, std::size_t{1'400'000}, std::size_t{700'000}})
      for (const auto& [kernel, op] :
           {std::pair{"vulkan.softmax", "softmax"}, {"vulkan.reduction", "reduceLogSumExp"}}) {
        CAPTURE(special);
        CAPTURE(at);
        CAPTURE(op);
        TestTensor x = long_tensor(DataType::float32, {1'400'001});
        // Before it there are only numbers that say nothing, in one of the cases.
        if (special == infinity)
          for (std::size_t i = 0; i < at; ++i) store(Number(-infinity), DataType::float32, x.data.data() + i * 4);
        store(Number(special), DataType::float32, x.data.data() + at * 4);
        const NamedAttributes attributes = std::string_view(op) == "softmax"
                                               ? NamedAttributes{{"axis", 0}}
                                               : NamedAttributes{{"axes", IntegerList{0}}};
        const KernelSpec spec = operator_spec(op, {x}, attributes);
        const TestTensor expected = run_operator(op, {x}, attributes).front();
        const TestTensor actual = run_on_device(*device, *api::find_kernel(kernel), spec, {x}).front();
        CHECK(compare_tensors(expected.descriptor, actual.data, expected.data, {.ulp = 64, .absolute = 1e-6})
                  .mismatches == 0);
      }
}

TEST_CASE("vulkan long loops: cutting covers everything once") {
  for (const std::uint64_t count : {1u, 2u, 7u, 8u, 9u, 16u, 1000u})
    for (const std::uint64_t most : {1u, 4u, 8u, 2000u}) {
      std::uint64_t next = 0;
      const auto parts = cut_loop(count, most);
      for (std::size_t i = 0; i < parts.size(); ++i) {
        CHECK(parts[i].first == next);
        CHECK(parts[i].end > parts[i].first);
        CHECK(parts[i].end - parts[i].first <= most);
        CHECK(parts[i].is_first == (i == 0));
        CHECK(parts[i].is_last == (i + 1 == parts.size()));
        next = parts[i].end;
      }
      CHECK(next == count);
    }
}

TEST_CASE("vulkan long loops: where loops end early, a kernel whose loops cannot be cut is not run") {
  const auto opened = open_test_gpu();
  if (!opened) return;
  const auto& device = dynamic_cast<const VulkanDevice&>(*opened);
  const TestTensor a = long_tensor(DataType::float32, {64, 65'600}), b = long_tensor(DataType::float32, {65'600, 64});
  const KernelSpec spec = operator_spec("matmul", {a, b});
  const bool any_length = device.queue().profile().most_turns == 0;
  CHECK(device.can_run(*api::find_kernel("vulkan.matmul.tiled"), spec) == any_length);
  CHECK(device.can_run(*api::find_kernel("vulkan.matmul"), spec));
}

}  // namespace webnn::tests::long_loops_test
