// conv2d by Winograd's F(2 x 2, 3 x 3): blocks at the edges of results and of memory, filters packed or not.
#include <doctest/doctest.h>
#include <random>
#include <string>

#include "api/kernels.hpp"
#include "api/pack_constant.hpp"
#include "runtime/vulkan/kernels/dispatch.hpp"
#include "tests/harness/error_bound/error_bound.hpp"
#include "tests/harness/machine/gpu.hpp"
#include "tests/harness/random/random_graph.hpp"
#include "tests/runtime/vulkan/check_row.hpp"

namespace webnn::tests::winograd_test {
namespace {

struct Call {
  std::uint32_t batches, inputs, outputs, height, width;
  std::int64_t top, bottom, left, right;
};
// Results of one element, of even and odd sizes; padding on no side, on all, and far more than the filter has.
constexpr Call calls[] = {{1, 1, 1, 3, 3, 0, 0, 0, 0},  {1, 3, 5, 6, 6, 0, 0, 0, 0}, {2, 4, 8, 7, 9, 1, 1, 1, 1},
                          {3, 17, 2, 5, 4, 2, 0, 1, 5}, {1, 2, 3, 1, 1, 1, 1, 1, 1}, {1, 64, 33, 10, 11, 1, 1, 1, 1}};

RowCall row_call(const Call& call, DataType type, bool has_bias) {
  std::vector<OperandDescriptor> operands{{type, {call.batches, call.inputs, call.height, call.width}},
                                          {type, {call.outputs, call.inputs, 3, 3}}};
  if (has_bias) operands.push_back({type, {call.outputs}});
  return {"vulkan.conv2d.winograd",
          "conv2d",
          operands,
          {{"padding", IntegerList{call.top, call.bottom, call.left, call.right}}},
          4};
}

}  // namespace

TEST_CASE("vulkan winograd: results of all sizes, with padding on any side") {
  const auto device = open_test_gpu();
  if (!device) return;
  std::mt19937 engine(23);
  for (const DataType type : {DataType::float32, DataType::float16})
    for (const Call& call : calls)
      for (const bool has_bias : {false, true})
        check_row(*device, row_call(call, type, has_bias), gpu_of_units(60), engine);
}

TEST_CASE("vulkan winograd: packed filters need no dispatch of their own and give what the reference gives") {
  const auto device = open_test_gpu();
  if (!device) return;
  std::mt19937 engine(29);
  const KernelId kernel = *api::find_kernel("vulkan.conv2d.winograd");
  for (const DataType type : {DataType::float32, DataType::float16})
    for (const Call& call : calls) {
      const RowCall words = row_call(call, type, true);
      OptionalTensors inputs;
      for (const OperandDescriptor& operand : words.operands) inputs.push_back(random_tensor(operand, engine));
      KernelSpec spec = operator_spec("conv2d", inputs, words.attributes);
      const auto bounds = bounded_outputs(spec, inputs);
      const auto packed = api::pack_constant(kernel, spec, 1, inputs[1]->data);
      REQUIRE(packed);
      inputs[1]->data.assign(packed->bytes.view().begin(), packed->bytes.view().end());
      spec.input_layouts.assign(spec.inputs.size(), Layout::row_major);
      spec.input_layouts[1] = Layout::private_form;
      spec.input_forms.assign(spec.inputs.size(), "");
      spec.input_forms[1] = packed->form;
      CHECK(runtime::vulkan::gpu_kernels().find(kernel)->dispatches(spec, gpu_of_units(60)).dispatches.size() == 3);
      const BoundCheck check = check_within(bounds.front(), run_on_device(*device, kernel, spec, inputs)[0].data);
      CHECK_MESSAGE(check.beyond == 0, check.text);
    }
}

TEST_CASE("vulkan winograd: other filters, strides, dilations and groups are not taken") {
  const KernelRow& kernel = row(*api::find_kernel("vulkan.conv2d.winograd"));
  const auto taken = [&](std::uint32_t filter, std::uint32_t inputs, const NamedAttributes& attributes) {
    const TestTensor x{{DataType::float32, {1, 4, 9, 9}}, {}}, w{{DataType::float32, {4, inputs, filter, 3}}, {}};
    return takes(kernel, operator_spec("conv2d", {x, w, std::nullopt}, attributes), gpu_of_units(60));
  };
  CHECK(taken(3, 4, {}));
  CHECK(!taken(2, 4, {}));
  CHECK(!taken(3, 4, {{"strides", IntegerList{1, 2}}}));
  CHECK(!taken(3, 4, {{"dilations", IntegerList{2, 1}}}));
  CHECK(!taken(3, 2, {{"groups", 2}}));
}

}  // namespace webnn::tests::winograd_test
