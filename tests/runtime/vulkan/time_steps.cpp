// Recurrent networks: dispatches for each time step, which a graph's numbers multiply.
#include <algorithm>
#include <doctest/doctest.h>

#include "api/kernels.hpp"
#include "runtime/vulkan/kernels/dispatch.hpp"
#include "tests/harness/run_operator.hpp"

namespace webnn::tests::time_steps_test {
namespace {

using namespace runtime::vulkan;

struct Network {
  const char* kernel;
  const char* op;
  std::uint32_t gates;
  bool resets_after = true;  // only of gru
};
constexpr Network networks[] = {
    {"vulkan.lstm", "lstm", 4},       {"vulkan.lstm.hoisted", "lstm", 4},      {"vulkan.gru", "gru", 3},
    {"vulkan.gru.hoisted", "gru", 3}, {"vulkan.gru.hoisted", "gru", 3, false},
};

/// A network of both directions.
KernelSpec spec_of(const Network& network, std::uint32_t steps, std::uint32_t batches, std::uint32_t inputs = 1,
                   std::uint32_t hidden = 1) {
  const auto tensor = [](const Shape& shape) {
    const OperandDescriptor descriptor{DataType::float32, shape};
    return TestTensor{descriptor, std::vector<std::byte>(byte_length(descriptor))};
  };
  const std::uint32_t units = network.gates * hidden;
  NamedAttributes attributes{{"steps", int(steps)}, {"hiddenSize", int(hidden)}, {"direction", "both"}};
  if (network.gates == 3) attributes.emplace_back("resetAfter", network.resets_after);
  return operator_spec(network.op,
                       {tensor({steps, batches, inputs}), tensor({2, units, inputs}), tensor({2, units, hidden})},
                       attributes);
}

Dispatches dispatches_of(const Network& network, const KernelSpec& spec) {
  return gpu_kernels().find(*api::find_kernel(network.kernel))->dispatches(spec, {DeviceKind::vulkan});
}

}  // namespace

TEST_CASE("vulkan time steps: what a kernel demands of a device is known without a dispatch for each step") {
  for (const Network& network : networks) {
    CAPTURE(network.kernel);
    constexpr std::uint32_t steps = 100'000;
    const KernelSpec spec = spec_of(network, steps, 1);
    Dispatches list = dispatches_of(network, spec);
    CHECK(list.dispatches.size() < 10);
    list.unroll(1);
    CHECK(list.dispatches.size() < 20);
  }
}

TEST_CASE("vulkan time steps: no step demands more of a device than the first") {
  for (const Network& network : networks) {
    CAPTURE(network.kernel);
    constexpr std::uint32_t steps = 180, batches = 4'096;  // so many that the inputs' products come in several blocks
    const KernelSpec spec = spec_of(network, steps, batches);
    Dispatches list = dispatches_of(network, spec), first = list;
    list.unroll();
    first.unroll(1);
    CHECK(list.dispatches.size() >= first.dispatches.size() + 2 * (steps - 1));
    for (const Dispatch& dispatch : list.dispatches)
      CHECK(std::ranges::any_of(first.dispatches, [&](const Dispatch& other) {
        return other.shader.words.data() == dispatch.shader.words.data() &&
               other.specialization == dispatch.specialization && other.turns >= dispatch.turns &&
               other.shared_bytes >= dispatch.shared_bytes && other.subgroups == dispatch.subgroups;
      }));
  }
}

}  // namespace webnn::tests::time_steps_test
