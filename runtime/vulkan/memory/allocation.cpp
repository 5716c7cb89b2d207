#include "runtime/vulkan/memory/allocation.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <iterator>
#include <optional>
#include <string>
#include <unistd.h>

#include "schema/error.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::vulkan {

using namespace schema;

namespace {

constexpr VkMemoryPropertyFlags local = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
constexpr VkMemoryPropertyFlags visible = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
constexpr VkMemoryPropertyFlags cached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;

/// The first memory type with the wanted properties; `wishes` are tried in order.
std::optional<std::uint32_t> memory_type(const VkPhysicalDeviceMemoryProperties& memory, std::uint32_t allowed,
                                         std::span<const VkMemoryPropertyFlags> wishes) {
  for (const VkMemoryPropertyFlags wish : wishes)
    for (std::uint32_t i = 0; i < memory.memoryTypeCount; ++i)
      if (((allowed >> i) & 1u) && (memory.memoryTypes[i].propertyFlags & wish) == wish) return i;
  return std::nullopt;
}

/// The properties that memory of this kind should have, the best first; `wishes` of memory_type.
std::array<VkMemoryPropertyFlags, 3> properties_of(MemoryKind kind, const VkPhysicalDeviceMemoryProperties& memory) {
  switch (kind) {
    case MemoryKind::kernels:
      return {is_unified(memory) ? local | visible | cached : local, visible, 0};
    case MemoryKind::staging:
      return {visible | cached, visible, visible};
    case MemoryKind::tables:
      return {local | visible, visible | cached, visible};
  }
  return {};
}

/// What is exported: memory that only its driver understands.
constexpr VkExternalMemoryHandleTypeFlagBits exported_kind = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;

}  // namespace

Allocation::Allocation(Queue& device, std::size_t size, MemoryKind kind, bool exports) : queue(&device), bytes(size) {
  complete([&] { create(kind, exports); });
}

Allocation::Allocation(Queue& device, std::span<std::byte> host) : queue(&device), bytes(host.size()) {
  complete([&] { import(host); });
}

Allocation::Allocation(Queue& device, VkExternalMemoryHandleTypeFlagBits kind, const ExportedMemory& exported)
    : queue(&device), bytes(exported.bytes) {
  complete([&] { import(kind, exported); });
}

/// Releases everything when `create` throws.
template <typename Create>
void Allocation::complete(Create create) {
  const Functions& vk = queue->vk();
  try {
    create();
  } catch (...) {
    vk.DestroyBuffer(queue->device(), buffer, nullptr);
    vk.FreeMemory(queue->device(), memory, nullptr);
    throw;
  }
  VkBufferDeviceAddressInfo question{};
  question.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO;
  question.buffer = buffer;
  address = vk.GetBufferDeviceAddress(queue->device(), &question);
}

/// Creates the buffer without memory and returns its requirements. `of_others`: the kind of external memory, if it is
/// not our own.
VkMemoryRequirements Allocation::make_buffer(std::size_t size, VkExternalMemoryHandleTypeFlags of_others) {
  VkExternalMemoryBufferCreateInfo external{};
  external.sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO;
  external.handleTypes = of_others;
  VkBufferCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  if (of_others != 0) info.pNext = &external;
  const std::uint32_t families[] = {queue->kernels().family(), queue->copies().family()};
  if (queue->has_copy_lane()) {
    info.sharingMode = VK_SHARING_MODE_CONCURRENT;
    info.queueFamilyIndexCount = std::uint32_t(std::size(families));
    info.pQueueFamilyIndices = families;
  }
  info.size = size;
  info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT |
               VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  check(queue->vk().CreateBuffer(queue->device(), &info, nullptr, &buffer), "create a buffer");
  VkMemoryRequirements needs{};
  queue->vk().GetBufferMemoryRequirements(queue->device(), buffer, &needs);
  return needs;
}

