// Nothing but arithmetic on a GPU: what it does at most, and what raises its clocks.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>

#include "runtime/vulkan/vulkan_device.hpp"

namespace webnn::benchmarks {

/// A dispatch that computes in registers, ready to run.
class Arithmetic {
 public:
  /// Multiplications and additions of float32 by so many lanes.
  static std::unique_ptr<Arithmetic> of_lanes(runtime::vulkan::VulkanDevice& device, std::uint32_t lanes,
                                              std::uint32_t turns);
  /// Sums of four products of bytes by so many lanes; null: the device has no instruction for them.
  static std::unique_ptr<Arithmetic> of_dots(runtime::vulkan::VulkanDevice& device, std::uint32_t lanes,
                                             std::uint32_t turns);
  /// Products of float16 by the matrix units of so many workgroups; null: the device has no such units.
  static std::unique_ptr<Arithmetic> of_units(runtime::vulkan::VulkanDevice& device, std::uint32_t groups,
                                              std::uint32_t turns);
  /// Use the functions above.
  Arithmetic(runtime::vulkan::VulkanDevice& device, runtime::vulkan::Dispatch dispatch, const schema::KernelSpec& spec,
             double flops);
  Arithmetic(const Arithmetic&) = delete;
  Arithmetic& operator=(const Arithmetic&) = delete;

  double flops() const { return flops_; }
  /// Returns the seconds that it took.
  double run();

 private:
  double flops_;
  runtime::Kernel kernel_;
  runtime::Buffer buffer_;
  const std::byte* input_;
  std::byte* output_;
  runtime::Invocation invocation_;
  std::unique_ptr<runtime::Sequence> sequence_;
};

/// Keeps a GPU's clocks high. One that has nothing to do for a moment, while the CPU computes what is expected, lowers
/// them, by a factor of four, and takes a second to raise them again.
class Warmth {
 public:
  explicit Warmth(runtime::vulkan::VulkanDevice& device);
  /// Works until that takes no longer than the shortest time ever, or for 1.5 s.
  void restore();

 private:
  std::unique_ptr<Arithmetic> work_;
  double least_ = std::numeric_limits<double>::infinity();
};

}  // namespace webnn::benchmarks
