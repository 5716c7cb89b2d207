#include "tests/harness/gpu.hpp"

#include <doctest/doctest.h>

#include "runtime/cpu/cpu_device.hpp"
#include "runtime/vulkan/gpu.hpp"
#ifdef WEBNN_VULKAN
#include "runtime/vulkan/vulkan_device.hpp"
#endif
#include "schema/error.hpp"

namespace webnn::tests {

#if defined(WEBNN_VULKAN) && defined(__SANITIZE_ADDRESS__)
namespace {
/// Drivers keep memory until the process ends, which is no leak as long as they are not unloaded.
void keep_drivers_loaded() { [[maybe_unused]] static const auto* const kept = new runtime::vulkan::Instance(false); }
}  // namespace
#endif

namespace {

/// `options` are made anew for each attempt.
template <typename MakeOptions>
std::unique_ptr<runtime::Device> open([[maybe_unused]] MakeOptions make_options) {
#ifdef WEBNN_VULKAN
  try {
#ifdef __SANITIZE_ADDRESS__
    keep_drivers_loaded();
#endif
    try {
      return runtime::open_gpu(make_options(true));
    } catch (const Error&) {  // perhaps only the layers are missing
      return runtime::open_gpu(make_options(false));
    }
  } catch (const Error& error) {
    MESSAGE("skipped: " << std::string(error.what()));
    return nullptr;
  }
#else
  MESSAGE("skipped: this build has no GPU device");
  return nullptr;
#endif
}

}  // namespace

std::unique_ptr<runtime::Device> open_test_gpu(bool staging) {
  return open([&](bool validation) { return runtime::GpuOptions{.validation = validation, .staging = staging}; });
}

std::unique_ptr<runtime::Device> open_test_gpu_with_fallback(bool staging) {
  return open([&](bool validation) {
    runtime::GpuOptions options{.validation = validation, .staging = staging};
    options.fallback = std::make_unique<runtime::CpuDevice>();
    options.without = {"storageBuffer8BitAccess"};
    return options;
  });
}

bool has_validation([[maybe_unused]] const runtime::Device& device) {
#ifdef WEBNN_VULKAN
  return dynamic_cast<const runtime::vulkan::VulkanDevice&>(device).queue().instance().validates();
#else
  return false;
#endif
}

std::vector<Tensor> run_on_device(runtime::Device& device, KernelId id, const KernelSpec& spec,
                                  const OptionalTensors& inputs, int in_place) {
  const std::vector<std::span<const std::byte>> constants(inputs.size());
  return run_on_device(device, device.make_kernel(id, spec, constants), spec, inputs, in_place);
}

std::vector<Tensor> run_on_device(runtime::Device& device, const runtime::Kernel& kernel, const KernelSpec& spec,
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
  const auto sequence = device.prepare({&invocation, 1});
  sequence->submit();
  std::vector<Tensor> outputs;
  for (std::size_t i = 0; i < spec.outputs.size(); ++i) {
    outputs.push_back({spec.outputs[i], std::vector<std::byte>(byte_length(spec.outputs[i]))});
    device.download(outputs.back().data, buffers[of_output[i]]);
  }
  return outputs;
}

}  // namespace webnn::tests
