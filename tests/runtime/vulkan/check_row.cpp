#include "tests/runtime/vulkan/check_row.hpp"

#include <doctest/doctest.h>

#include "api/kernels.hpp"
#include "runtime/vulkan/kernels/dispatch.hpp"
#include "tests/harness/error_bound/error_bound.hpp"
#include "tests/harness/machine/gpu.hpp"
#include "tests/harness/random/random_graph.hpp"

namespace webnn::tests {

void check_row(runtime::Device& device, const RowCall& call, const Target& gpu, std::mt19937& engine) {
  OptionalTensors inputs;
  std::string text = std::string(call.kernel) + " " + call.op;
  for (const OperandDescriptor& operand : call.operands) {
    inputs.push_back(random_tensor(operand, engine));
    text += " " + operand.text();
  }
  CAPTURE(text);
  const KernelSpec spec = operator_spec(call.op, inputs, call.attributes);
  inputs.resize(spec.inputs.size());
  const KernelId id = *api::find_kernel(call.kernel);
  REQUIRE(takes(row(id), spec, device.target()));
  runtime::vulkan::Dispatches list = runtime::vulkan::gpu_kernels().find(id)->dispatches(spec, gpu);
  list.unroll();
  CHECK(list.dispatches.size() == call.dispatches);
  if (!device.can_run(id, spec)) return;  // without 8-bit memory
  const TestTensor actual = run_on_device(device, id, spec, inputs).front();
  const BoundCheck check = check_within(bounded_outputs(spec, inputs).front(), actual.data);
  CHECK_MESSAGE(check.beyond == 0, check.beyond, " of ", check.count, ": ", check.text);
}

Target gpu_of_units(std::uint32_t units) { return {DeviceKind::vulkan, Feature::none, units}; }

}  // namespace webnn::tests
