#include "runtime/vulkan/profile.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace webnn::runtime::vulkan {
namespace {

/// What every program needs.
struct Requirement {
  std::string_view name;
  VkBool32& (*of)(WantedFeatures&);
};
constexpr Requirement requirements[] = {
    {"shaderInt64", [](WantedFeatures& f) -> VkBool32& { return f.all.features.shaderInt64; }},
    {"storageBuffer16BitAccess", [](WantedFeatures& f) -> VkBool32& { return f.version11.storageBuffer16BitAccess; }},
    {"storageBuffer8BitAccess", [](WantedFeatures& f) -> VkBool32& { return f.version12.storageBuffer8BitAccess; }},
    {"bufferDeviceAddress", [](WantedFeatures& f) -> VkBool32& { return f.version12.bufferDeviceAddress; }},
    {"timelineSemaphore", [](WantedFeatures& f) -> VkBool32& { return f.version12.timelineSemaphore; }},
    {"scalarBlockLayout", [](WantedFeatures& f) -> VkBool32& { return f.version12.scalarBlockLayout; }},
};

std::string kind_of(VkPhysicalDeviceType type) {
  switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
      return "discrete";
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
      return "integrated";
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
      return "virtual";
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
      return "cpu";
    default:
      return "other";
  }
}

struct Properties {
  VkPhysicalDeviceProperties2 all{};
  VkPhysicalDeviceVulkan11Properties version11{};
  VkPhysicalDeviceVulkan12Properties version12{};

  Properties(const Functions& vk, VkPhysicalDevice device) {
    all.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
    version11.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES;
    version12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES;
    vk.GetPhysicalDeviceProperties2(device, &all);  // without more: an older device does not know the others
    if (all.properties.apiVersion < VK_API_VERSION_1_2) return;
    all.pNext = &version11;
    version11.pNext = &version12;
    vk.GetPhysicalDeviceProperties2(device, &all);
  }
  Properties(const Properties&) = delete;
  Properties& operator=(const Properties&) = delete;
};

std::optional<std::uint32_t> compute_family(const Functions& vk, VkPhysicalDevice device, std::uint32_t& bits) {
  std::uint32_t count = 0;
  vk.GetPhysicalDeviceQueueFamilyProperties(device, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  vk.GetPhysicalDeviceQueueFamilyProperties(device, &count, families.data());
  for (std::uint32_t i = 0; i < count; ++i)
    if (families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) {
      bits = families[i].timestampValidBits;
      return i;
    }
  return std::nullopt;
}

/// VkPhysicalDeviceExternalMemoryHostPropertiesEXT::minImportedHostPointerAlignment; 0 without the extension.
std::size_t import_alignment(const Functions& vk, VkPhysicalDevice device) {
  std::uint32_t count = 0;
  if (vk.EnumerateDeviceExtensionProperties(device, nullptr, &count, nullptr) != VK_SUCCESS) return 0;
  std::vector<VkExtensionProperties> extensions(count);
  if (vk.EnumerateDeviceExtensionProperties(device, nullptr, &count, extensions.data()) < 0) return 0;
  if (std::ranges::none_of(extensions, [](const VkExtensionProperties& extension) {
        return std::string_view(extension.extensionName) == VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME;
      }))
    return 0;
  VkPhysicalDeviceExternalMemoryHostPropertiesEXT host{};
  host.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_MEMORY_HOST_PROPERTIES_EXT;
  VkPhysicalDeviceProperties2 all{};
  all.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  all.pNext = &host;
  vk.GetPhysicalDeviceProperties2(device, &all);
  return std::size_t(host.minImportedHostPointerAlignment);
}

}  // namespace

bool is_unified(const VkPhysicalDeviceMemoryProperties& memory) {
  constexpr VkMemoryPropertyFlags both = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                         VK_MEMORY_PROPERTY_HOST_COHERENT_BIT | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
  return std::any_of(memory.memoryTypes, memory.memoryTypes + memory.memoryTypeCount,
                     [](const VkMemoryType& type) { return (type.propertyFlags & both) == both; });
}

WantedFeatures::WantedFeatures() {
  all.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  all.pNext = &version11;
  version11.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES;
  version11.pNext = &version12;
  version12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
  for (const Requirement& requirement : requirements) requirement.of(*this) = VK_TRUE;
}

Profile profile_of(const Functions& vk, VkPhysicalDevice device) {
  const Properties properties(vk, device);
  const VkPhysicalDeviceLimits& limits = properties.all.properties.limits;
  std::uint32_t timestamp_bits = 0;
  Profile profile;
  profile.queue_family = compute_family(vk, device, timestamp_bits).value_or(0);
  profile.subgroup_size = std::max(properties.version11.subgroupSize, 1u);
  profile.shared_bytes = limits.maxComputeSharedMemorySize;
  profile.max_groups_x = limits.maxComputeWorkGroupCount[0];
  profile.timestamp_nanoseconds = timestamp_bits == 0 ? 0 : limits.timestampPeriod;
  VkPhysicalDeviceMemoryProperties memory{};
  vk.GetPhysicalDeviceMemoryProperties(device, &memory);
  if (is_unified(memory)) profile.import_alignment = import_alignment(vk, device);
  profile.is_cpu = properties.all.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
  return profile;
}

GpuInfo info_of(const Functions& vk, VkPhysicalDevice device, unsigned number) {
  const Properties properties(vk, device);
  const VkPhysicalDeviceProperties& basic = properties.all.properties;
  GpuInfo info;
  info.number = number;
  info.name = basic.deviceName;
  info.kind = kind_of(basic.deviceType);
  info.version = std::to_string(VK_API_VERSION_MAJOR(basic.apiVersion)) + "." +
                 std::to_string(VK_API_VERSION_MINOR(basic.apiVersion)) + "." +
                 std::to_string(VK_API_VERSION_PATCH(basic.apiVersion));
  VkPhysicalDeviceMemoryProperties memory{};
  vk.GetPhysicalDeviceMemoryProperties(device, &memory);
  for (std::uint32_t i = 0; i < memory.memoryHeapCount; ++i)
    if (memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT)
      info.memory_bytes = std::max<std::uint64_t>(info.memory_bytes, memory.memoryHeaps[i].size);

  std::uint32_t timestamp_bits = 0;
  if (!compute_family(vk, device, timestamp_bits)) info.missing.emplace_back("a queue for compute");
  if (timestamp_bits != 0) info.features.emplace_back("timestamps");
  if (basic.apiVersion < VK_API_VERSION_1_2) {
    info.missing.emplace_back("Vulkan 1.2");
    return info;
  }
  info.driver = std::string(properties.version12.driverName) + " " + properties.version12.driverInfo;
  WantedFeatures offered;
  for (const Requirement& requirement : requirements) requirement.of(offered) = VK_FALSE;
  vk.GetPhysicalDeviceFeatures2(device, &offered.all);
  for (const Requirement& requirement : requirements)
    if (!requirement.of(offered)) info.missing.emplace_back(requirement.name);
  if (offered.version12.shaderFloat16) info.features.emplace_back("float16 arithmetic");
  if (is_unified(memory) && import_alignment(vk, device) != 0) info.features.emplace_back("import of host memory");
  return info;
}

}  // namespace webnn::runtime::vulkan
