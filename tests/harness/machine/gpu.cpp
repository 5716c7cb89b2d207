#include "tests/harness/machine/gpu.hpp"

#include <algorithm>
#include <string>

#include "runtime/cpu/cpu_device.hpp"
#include "runtime/vulkan/gpu.hpp"
#include "schema/error.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests {

namespace {

/// Why this machine has no GPU to test; empty where it has one.
std::string why_no_gpu() {
#ifdef WEBNN_VULKAN
  try {
    const auto can_be_used = [](const runtime::GpuInfo& gpu) { return gpu.missing.empty(); };
    return std::ranges::any_of(runtime::list_gpus(), can_be_used) ? "" : "no Vulkan device of this machine can be used";
  } catch (const Error& error) {
    return error.what();
  }
#else
  return "this build has no GPU device";
#endif
}

/// A device that cannot be opened with the validation layers is an error, not a reason to skip.
std::unique_ptr<runtime::Device> open([[maybe_unused]] runtime::GpuOptions options) {
  static const std::string why_not = why_no_gpu();
  if (!why_not.empty()) {
    skip(why_not);
    return nullptr;
  }
#ifdef WEBNN_VULKAN
  options.validation = true;
  return runtime::open_gpu(std::move(options));
#else
  return nullptr;
#endif
}

}  // namespace

std::unique_ptr<runtime::Device> open_test_gpu(bool staging) { return open({.staging = staging}); }
std::unique_ptr<runtime::Device> open_test_gpu(runtime::GpuOptions options) { return open(std::move(options)); }

std::unique_ptr<runtime::Device> open_test_gpu_with_fallback(bool staging) {
  return open(
      {.staging = staging, .fallback = std::make_unique<runtime::CpuDevice>(), .without = {"storageBuffer8BitAccess"}});
}

std::vector<TestTensor> run_on_device(runtime::Device& device, KernelId id, const KernelSpec& spec,
                                      const OptionalTensors& inputs, int in_place) {
  std::vector<std::span<const std::byte>> constants(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (spec.input_layout(i) == Layout::private_form) constants[i] = inputs[i]->data;
  return run_on_device(device, device.make_kernel(id, spec, constants), spec, inputs, in_place);
}

std::vector<TestTensor> run_on_device(runtime::Device& device, const runtime::Kernel& kernel, const KernelSpec& spec,
                                      const OptionalTensors& inputs, int in_place) {
  std::vector<runtime::Buffer> buffers;
  std::vector<const std::byte*> input_addresses;
  std::vector<std::byte*> output_addresses;
  std::vector<std::size_t> of_output;  // which buffer
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    input_addresses.push_back(nullptr);
    if (!inputs[i]) continue;
    buffers.push_back(device.allocate(inputs[i]->data.size()));
    device.upload(buffers.back(), inputs[i]->data);
    input_addresses.back() = buffers.back().address();
    if (int(i) == in_place) {
      output_addresses.push_back(buffers.back().address());
      of_output.push_back(buffers.size() - 1);
    }
  }
  for (std::size_t i = output_addresses.size(); i < spec.outputs.size(); ++i) {
    buffers.push_back(device.allocate(byte_length(spec.outputs[i])));
    output_addresses.push_back(buffers.back().address());
    of_output.push_back(buffers.size() - 1);
  }
  const runtime::Buffer scratch = device.allocate(kernel.scratch_bytes);
  const runtime::Invocation invocation{&kernel, {input_addresses, output_addresses, scratch.address()}};
  const auto sequence = device.prepare({&invocation, 1}, {});
  sequence->submit();
  std::vector<TestTensor> outputs;
  for (std::size_t i = 0; i < spec.outputs.size(); ++i) {
    outputs.push_back({spec.outputs[i], std::vector<std::byte>(byte_length(spec.outputs[i]))});
    device.download(outputs.back().data, buffers[of_output[i]]);
  }
  return outputs;
}

}  // namespace webnn::tests
