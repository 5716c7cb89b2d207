#include "runtime/vulkan/instance.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <iterator>

#include "schema/error.hpp"

namespace webnn::runtime::vulkan {

using namespace schema;

namespace {

constexpr const char* validation_layer = "VK_LAYER_KHRONOS_validation";

bool has_validation_layer(const Functions& vk) {
  std::uint32_t count = 0;
  vk.EnumerateInstanceLayerProperties(&count, nullptr);
  std::vector<VkLayerProperties> layers(count);
  vk.EnumerateInstanceLayerProperties(&count, layers.data());
  return std::ranges::any_of(
      layers, [](const VkLayerProperties& layer) { return std::strcmp(layer.layerName, validation_layer) == 0; });
}

/// Whether the process has the leak sanitizer; this file may be of a build without.
bool leaks_are_reported() { return dlsym(RTLD_DEFAULT, "__lsan_do_leak_check") != nullptr; }

}  // namespace

Instance::Instance(bool validation) {
  library_ = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library_)
    throw Error(ExitCode::device, "there is no Vulkan loader (libvulkan.so.1) on this machine",
                "install the GPU's driver and libvulkan1, or use the device `cpu`");
  try {
    create(validation);
  } catch (...) {
    if (instance_) functions_.DestroyInstance(instance_, nullptr);
    dlclose(library_);
    throw;
  }
}

Instance::~Instance() {
  if (messenger_) functions_.DestroyDebugUtilsMessengerEXT(instance_, messenger_, nullptr);
  // Drivers keep memory until the process ends, which the leak sanitizer reports once they are unloaded. The first
  // instance is never destroyed, so the drivers stay loaded.
  static std::atomic<VkInstance> kept{nullptr};
  if (VkInstance none = nullptr; leaks_are_reported() && kept.compare_exchange_strong(none, instance_)) return;
  functions_.DestroyInstance(instance_, nullptr);
  dlclose(library_);
}

void Instance::create(bool validation) {
  functions_.load_global(reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library_, "vkGetInstanceProcAddr")));
  std::uint32_t version = VK_API_VERSION_1_0;
  if (functions_.EnumerateInstanceVersion) functions_.EnumerateInstanceVersion(&version);
  if (version < VK_API_VERSION_1_2)
    throw Error(ExitCode::device, "the Vulkan loader of this machine is older than version 1.2", "update libvulkan1");
  if (validation && !has_validation_layer(functions_))
    throw Error(ExitCode::device, "the Vulkan validation layers are not installed", "install vulkan-validationlayers");

  VkDebugUtilsMessengerCreateInfoEXT listener{};
  listener.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT;
  listener.messageSeverity =
      VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  listener.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
  listener.pfnUserCallback = listen;
  listener.pUserData = this;
  // Which copies and other commands wait for each other. What shaders access by address the layers do not see. The layer
  // loses memory when it checks this, which the leak sanitizer would count as ours.
  constexpr VkValidationFeatureEnableEXT synchronization = VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
  VkValidationFeaturesEXT checks{};
  checks.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT;
  checks.pNext = &listener;
  checks.enabledValidationFeatureCount = leaks_are_reported() ? 0 : 1;
  checks.pEnabledValidationFeatures = &synchronization;

  VkApplicationInfo application{};
  application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
  application.pApplicationName = "webnn";
  application.apiVersion = VK_API_VERSION_1_2;
  VkInstanceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  info.pApplicationInfo = &application;
  const char* const extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME, VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME};
  if (validation) {
    info.pNext = &checks;
    info.enabledLayerCount = 1;
    info.ppEnabledLayerNames = &validation_layer;
    info.enabledExtensionCount = std::uint32_t(std::size(extensions));
    info.ppEnabledExtensionNames = extensions;
  }
  if (const VkResult result = functions_.CreateInstance(&info, nullptr, &instance_); result != VK_SUCCESS) {
    instance_ = VK_NULL_HANDLE;
    throw Error(ExitCode::device, "no Vulkan driver is installed on this machine",
                "install the GPU's driver, or use the device `cpu`");
  }
  functions_.load_instance(instance_);
  if (validation && functions_.CreateDebugUtilsMessengerEXT)
    check(functions_.CreateDebugUtilsMessengerEXT(instance_, &listener, nullptr, &messenger_), "watch validation");

  std::uint32_t count = 0;
  check(functions_.EnumeratePhysicalDevices(instance_, &count, nullptr), "list devices");
  devices_.resize(count);
  check(functions_.EnumeratePhysicalDevices(instance_, &count, devices_.data()), "list devices");
  devices_.resize(count);
}

VKAPI_ATTR VkBool32 VKAPI_CALL Instance::listen(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                                const VkDebugUtilsMessengerCallbackDataEXT* data, void* instance) {
  auto& self = *static_cast<Instance*>(instance);
  const std::lock_guard lock(self.mutex_);
  self.complaints_.emplace_back(data->pMessage ? data->pMessage : "");
  return VK_FALSE;
}

void Instance::check_validation() {
  const std::lock_guard lock(mutex_);
  if (!complaints_.empty()) throw Error(ExitCode::internal, "the Vulkan validation layers say: " + complaints_.front());
}

}  // namespace webnn::runtime::vulkan