/// Allocates the memory of the buffer.
void Allocation::bind(VkMemoryAllocateInfo info, const std::string& what, std::uint64_t offset) {
  VkMemoryAllocateFlagsInfo flags{};
  flags.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO;
  flags.pNext = info.pNext;
  flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
  info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  info.pNext = &flags;
  driver = {info.allocationSize, info.memoryTypeIndex};
  check(queue->vk().AllocateMemory(queue->device(), &info, nullptr, &memory), what);
  check(queue->vk().BindBufferMemory(queue->device(), buffer, memory, offset), "use its memory");
}

void Allocation::create(MemoryKind kind, bool exports) {
  const Functions& vk = queue->vk();
  const VkMemoryRequirements needs =
      make_buffer(std::max<std::size_t>(bytes, 4), exports ? VkExternalMemoryHandleTypeFlags{exported_kind} : 0);
  VkPhysicalDeviceMemoryProperties types{};
  vk.GetPhysicalDeviceMemoryProperties(queue->physical(), &types);
  const auto type = memory_type(types, needs.memoryTypeBits, properties_of(kind, types));
  if (!type) throw Error(ExitCode::device, "the GPU has no memory for buffers");
  const std::uint64_t heap = types.memoryHeaps[types.memoryTypes[*type].heapIndex].size;
  const std::uint64_t at_once = queue->profile().max_allocation;
  if (needs.size > at_once && at_once < heap)
    throw Error(
        ExitCode::resource,
        "cannot allocate " + std::to_string(bytes) + " bytes, the GPU gives " + std::to_string(at_once) + " at once",
        "use smaller dimensions or another device");
  if (needs.size > heap)  // some drivers promise more than there is
    throw Error(ExitCode::resource,
                "cannot allocate " + std::to_string(bytes) + " bytes, the GPU has " + std::to_string(heap),
                "use smaller dimensions or a device with more memory");
  VkExportMemoryAllocateInfo exported{};
  exported.sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO;
  exported.handleTypes = exported_kind;
  VkMemoryAllocateInfo info{};
  if (exports) info.pNext = &exported;
  info.allocationSize = needs.size;
  info.memoryTypeIndex = *type;
  is_near = (types.memoryTypes[*type].propertyFlags & local) != 0;
  std::string what = "allocate " + std::to_string(bytes) + " bytes";
  if (queue->profile().tells_budget)
    what += ", of which others leave " + std::to_string(free_bytes_of(vk, queue->physical()));
  bind(info, what);
  map(types, *type, 0);
}

/// Maps memory of this type, if the host can do so directly.
void Allocation::map(const VkPhysicalDeviceMemoryProperties& types, std::uint32_t type, std::uint64_t offset) {
  if ((types.memoryTypes[type].propertyFlags & visible) != visible) return;
  void* place = nullptr;
  check(queue->vk().MapMemory(queue->device(), memory, offset, VK_WHOLE_SIZE, 0, &place), "map its memory");
  mapped = static_cast<std::byte*>(place);
}

void Allocation::import(std::span<std::byte> host) {
  constexpr auto of_host = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;
  const Functions& vk = queue->vk();
  const std::size_t page = queue->profile().import_alignment;
  const std::size_t whole = round_up(host.size(), page);
  const VkMemoryRequirements needs = make_buffer(whole, of_host);
  VkMemoryHostPointerPropertiesEXT offered{};
  offered.sType = VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT;
  check(vk.GetMemoryHostPointerPropertiesEXT(queue->device(), of_host, host.data(), &offered),
        "see memory of the host");
  VkPhysicalDeviceMemoryProperties types{};
  vk.GetPhysicalDeviceMemoryProperties(queue->physical(), &types);
  const auto type =
      memory_type(types, needs.memoryTypeBits & offered.memoryTypeBits, properties_of(MemoryKind::staging, types));
  if (!type || needs.size > whole) throw Error(ExitCode::device, "the GPU does not see this memory of the host");
  VkImportMemoryHostPointerInfoEXT imported{};
  imported.sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT;
  imported.handleType = of_host;
  imported.pHostPointer = host.data();
  VkMemoryAllocateInfo info{};
  info.pNext = &imported;
  info.allocationSize = whole;
  info.memoryTypeIndex = *type;
  bind(info, "see memory of the host");
  mapped = host.data();
}

