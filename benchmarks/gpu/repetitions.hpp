// A kernel's call that is repeated in one command buffer. The timestamps around it and its submission take their time once,
// so that what is measured is the kernel and a barrier.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "benchmarks/gpu/trial.hpp"
#include "runtime/vulkan/vulkan_device.hpp"

namespace webnn::benchmarks {

/// The single step of a program whose operands are its inputs. All repetitions write the same result, so each waits for
/// the one before; several sets of inputs take turns, so that caches do not hold them.
class Repetitions {
 public:
  Repetitions(runtime::vulkan::VulkanDevice& device, const schema::Program& program, std::span<const Data> data,
              std::size_t sets);
  Repetitions(const Repetitions&) = delete;
  Repetitions& operator=(const Repetitions&) = delete;

  std::size_t count() const { return invocations_.size(); }
  /// From now on `run` repeats the call so often.
  void repeat(std::size_t count);
  /// Seconds on the device of one of them.
  double run();
  std::vector<std::byte> result();

 private:
  runtime::vulkan::VulkanDevice& device_;
  runtime::Kernel kernel_;
  std::vector<runtime::Buffer> inputs_;  // of all sets
  runtime::Buffer output_, scratch_;
  std::size_t result_bytes_ = 0;
  std::vector<std::vector<const std::byte*>> input_addresses_;  // by set
  std::byte* output_address_ = nullptr;
  std::vector<runtime::Invocation> invocations_;
  std::unique_ptr<runtime::Sequence> sequence_;
};

}  // namespace webnn::benchmarks
