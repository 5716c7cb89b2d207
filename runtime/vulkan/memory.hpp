// Memory of a Vulkan device: buffers that kernels reach by address.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/device.hpp"
#include "runtime/vulkan/queue.hpp"

namespace webnn::runtime::vulkan {

/// One buffer with memory of its own. Its end waits for the device.
struct Allocation {
  Allocation(Queue& queue, std::size_t bytes, bool host_visible);
  Allocation(const Allocation&) = delete;
  Allocation& operator=(const Allocation&) = delete;
  ~Allocation();

  Queue* queue;
  std::size_t bytes;
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  VkDeviceAddress address = 0;
  std::byte* mapped = nullptr;  // as the host sees it; null: it does not

 private:
  void create(bool host_visible);
};

/// What the device does with memory; from any thread but for the functions that move bytes, which belong to the thread
/// that submits work.
class Memory {
 public:
  /// `staging`: as if the host saw no memory of the device.
  Memory(Queue& queue, bool staging) : queue_(&queue), staging_(staging) {}

  Buffer allocate(std::size_t bytes);
  void upload(const Buffer& to, std::span<const std::byte> from);
  void download(std::span<std::byte> to, const Buffer& from);
  void clear(const Buffer& buffer);

 private:
  void copy(VkBuffer to, VkBuffer from, std::size_t bytes);

  Queue* queue_;
  bool staging_;
};

}  // namespace webnn::runtime::vulkan
