// Memory of a Vulkan device: buffers that kernels access by address.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>

#include "runtime/device.hpp"
#include "runtime/vulkan/queue.hpp"

namespace webnn::runtime::vulkan {

/// A buffer with its own memory. The destructor waits for the device.
struct Allocation {
  Allocation(Queue& queue, std::size_t bytes, bool host_visible);
  /// Imports host memory that is aligned to Profile::import_alignment, up to the end of its last page.
  Allocation(Queue& queue, std::span<std::byte> host);
  /// Imports memory behind a file descriptor, at `offset`.
  Allocation(Queue& queue, VkExternalMemoryHandleTypeFlagBits kind, int file_descriptor, std::uint64_t offset,
             std::size_t bytes);
  Allocation(const Allocation&) = delete;
  Allocation& operator=(const Allocation&) = delete;
  ~Allocation();

  Queue* queue;
  std::size_t bytes;
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  VkDeviceAddress address = 0;
  std::byte* mapped = nullptr;  // the memory as mapped by the host; null: not mapped

 private:
  template <typename Create>
  void complete(Create create);
  VkMemoryRequirements make_buffer(std::size_t size, VkExternalMemoryHandleTypeFlags of_others = 0);
  void bind(VkMemoryAllocateInfo info, const std::string& what, std::uint64_t offset = 0);
  void map(const VkPhysicalDeviceMemoryProperties& types, std::uint32_t type, std::uint64_t offset);
  void create(bool host_visible);
  void import(std::span<std::byte> host);
  void import(VkExternalMemoryHandleTypeFlagBits kind, int file_descriptor, std::uint64_t offset);
};

/// The memory functions of the device. Thread-safe, except that the functions that move bytes belong to the thread that
/// submits work.
class Memory {
 public:
  /// `staging`: never maps device memory, even if the host could.
  Memory(Queue& queue, bool staging) : queue_(&queue), staging_(staging) {}
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  Buffer allocate(std::size_t bytes);
  /// As Device::share.
  Buffer share(std::span<std::byte> memory);
  /// As Device::share(ExportedMemory).
  Buffer import(int file_descriptor, std::uint64_t offset, std::size_t bytes);
  void upload(const Buffer& to, std::span<const std::byte> from);
  void download(std::span<std::byte> to, const Buffer& from);
  void clear(const Buffer& buffer);

  /// A part of an allocation, found by the address of its first byte, which must belong to one.
  struct Part {
    const Allocation* allocation = nullptr;
    std::uint64_t offset = 0;
    /// As mapped by the host; null: not mapped.
    std::byte* mapped() const { return allocation->mapped ? allocation->mapped + offset : nullptr; }
  };
  Part find(const std::byte* address) const;
  void upload(const Part& to, std::span<const std::byte> from);
  void download(std::span<std::byte> to, const Part& from);

 private:
  struct Entry;
  Buffer keep(std::unique_ptr<Entry> entry, std::size_t bytes);
  static void release(std::byte* address, void* handle) noexcept;
  void copy(const Part& to, const Part& from, std::size_t bytes);
  template <typename Record>
  void run(Record record);

  Queue* queue_;
  bool staging_;
  mutable std::mutex mutex_;
  std::map<std::uint64_t, const Allocation*> allocations_;  // by address
};

}  // namespace webnn::runtime::vulkan
