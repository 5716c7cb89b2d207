// A GPU for tests: any Vulkan device, a software one too, watched by the validation layers.
#pragma once

#include <memory>

#include "runtime/device.hpp"
#include "tests/harness/run_operator.hpp"

namespace webnn::runtime {
struct GpuOptions;
}

namespace webnn::tests {

/// Null where there is none, and the test case is skipped. Throws where it cannot be opened with validation. `staging`
/// as in GpuOptions.
std::unique_ptr<runtime::Device> open_test_gpu(bool staging = false);
/// One opened in another way; validation is always on.
std::unique_ptr<runtime::Device> open_test_gpu(runtime::GpuOptions options);
/// One that lacks 8-bit memory, whatever it has, with the CPU for what it therefore cannot run.
std::unique_ptr<runtime::Device> open_test_gpu_with_fallback(bool staging = false);

/// Runs a kernel, or that of a row, on a device of any kind: memory for all operands and results, one sequence. Operand
/// `in_place` (none: -1) shares its memory with output 0.
std::vector<TestTensor> run_on_device(runtime::Device& device, const runtime::Kernel& kernel, const KernelSpec& spec,
                                      const OptionalTensors& inputs, int in_place = -1);
std::vector<TestTensor> run_on_device(runtime::Device& device, KernelId kernel, const KernelSpec& spec,
                                      const OptionalTensors& inputs, int in_place = -1);

}  // namespace webnn::tests
