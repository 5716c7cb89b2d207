// Kernels whose workgroups fold rows (kernels/groups): shapes at the edges of their plans, which chance seldom makes.
#include <doctest/doctest.h>
#include <random>

#include "api/kernels.hpp"
#include "runtime/vulkan/kernels/dispatch.hpp"
#include "runtime/vulkan/vulkan_device.hpp"
#include "tests/harness/error_bound/error_bound.hpp"
#include "tests/harness/machine/gpu.hpp"
#include "tests/harness/random/random_graph.hpp"
#include "tests/runtime/vulkan/check_row.hpp"

namespace webnn::tests::row_groups_test {
namespace {

using namespace runtime::vulkan;

constexpr auto f32 = DataType::float32, f16 = DataType::float16, i32 = DataType::int32, i8 = DataType::int8;

NamedAttributes axes(const IntegerList& list) { return {{"axes", list}}; }

NamedAttributes permutation(const IntegerList& list) { return {{"permutation", list}}; }

NamedAttributes heads(bool transposed_keys = false) {
  const IntegerList same{0, 1, 2}, transposed{0, 2, 1};
  return {{"scale", 0.25},
          {"queryPermutation", same},
          {"keyPermutation", transposed_keys ? transposed : same},
          {"valuePermutation", same},
          {"outputPermutation", same}};
}

/// `dispatches`: on a device of one unit.
const std::vector<RowCall> edge_calls{
    // One lane, some lanes, all lanes of a workgroup for a row, more elements than registers keep, than memory keeps.
    {"vulkan.softmax.rows", "softmax", {{f32, {70, 3}}}, {{"axis", 1}}},
    {"vulkan.softmax.rows", "softmax", {{f16, {3, 197}}}, {{"axis", 1}}},
    {"vulkan.softmax.rows", "softmax", {{f32, {2, 1028}}}, {{"axis", 1}}},
    {"vulkan.softmax.rows", "softmax", {{f32, {2, 4093}}}, {{"axis", 1}}},
    {"vulkan.softmax.rows", "softmax", {{f16, {8192}}}, {{"axis", 0}}},
    {"vulkan.softmax.rows", "softmax", {{f16, {8196}}}, {{"axis", 0}}, 2},
    {"vulkan.softmax.rows", "softmax", {{f32, {2, 4101}}}, {{"axis", 1}}, 2},
    {"vulkan.softmax.rows", "softmax", {{f32, {2, 31, 37}}}, {{"axis", 1}}},
    {"vulkan.softmax.rows", "softmax", {{f16, {257, 5}}}, {{"axis", 0}}},
    {"vulkan.softmax.rows", "softmax", {{f32, {2, 1031, 3}}}, {{"axis", 1}}, 2},
    {"vulkan.layerNormalization.rows", "layerNormalization", {{f32, {5, 7}}, {f32, {7}}}, axes({1})},
    {"vulkan.layerNormalization.rows", "layerNormalization", {{f16, {3, 768}}, {f16, {768}}, {f16, {768}}}, axes({1})},
    {"vulkan.layerNormalization.rows", "layerNormalization", {{f32, {2, 4096}}, {f32, {4096}}}, axes({1})},
    {"vulkan.layerNormalization.rows", "layerNormalization", {{f32, {9, 1030}}, {f32, {9, 1030}}}, axes({0, 1}), 2},
    {"vulkan.layerNormalization.rows", "layerNormalization", {{f32, {2, 61, 5}}, {f32, {61}}}, axes({1})},
    {"vulkan.layerNormalization.rows", "layerNormalization", {{f32, {777, 6}}, {f32, {777}}}, axes({0}), 2},
    {"vulkan.rmsNormalization.rows", "@rmsNormalization", {{f32, {5, 7}}, {f32, {7}}}, axes({1})},
    {"vulkan.rmsNormalization.rows", "@rmsNormalization", {{f16, {3, 768}}}, axes({1})},
    {"vulkan.rmsNormalization.rows", "@rmsNormalization", {{f32, {9, 1030}}, {f32, {9, 1030}}}, axes({0, 1}), 2},
    {"vulkan.rmsNormalization.rows", "@rmsNormalization", {{f32, {777, 6}}, {f32, {777}}}, axes({0}), 2},
    {"vulkan.instanceNormalization.rows", "instanceNormalization", {{f32, {2, 3, 5, 5}}, {f32, {3}}, {f32, {3}}}},
    {"vulkan.instanceNormalization.rows", "instanceNormalization", {{f16, {1, 2, 100, 100}}, {f16, {2}}}, {}, 2},
    {"vulkan.reduction.rows", "reduceSum", {{f32, {70'001}}}, axes({0}), 2},
    {"vulkan.reduction.rows", "reduceMean", {{f16, {65'536}}}, axes({0}), 2},
    {"vulkan.reduction.rows", "reduceMin", {{f32, {300, 5}}}, axes({1})},
    {"vulkan.reduction.rows", "reduceLogSumExp", {{f32, {9'001}}}, axes({0}), 2},
    {"vulkan.reduction.rows", "reduceLogSumExp", {{f32, {3, 1'100, 2}}}, axes({1}), 2},
    {"vulkan.reduction.rows", "reduceL2", {{f32, {2, 301, 33}}}, axes({1})},
    {"vulkan.reduction.rows", "reduceSum", {{f32, {3, 5, 700, 4}}}, axes({0, 2}), 2},
    {"vulkan.reduction.rows", "reduceMax", {{f32, {3, 5, 24}}}, axes({0, 2})},
    {"vulkan.reduction.rows", "reduceSum", {{i32, {2, 40'000}}}, axes({1}), 2},
    {"vulkan.reduction.rows", "reduceMax", {{i32, {40'000}}}, axes({0}), 2},
    {"vulkan.reduction.rows", "reduceMin", {{DataType::uint32, {3'000, 2}}}, axes({0}), 2},
    {"vulkan.argReduction.rows", "argMax", {{f32, {70'000}}}, {{"axis", 0}}, 2},
    {"vulkan.argReduction.rows", "argMin", {{i8, {3, 9'003}}}, {{"axis", 1}}, 2},
    {"vulkan.argReduction.rows", "argMax", {{i32, {2, 1'400, 3}}}, {{"axis", 1}}, 2},
    {"vulkan.argReduction.rows", "argMin", {{f16, {37, 12}}}, {{"axis", 1}}},
    {"vulkan.cumulativeSum.rows", "cumulativeSum", {{f32, {70'001}}}, {{"axis", 0}}, 2},
    {"vulkan.cumulativeSum.rows", "cumulativeSum", {{f32, {9'004}}}, {{"axis", 0}, {"reversed", true}}, 2},
    {"vulkan.cumulativeSum.rows", "cumulativeSum", {{f32, {9, 700}}}, {{"axis", 1}, {"exclusive", true}}},
    {"vulkan.cumulativeSum.rows",
     "cumulativeSum",
     {{f16, {2, 1'400, 3}}},
     {{"axis", 1}, {"exclusive", true}, {"reversed", true}},
     2},
    {"vulkan.cumulativeSum.rows", "cumulativeSum", {{i32, {3'000, 2}}}, {{"axis", 0}}, 2},
    {"vulkan.pool2d.rows", "averagePool2d", {{f32, {2, 3, 7, 7}}}},
    {"vulkan.pool2d.rows", "averagePool2d", {{f16, {1, 2, 1, 1'025}}}},
    {"vulkan.pool2d.rows", "maxPool2d", {{i8, {1, 5, 3, 1}}}},
    {"vulkan.pool2d.rows", "l2Pool2d", {{f32, {1, 1, 200, 300}}}, {}, 2},
    // More steps than a block of contributions holds, in both directions.
    {"vulkan.lstm.hoisted",
     "lstm",
     {{f32, {129, 4'096, 1}}, {f32, {2, 4, 1}}, {f32, {2, 4, 1}}, {f32, {2, 4}}},
     {{"steps", 129}, {"hiddenSize", 1}, {"direction", "both"}},
     2 * (2 + 2 + 129)},
    {"vulkan.transpose.tiled", "transpose", {{f32, {33, 65}}}},
    {"vulkan.transpose.tiled", "transpose", {{i8, {3, 31, 2, 40}}}, permutation({3, 0, 2, 1})},
    {"vulkan.transpose.tiled", "transpose", {{DataType::int64, {2, 5, 1, 70}}}, permutation({3, 1, 2, 0})},
    {"vulkan.transpose", "transpose", {{f16, {5, 3, 24}}}, permutation({1, 0, 2})},
    {"vulkan.concat", "concat", {{f16, {3, 24}}, {f16, {3, 4}}}, {{"axis", 1}}, 2},
    {"vulkan.concat", "concat", {{i8, {3, 32}}, {i8, {3, 4}}, {i8, {3, 1}}}, {{"axis", 1}}, 3},
    {"vulkan.slice", "slice", {{f32, {7, 32}}}, {{"starts", IntegerList{1, 8}}, {"sizes", IntegerList{5, 20}}}},
    {"vulkan.reverse", "reverse", {{f32, {7, 2, 32}}}, axes({0, 1})},
    {"vulkan.expand", "expand", {{f16, {3, 1, 8}}}, {{"newShape", IntegerList{3, 5, 8}}}},
    {"vulkan.attention.split", "@attention", {{f16, {1, 1, 64}}, {f16, {1, 333, 64}}, {f16, {1, 333, 64}}}, heads(), 2},
    {"vulkan.attention.split",
     "@attention",
     {{f32, {2, 5, 6}}, {f32, {2, 6, 131}}, {f32, {2, 131, 7}}, {f32, {5, 131}}},
     heads(true)},
    {"vulkan.attention.tiled", "@attention", {{f32, {1, 33, 64}}, {f32, {1, 65, 64}}, {f32, {1, 65, 64}}}, heads()},
    {"vulkan.attention.tiled",
     "@attention",
     {{f16, {1, 31, 128}}, {f16, {1, 513, 128}}, {f16, {1, 513, 256}}, {f16, {1, 513}}},
     heads(),
     2},
    {"vulkan.attention.units", "@attention", {{f16, {1, 65, 64}}, {f16, {1, 64, 65}}, {f16, {1, 65, 64}}}, heads(true)},
    {"vulkan.attention.units",
     "@attention",
     {{f16, {1, 63, 256}}, {f16, {1, 513, 256}}, {f16, {1, 513, 256}}, {f16, {1, 513}}},
     heads(),
     2},
};

}  // namespace

TEST_CASE("vulkan row groups: rows at the edges of a plan are what the reference gives") {
  const auto opened = open_test_gpu();
  if (!opened) return;
  std::mt19937 engine(3);
  for (const RowCall& call : edge_calls) check_row(*opened, call, gpu_of_units(1), engine);
}

TEST_CASE("vulkan row groups: NaN and infinities in any part of a row") {
  const auto device = open_test_gpu();
  if (!device) return;
  constexpr std::uint32_t size = 9'000;
  for (const double special : {infinity, -infinity, not_a_number})
    for (const std::size_t at : {std::size_t{0}, std::size_t{4'500}, std::size_t{8'999}})
      for (const auto& [kernel, op] : {std::pair{"vulkan.softmax.rows", "softmax"},
                                       {"vulkan.reduction.rows", "reduceLogSumExp"},
                                       {"vulkan.reduction.rows", "reduceMax"},
                                       {"vulkan.argReduction.rows", "argMax"},
                                       {"vulkan.cumulativeSum.rows", "cumulativeSum"},
                                       {"vulkan.layerNormalization.rows", "layerNormalization"},
                                       {"vulkan.rmsNormalization.rows", "@rmsNormalization"}}) {
        CAPTURE(special);
        CAPTURE(at);
        CAPTURE(op);
        Numbers numbers(size, Number(-infinity));  // says nothing to the first two
        for (std::size_t i = 7'000; i < size; ++i) numbers[i] = Number(double(i % 5));
        numbers[at] = Number(special);
        OptionalTensors inputs{tensor(f32, {size}, numbers)};
        const bool along_several = row(*find_any_operator(op)).attribute_index("axes") >= 0;
        const NamedAttributes attributes = along_several ? axes({0}) : NamedAttributes{{"axis", 0}};
        const KernelSpec spec = operator_spec(op, inputs, attributes);
        inputs.resize(spec.inputs.size());
        const TestTensor actual = run_on_device(*device, *api::find_kernel(kernel), spec, inputs).front();
        const BoundCheck check = check_within(bounded_outputs(spec, inputs).front(), actual.data);
        CHECK_MESSAGE(check.beyond == 0, check.beyond, " of ", check.count, ": ", check.text);
      }
}

TEST_CASE("vulkan row groups: a long row fills a large device, many rows need no parts") {
  const auto groups = [](const char* kernel, const char* op, const Shape& shape, const NamedAttributes& attributes) {
    const KernelSpec spec = operator_spec(op, {TestTensor{{f32, shape}, {}}}, attributes);
    const Dispatches list = gpu_kernels().find(*api::find_kernel(kernel))->dispatches(spec, gpu_of_units(60));
    return std::pair{list.dispatches.size(), std::size_t(list.dispatches.front().groups)};
  };
  CHECK(groups("vulkan.reduction.rows", "reduceSum", {1u << 24}, axes({0})).second > 400);
  CHECK(groups("vulkan.reduction.rows", "reduceSum", {1u << 14, 64}, axes({1})).first == 1);
  CHECK(groups("vulkan.reduction.rows", "reduceSum", {1u << 16, 64}, axes({0})).second >= 200);
  CHECK(groups("vulkan.softmax.rows", "softmax", {1, 150'000}, {{"axis", 1}}).second > 60);
}

}  // namespace webnn::tests::row_groups_test
