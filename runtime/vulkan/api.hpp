// Vulkan without linking to it: the loader is opened at run time, so that the rest of the program works where there is
// none.
#pragma once

#define VK_NO_PROTOTYPES
#include <string_view>
#include <vulkan/vulkan.h>

#include "runtime/vulkan/profile/cooperative_matrix.hpp"

namespace webnn::runtime::vulkan {

/// The functions of Vulkan, named without "vk". Instance and device functions are null until they are loaded.
struct Functions {
#define GLOBAL(name) PFN_vk##name name = nullptr;
#define INSTANCE(name) PFN_vk##name name = nullptr;
#define OPTIONAL(name) PFN_vk##name name = nullptr;
#define DEVICE(name) PFN_vk##name name = nullptr;
#include "runtime/vulkan/functions.def"
#undef GLOBAL
#undef INSTANCE
#undef OPTIONAL
#undef DEVICE
  PFN_vkGetInstanceProcAddr GetInstanceProcAddr = nullptr;

  void load_global(PFN_vkGetInstanceProcAddr loader);
  void load_instance(VkInstance instance);
  void load_device(VkDevice device);
};

/// Throws Error when the result says that `what` failed: resource when memory ran out, otherwise device.
void check(VkResult result, std::string_view what);

}  // namespace webnn::runtime::vulkan
