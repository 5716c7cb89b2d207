// Memory of a Vulkan device: buffers that kernels reach by address.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "runtime/device.hpp"
#include "runtime/vulkan/queue.hpp"

namespace webnn::runtime::vulkan {

/// One buffer with memory of its own. Its end waits for the device.
struct Allocation {
  Allocation(Queue& queue, std::size_t bytes, bool host_visible);
  /// On memory of the host from Profile::import_alignment on to the end of its last page.
  Allocation(Queue& queue, std::span<std::byte> host);
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
  template <typename Create>
  void complete(Create create);
  void make_buffer(std::size_t size, const void* next);
  void bind(VkMemoryAllocateInfo info, const std::string& what);
  void create(bool host_visible);
  void import(std::span<std::byte> host);
};

/// What the device does with memory; from any thread but for the functions that move bytes, which belong to the thread
/// that submits work.
class Memory {
 public:
  /// `staging`: as if the host saw no memory of the device.
  Memory(Queue& queue, bool staging) : queue_(&queue), staging_(staging) {}

  Buffer allocate(std::size_t bytes);
  /// As Device::share.
  Buffer share(std::span<std::byte> memory);
  void upload(const Buffer& to, std::span<const std::byte> from);
  void download(std::span<std::byte> to, const Buffer& from);
  void clear(const Buffer& buffer);

 private:
  void copy(VkBuffer to, VkBuffer from, std::size_t bytes);

  Queue* queue_;
  bool staging_;
};

}  // namespace webnn::runtime::vulkan
