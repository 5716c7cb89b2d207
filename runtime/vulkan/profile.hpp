// What a physical device is and can do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/vulkan/api.hpp"
#include "runtime/vulkan/gpu.hpp"
#include "schema/kernels/target.hpp"

namespace webnn::runtime::vulkan {

/// A feature of Vulkan that shaders or the device use.
struct FeatureRow;

/// What choices of kernels and memory depend on.
struct Profile {
  std::uint32_t subgroup_size = 1;
  std::uint32_t shared_bytes = 0;  // of a workgroup
  std::uint32_t max_groups_x = 0;  // workgroups along the first axis
  std::uint32_t queue_family = 0;
  float timestamp_nanoseconds = 0;  // of a tick; 0: there are no timestamps
  // What memory of the host has to be aligned to that kernels reach in place; 0: they do not, or had better not.
  std::size_t import_alignment = 0;
  // Kinds of file descriptors whose memory kernels may have, the most telling first.
  std::vector<VkExternalMemoryHandleTypeFlagBits> importable;
  bool is_cpu = false;  // a driver that computes on the CPU
  // How many turns all loops of an invocation may have together; what is beyond that the driver leaves out without a
  // word. 0: as many as there are.
  std::uint32_t most_turns = 0;
  std::vector<const FeatureRow*> features;  // that are there, and enabled
  std::vector<const char*> extensions;      // the same
};

/// Whether the device has the features that a shader asks for, by the capabilities that its SPIR-V declares.
bool can_run(const Profile& profile, std::span<const std::uint32_t> shader);

/// What programs may use of the device: all that the choice of kernels for it depends on.
schema::Feature program_features(const Profile& profile);

/// Whether the host sees the memory in which kernels run best, without crossing a bus: one memory for both.
bool is_unified(const VkPhysicalDeviceMemoryProperties& memory);

/// `without`: names of optional features, as if the device lacked them.
Profile profile_of(const Functions& vk, VkPhysicalDevice device, std::span<const std::string_view> without);
GpuInfo info_of(const Functions& vk, VkPhysicalDevice device, unsigned number);

/// Features as Vulkan is asked for them and asks for them; they stay in place.
struct Features {
  Features();
  Features(const Features&) = delete;
  Features& operator=(const Features&) = delete;
  /// Those of a profile.
  explicit Features(const Profile& profile);
  /// Adds those that only devices with this extension know.
  void know_cooperative_matrices() { version12.pNext = &cooperative_matrix; }

  VkPhysicalDeviceFeatures2 all{};
  VkPhysicalDeviceVulkan11Features version11{};
  VkPhysicalDeviceVulkan12Features version12{};
  VkPhysicalDeviceCooperativeMatrixFeaturesKHR cooperative_matrix{};
};

}  // namespace webnn::runtime::vulkan
