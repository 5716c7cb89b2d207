// What a physical device is and can do.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/vulkan/api.hpp"
#include "runtime/vulkan/gpu.hpp"

namespace webnn::runtime::vulkan {

/// What choices of kernels and memory depend on.
struct Profile {
  std::uint32_t subgroup_size = 1;
  std::uint32_t shared_bytes = 0;  // of a workgroup
  std::uint32_t max_groups_x = 0;  // workgroups along the first axis
  std::uint32_t queue_family = 0;
  float timestamp_nanoseconds = 0;  // of a tick; 0: there are no timestamps
  // What memory of the host has to be aligned to that kernels reach in place; 0: they do not, or had better not.
  std::size_t import_alignment = 0;
  bool is_cpu = false;  // a driver that computes on the CPU
};

/// Whether the host sees the memory in which kernels run best, without crossing a bus: one memory for both.
bool is_unified(const VkPhysicalDeviceMemoryProperties& memory);

Profile profile_of(const Functions& vk, VkPhysicalDevice device);
GpuInfo info_of(const Functions& vk, VkPhysicalDevice device, unsigned number);

/// The features to enable, which are those that `info_of` asks for; they stay in place.
struct WantedFeatures {
  WantedFeatures();
  WantedFeatures(const WantedFeatures&) = delete;
  WantedFeatures& operator=(const WantedFeatures&) = delete;

  VkPhysicalDeviceFeatures2 all{};
  VkPhysicalDeviceVulkan11Features version11{};
  VkPhysicalDeviceVulkan12Features version12{};
};

}  // namespace webnn::runtime::vulkan