schema::Descriptor Allocation::export_memory() const {
  VkMemoryGetFdInfoKHR question{};
  question.sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR;
  question.memory = memory;
  question.handleType = exported_kind;
  int number = -1;
  check(queue->vk().GetMemoryFdKHR(queue->device(), &question, &number), "export its memory");
  return schema::Descriptor(number);
}

void Allocation::import(VkExternalMemoryHandleTypeFlagBits kind, const ExportedMemory& exported) {
  const auto [file_descriptor, offset, size, allocation] = exported;
  const Functions& vk = queue->vk();
  // Only dma-bufs tell their size; memory exported by a driver must not be queried, but its exporter may tell.
  const bool is_opaque = kind == exported_kind;
  const off_t end = is_opaque ? 0 : lseek(file_descriptor, 0, SEEK_END);
  const std::uint64_t known = allocation ? allocation->bytes : end > 0 ? std::uint64_t(end) : 0;
  const bool is_known = allocation || end > 0;
  if (is_known && (offset > known || bytes > known - offset))
    throw Error(ExitCode::usage, "the tensor needs " + std::to_string(bytes) + " bytes from offset " +
                                     std::to_string(offset) + " on, the memory has " + std::to_string(known));
  const VkMemoryRequirements needs = make_buffer(bytes, kind);
  VkPhysicalDeviceMemoryProperties types{};
  vk.GetPhysicalDeviceMemoryProperties(queue->physical(), &types);
  if (allocation && allocation->memory_type >= types.memoryTypeCount)
    throw Error(ExitCode::usage, "the GPU has " + std::to_string(types.memoryTypeCount) + " types of memory, not " +
                                     std::to_string(allocation->memory_type) + " and more");
  std::uint32_t allowed = needs.memoryTypeBits;
  if (allocation) allowed &= 1u << allocation->memory_type;
  if (!is_opaque) {
    VkMemoryFdPropertiesKHR offered{};
    offered.sType = VK_STRUCTURE_TYPE_MEMORY_FD_PROPERTIES_KHR;
    check(vk.GetMemoryFdPropertiesKHR(queue->device(), kind, file_descriptor, &offered), "see this memory");
    allowed &= offered.memoryTypeBits;
  }
  const auto type = memory_type(types, allowed, properties_of(MemoryKind::kernels, types));
  const std::uint64_t whole = is_known ? known : offset + needs.size;
  if (!type || offset % needs.alignment != 0 || needs.size > whole - offset)
    throw Error(ExitCode::device, "the GPU does not see this memory");
  VkImportMemoryFdInfoKHR imported{};
  imported.sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR;
  imported.handleType = kind;
  imported.fd = fcntl(file_descriptor, F_DUPFD_CLOEXEC, 0);
  if (imported.fd < 0)
    throw Error(ExitCode::io, std::string("cannot duplicate the file descriptor: ") + std::strerror(errno));
  VkMemoryAllocateInfo info{};
  info.pNext = &imported;
  info.allocationSize = whole;
  info.memoryTypeIndex = *type;
  try {
    bind(info, "see this memory", offset);
  } catch (...) {
    if (!memory) close(imported.fd);  // otherwise the memory owns it
    throw;
  }
  map(types, *type, offset);
}

Allocation::~Allocation() {
  queue->vk().DestroyBuffer(queue->device(), buffer, nullptr);
  queue->vk().FreeMemory(queue->device(), memory, nullptr);
}

}  // namespace webnn::runtime::vulkan
