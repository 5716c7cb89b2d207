// The features of Vulkan that shaders or the device use, one row each.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "runtime/vulkan/profile/profile.hpp"
#include "runtime/vulkan/profile/properties.hpp"
#include "schema/kernels/target.hpp"

namespace webnn::runtime::vulkan {

struct Features;

struct FeatureRow {
  std::string_view name;
  VkBool32& (*of)(Features&);
  bool required;                                    // the device cannot be used without it
  std::uint32_t capability;                         // SPIR-V capability that it allows; 0: none
  std::string_view meaning;                         // of an optional feature, for messages
  schema::Feature feature = schema::Feature::none;  // feature of programs that may use it
  const char* extension = nullptr;                  // that the feature belongs to; null: Vulkan 1.2
};

std::span<const FeatureRow> feature_rows();

/// Feature structs for querying and enabling Vulkan features. They point to each other, so they must not move.
struct Features {
  Features();
  Features(const Features&) = delete;
  Features& operator=(const Features&) = delete;
  /// The features of a profile.
  explicit Features(const Profile& profile);
  /// Appends the structs of these extensions; others must not be asked for them.
  void know(std::span<const char* const> extensions);

  VkPhysicalDeviceFeatures2 all{};
  VkPhysicalDeviceVulkan11Features version11{};
  VkPhysicalDeviceVulkan12Features version12{};
  VkPhysicalDeviceCooperativeMatrixFeaturesKHR cooperative_matrix{};
  Fragment fragment;  // the largest that kernels can use; known after `ask`
  VkPhysicalDeviceSubgroupSizeControlFeatures subgroup_size{};
  VkPhysicalDeviceShaderIntegerDotProductFeatures integer_dot_product{};
};

/// Queries the features of a device with Vulkan 1.2. Cooperative matrices count as available when everything that their
/// kernels need is. The memory model is enabled together with them, and so is its device scope, which other code uses
/// once the model is enabled.
void ask(Features& features, const Functions& vk, VkPhysicalDevice device, const Properties& properties);

/// Whether the device has the features for a shader, judging by the capabilities that its SPIR-V declares.
bool can_run(const Profile& profile, std::span<const std::uint32_t> shader);

/// The features for programs: everything about the device that the choice of kernels depends on.
schema::Feature program_features(const Profile& profile);

}  // namespace webnn::runtime::vulkan
