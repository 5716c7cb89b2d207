// What a GPU can do: all that the choice of kernels and memory depends on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/vulkan/api.hpp"
#include "runtime/vulkan/fragments.hpp"
#include "runtime/vulkan/gpu.hpp"
#include "schema/kernels/target.hpp"

namespace webnn::runtime::vulkan {

/// A Vulkan feature that shaders or the device use.
struct FeatureRow;

/// Everything that the choice of kernels and memory depends on.
struct Profile {
  std::uint32_t subgroup_size = 1;
  bool fixes_subgroups = false;  // pipelines can ask for subgroups of this size, all full
  Fragment fragment;             // that kernels for matrix units use; empty without such units
  // Execution modes of shaders that the device can promise, for float32.
  bool keeps_special_numbers = false;               // -0, infinities, NaN
  std::vector<std::uint32_t> widths_of_subnormals;  // bits of the types for which shaders ask to keep them
  std::uint32_t compute_units = 0;                  // multiprocessors; 0: unknown
  std::string_view architecture;                    // of choices.def; empty: it is not known
  std::uint32_t shared_bytes = 0;                   // maximum per workgroup
  std::uint32_t max_group_lanes = 0;                // invocations of a workgroup
  std::uint32_t max_groups_x = 0;                   // maximum workgroups along the first axis
  std::uint32_t queue_family = 0;
  std::optional<std::uint32_t> copy_family;  // of queues that only copy, beside those that compute
  std::uint64_t max_allocation = 0;          // bytes of memory at once, and of a buffer
  bool tells_budget = false;                 // how much memory is left to this process
  std::uint32_t timestamp_bits = 0;          // how many are valid
  float timestamp_nanoseconds = 0;           // per tick; 0: there are no timestamps
  // The alignment that host memory needs so that kernels can use it in place; 0: they cannot, or it would not pay.
  std::size_t import_alignment = 0;
  // The importable kinds of file descriptors; the kinds that reveal most about themselves come first.
  std::vector<VkExternalMemoryHandleTypeFlagBits> importable;
  bool exports_memory = false;   // as file descriptors for other users of the driver
  bool is_cpu = false;           // a driver that computes on the CPU
  bool divides_exactly = false;  // quotients and square roots are rounded once
  // The maximum iterations of all loops of an invocation together; the driver silently drops any beyond that. 0: no
  // limit.
  std::uint32_t most_turns = 0;
  // What a slow device of this kind ends in about 100 ms: more work is not submitted at once, because systems end
  // devices that seem to hang. 0: no limit.
  std::uint64_t flops_at_once = 0, bytes_at_once = 0;
  std::vector<const FeatureRow*> features;  // available and enabled
  std::vector<const char*> extensions;      // available and enabled
};

/// The bytes that this process may still allocate in the device's own memory, for devices that tell (tells_budget).
std::uint64_t free_bytes_of(const Functions& vk, VkPhysicalDevice device);

/// The ticks from one timestamp to a later one. Only the lowest `bits` bits of a timestamp are valid, and they overflow.
constexpr std::uint64_t ticks_between(std::uint64_t from, std::uint64_t to, std::uint32_t bits) {
  return (to - from) & (bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1);
}

/// Whether the host can map the memory in which kernels run best, without crossing a bus.
bool is_unified(const VkPhysicalDeviceMemoryProperties& memory);

/// `without`: optional features, by name, to be treated as missing.
Profile profile_of(const Functions& vk, VkPhysicalDevice device, std::span<const std::string_view> without);
GpuInfo info_of(const Functions& vk, VkPhysicalDevice device, unsigned number);

}  // namespace webnn::runtime::vulkan
