// A Vulkan instance: the loader, the physical devices, and the messages of the validation layers.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "runtime/vulkan/api.hpp"

namespace webnn::runtime::vulkan {

class Instance {
 public:
  /// Opens the loader. With `validation` the validation layers check every call. Throws Error (device) without a
  /// loader, without a driver, or without the requested layers.
  explicit Instance(bool validation);
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;
  ~Instance();

  const Functions& functions() const { return functions_; }
  /// In the loader's order.
  const std::vector<VkPhysicalDevice>& devices() const { return devices_; }
  bool validates() const { return messenger_ != VK_NULL_HANDLE; }
  /// Throws Error (internal) with the first message of the validation layers, if there is one.
  void check_validation();

 private:
  static VKAPI_ATTR VkBool32 VKAPI_CALL listen(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                               VkDebugUtilsMessageTypeFlagsEXT types,
                                               const VkDebugUtilsMessengerCallbackDataEXT* data, void* instance);
  void create(bool validation);

  void* library_ = nullptr;
  Functions functions_;
  VkInstance instance_ = VK_NULL_HANDLE;
  VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
  std::vector<VkPhysicalDevice> devices_;
  std::mutex mutex_;
  std::vector<std::string> complaints_;
};

}  // namespace webnn::runtime::vulkan
