// Programs made by hand and a CPU device that tests can watch and break, for the tests of the runtime.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/cpu/cpu_device.hpp"
#include "schema/program.hpp"

namespace webnn::tests {

using namespace webnn::schema;

std::vector<std::byte> bytes_of(std::vector<float> values);
std::vector<float> floats_of(std::span<const std::byte> bytes);

/// Builds a program of reference kernels on float32 vectors of `size` elements. Arena values never share memory.
class ProgramMaker {
 public:
  explicit ProgramMaker(std::uint32_t size) : descriptor_{DataType::float32, Shape{size}} {}

  std::uint32_t input(std::string name);
  void unused_input(std::string name);
  std::uint32_t constant(std::vector<float> values, std::size_t misalignment = 0);
  /// Names a step's result as an output; it becomes the caller's memory.
  void output(std::string name, std::uint32_t value);
  std::uint32_t unary(std::string_view op, std::uint32_t x);
  std::uint32_t binary(std::string_view op, std::uint32_t a, std::uint32_t b);

  Program program;

 private:
  std::uint32_t add_value(std::string name, Slot slot);
  std::uint32_t step(std::string_view kernel, std::string_view op, std::vector<std::uint32_t> inputs);
  std::uint64_t bytes() const { return byte_length(descriptor_); }

  OperandDescriptor descriptor_;
};

/// y = relu(x + bias) * x, with the sum's memory in the arena.
Program small_program(std::uint32_t size = 4);
/// The same with kernels of the GPU.
Program small_gpu_program(std::uint32_t size = 4);

/// A CPU whose runs can be made to fail or to wait.
class ScriptedDevice : public runtime::CpuDevice {
 public:
  ScriptedDevice() : CpuDevice(Feature::none) {}
  std::unique_ptr<runtime::Sequence> prepare(std::span<const runtime::Invocation> invocations,
                                             const runtime::Bands& bands) override {
    return std::make_unique<Scripted>(*this, CpuDevice::prepare(invocations, bands));
  }
  runtime::Buffer allocate(std::size_t bytes) override {
    ++allocations;
    return CpuDevice::allocate(bytes);
  }

  std::function<void()> before_submit;
  std::atomic<int> allocations = 0;

 private:
  class Scripted final : public runtime::Sequence {
   public:
    Scripted(ScriptedDevice& device, std::unique_ptr<Sequence> sequence)
        : device_(&device), sequence_(std::move(sequence)) {}
    void submit() override {
      if (device_->before_submit) device_->before_submit();
      sequence_->submit();
    }
    void run_timed(std::span<runtime::StepTime> times) override {
      if (device_->before_submit) device_->before_submit();
      sequence_->run_timed(times);
    }

   private:
    ScriptedDevice* device_;
    std::unique_ptr<Sequence> sequence_;
  };
};

}  // namespace webnn::tests
