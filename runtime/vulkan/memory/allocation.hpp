// An allocation of Vulkan memory, with a buffer over all of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "runtime/device.hpp"
#include "runtime/vulkan/queue.hpp"

namespace webnn::runtime::vulkan {

/// What memory is for.
enum class MemoryKind {
  kernels,  // where kernels run best; mapped only if host and device share it
  staging,  // for copies between host and device; always mapped
  tables,   // written by the host, read by kernels; always mapped, and near to the kernels if there is such memory
};

/// A buffer with its own memory. The device must be done with it when it is destroyed.
struct Allocation {
  /// `exports`: others can import it.
  Allocation(Queue& queue, std::size_t bytes, MemoryKind kind, bool exports = false);
  /// Imports host memory that is aligned to Profile::import_alignment, up to the end of its last page.
  Allocation(Queue& queue, std::span<std::byte> host);
  /// Imports memory behind a file descriptor.
  Allocation(Queue& queue, VkExternalMemoryHandleTypeFlagBits kind, const ExportedMemory& exported);
  Allocation(const Allocation&) = delete;
  Allocation& operator=(const Allocation&) = delete;
  ~Allocation();

  /// A descriptor of one that `exports`.
  schema::Descriptor export_memory() const;

  Queue* queue;
  std::size_t bytes;
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  VkDeviceAddress address = 0;
  DeviceAllocation driver;      // what the driver was asked for
  std::byte* mapped = nullptr;  // the memory as mapped by the host; null: not mapped
  bool is_near = false;         // to the kernels
  bool is_shared = false;       // others see it too, imported or exported

 private:
  template <typename Create>
  void complete(Create create);
  VkMemoryRequirements make_buffer(std::size_t size, VkExternalMemoryHandleTypeFlags of_others = 0);
  void bind(VkMemoryAllocateInfo info, const std::string& what, std::uint64_t offset = 0);
  void map(const VkPhysicalDeviceMemoryProperties& types, std::uint32_t type, std::uint64_t offset);
  void create(MemoryKind kind, bool exports);
  void import(std::span<std::byte> host);
  void import(VkExternalMemoryHandleTypeFlagBits kind, const ExportedMemory& exported);
};

/// A part of an allocation.
struct Part {
  const Allocation* allocation = nullptr;
  std::uint64_t offset = 0;
  /// As mapped by the host; null: not mapped.
  std::byte* mapped() const { return allocation->mapped ? allocation->mapped + offset : nullptr; }
};

}  // namespace webnn::runtime::vulkan
