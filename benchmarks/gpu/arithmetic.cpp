#include "benchmarks/gpu/arithmetic.hpp"

#include <algorithm>

#include "benchmarks/gpu/trial.hpp"
#include "runtime/vulkan/profile/features.hpp"
#include "runtime/vulkan/shaders.hpp"

namespace webnn::benchmarks {

using namespace schema;
using runtime::vulkan::Dispatch;
using runtime::vulkan::DispatchMaker;
using runtime::vulkan::VulkanDevice;

namespace {

/// Its result takes a number of each invocation.
KernelSpec spec_for(std::uint32_t invocations) {
  const OperandDescriptor y{DataType::float32, Shape{invocations}};
  KernelSpec spec;
  spec.op = *find_operator("identity");
  spec.inputs = {y};
  spec.outputs = {y};
  return spec;
}

constexpr double operations_of_turn = 8 * 4;  // shaders/elementwise/arithmetic.comp

std::unique_ptr<Arithmetic> in_registers(VulkanDevice& device, const runtime::vulkan::ShaderCode& shader,
                                         std::uint32_t lanes, std::uint32_t turns, double flops_of_operation) {
  const KernelSpec spec = spec_for(lanes);
  DispatchMaker maker(shader, {});
  maker.output(spec).word(lanes).word(turns).turns(turns);
  return std::make_unique<Arithmetic>(device, maker.over(lanes), spec,
                                      double(lanes) * turns * operations_of_turn * flops_of_operation);
}

}  // namespace

std::unique_ptr<Arithmetic> Arithmetic::of_lanes(VulkanDevice& device, std::uint32_t lanes, std::uint32_t turns) {
  return in_registers(device, runtime::vulkan::shaders::arithmetic(), lanes, turns, 2);
}

std::unique_ptr<Arithmetic> Arithmetic::of_dots(VulkanDevice& device, std::uint32_t lanes, std::uint32_t turns) {
  const runtime::vulkan::ShaderCode shader = runtime::vulkan::shaders::arithmetic_dots();
  if (!runtime::vulkan::can_run(device.queue().profile(), shader.words)) return nullptr;
  return in_registers(device, shader, lanes, turns, 8);
}

std::unique_ptr<Arithmetic> Arithmetic::of_units(VulkanDevice& device, std::uint32_t groups, std::uint32_t turns) {
  if (!includes(device.target().features, Feature::matrix_units)) return nullptr;
  constexpr std::uint32_t subgroups = 4, fragments = 8;  // shaders/products/arithmetic_units.comp
  const runtime::vulkan::Profile& profile = device.queue().profile();
  const std::uint32_t lanes = subgroups * profile.subgroup_size;
  const KernelSpec spec = spec_for(groups * lanes);
  DispatchMaker maker(runtime::vulkan::shaders::arithmetic_units(), {}, lanes);
  maker.output(spec).word(turns).turns(turns);
  Dispatch dispatch = maker.over_groups(groups);
  dispatch.subgroups = subgroups;
  const runtime::vulkan::Fragment& fragment = profile.fragment;
  const double flops = 2.0 * fragment.rows * fragment.columns * fragment.inner * fragments * subgroups;
  return std::make_unique<Arithmetic>(device, std::move(dispatch), spec, flops * groups * turns);
}

Arithmetic::Arithmetic(VulkanDevice& device, Dispatch dispatch, const KernelSpec& spec, double flops)
    : flops_(flops),
      kernel_(device.make_kernel(runtime::vulkan::Dispatches(std::move(dispatch)), spec)),
      buffer_(device.allocate(byte_length(spec.outputs[0]))),
      input_(buffer_.address()),
      output_(buffer_.address()),
      invocation_{&kernel_, {{&input_, 1}, {&output_, 1}, nullptr}},
      sequence_(device.prepare({&invocation_, 1}, {})) {}

double Arithmetic::run() {
  runtime::StepTime time;
  sequence_->run_timed({&time, 1});
  return double(time.end - time.begin) * 1e-9;
}

Warmth::Warmth(VulkanDevice& device) : work_(Arithmetic::of_lanes(device, 1u << 20, 1000)) {}

void Warmth::restore() {
  constexpr double limit = 1.5, share = 1.03;
  constexpr int enough = 10;  // times in turn
  const auto begin = Clock::now();
  for (int steady = 0; steady < enough && std::chrono::duration<double>(Clock::now() - begin).count() < limit;) {
    const double seconds = work_->run();
    steady = seconds <= share * least_ ? steady + 1 : 0;
    least_ = std::min(least_, seconds);
  }
}

}  // namespace webnn::benchmarks
