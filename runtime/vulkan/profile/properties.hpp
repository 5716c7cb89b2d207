// The properties of a physical device as Vulkan gives them.
#pragma once

#include <string_view>

#include "runtime/vulkan/api.hpp"

namespace webnn::runtime::vulkan {

/// Those of the versions are zero on devices that have only older ones.
struct Properties {
  VkPhysicalDeviceProperties2 all{};
  VkPhysicalDeviceVulkan11Properties version11{};
  VkPhysicalDeviceVulkan12Properties version12{};

  Properties(const Functions& vk, VkPhysicalDevice device);
  Properties(const Properties&) = delete;
  Properties& operator=(const Properties&) = delete;
};

bool has_extension(const Functions& vk, VkPhysicalDevice device, std::string_view name);

/// Properties of an extension; all zero without it.
template <typename Properties>
Properties extension_properties(const Functions& vk, VkPhysicalDevice device, std::string_view extension,
                                VkStructureType type) {
  Properties properties{};
  if (!has_extension(vk, device, extension)) return properties;
  properties.sType = type;
  VkPhysicalDeviceProperties2 all{};
  all.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  all.pNext = &properties;
  vk.GetPhysicalDeviceProperties2(device, &all);
  return properties;
}

}  // namespace webnn::runtime::vulkan
