#include "runtime/vulkan/profile/properties.hpp"

#include <algorithm>
#include <vector>

namespace webnn::runtime::vulkan {

Properties::Properties(const Functions& vk, VkPhysicalDevice device) {
  all.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  version11.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES;
  version12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES;
  vk.GetPhysicalDeviceProperties2(device, &all);  // first without the others, which older devices do not know
  if (all.properties.apiVersion < VK_API_VERSION_1_2) return;
  all.pNext = &version11;
  version11.pNext = &version12;
  vk.GetPhysicalDeviceProperties2(device, &all);
}

bool has_extension(const Functions& vk, VkPhysicalDevice device, std::string_view name) {
  std::uint32_t count = 0;
  if (vk.EnumerateDeviceExtensionProperties(device, nullptr, &count, nullptr) != VK_SUCCESS) return false;
  std::vector<VkExtensionProperties> extensions(count);
  if (vk.EnumerateDeviceExtensionProperties(device, nullptr, &count, extensions.data()) < 0) return false;
  return std::ranges::any_of(extensions, [&](const VkExtensionProperties& extension) {
    return std::string_view(extension.extensionName) == name;
  });
}

}  // namespace webnn::runtime::vulkan
