#include "runtime/vulkan/api.hpp"

#include <string>

#include "schema/error.hpp"

namespace webnn::runtime::vulkan {

using namespace schema;

void Functions::load_global(PFN_vkGetInstanceProcAddr loader) {
  GetInstanceProcAddr = loader;
#define GLOBAL(name) name = reinterpret_cast<PFN_vk##name>(loader(nullptr, "vk" #name));
#define INSTANCE(name)
#define OPTIONAL(name)
#define DEVICE(name)
#include "runtime/vulkan/functions.def"
#undef GLOBAL
#undef INSTANCE
#undef OPTIONAL
}

void Functions::load_instance(VkInstance instance) {
#define GLOBAL(name)
#define INSTANCE(name) name = reinterpret_cast<PFN_vk##name>(GetInstanceProcAddr(instance, "vk" #name));
#define OPTIONAL(name) INSTANCE(name)
#include "runtime/vulkan/functions.def"
#undef INSTANCE
#undef OPTIONAL
#undef DEVICE
}

void Functions::load_device(VkDevice device) {
#define INSTANCE(name)
#define OPTIONAL(name)
#define DEVICE(name) name = reinterpret_cast<PFN_vk##name>(GetDeviceProcAddr(device, "vk" #name));
#include "runtime/vulkan/functions.def"
#undef GLOBAL
#undef INSTANCE
#undef OPTIONAL
#undef DEVICE
}

void check(VkResult result, std::string_view what) {
  if (result >= 0) return;
  const std::string action(what);
  switch (result) {
    case VK_ERROR_OUT_OF_HOST_MEMORY:
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
    case VK_ERROR_TOO_MANY_OBJECTS:
      throw Error(ExitCode::resource, "the GPU has not enough memory to " + action,
                  "use smaller dimensions or a device with more memory");
    case VK_ERROR_DEVICE_LOST:
      throw Error(ExitCode::device, "the GPU was lost while trying to " + action,
                  "its driver's messages may say why; a new context may work");
    default:
      throw Error(ExitCode::device, "the GPU cannot " + action + " (Vulkan error " + std::to_string(int(result)) + ")");
  }
}

}  // namespace webnn::runtime::vulkan
