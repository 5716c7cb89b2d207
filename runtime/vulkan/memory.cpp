#include "runtime/vulkan/memory.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <fcntl.h>
#include <iterator>
#include <memory>
#include <optional>
#include <unistd.h>
#include <utility>

#include "schema/error.hpp"

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

/// The properties that kernel memory should have.
std::array<VkMemoryPropertyFlags, 3> kernel_memory(const VkPhysicalDeviceMemoryProperties& memory) {
  return {is_unified(memory) ? local | visible | cached : local, visible, 0};
}
/// The properties that memory shared with the host should have.
constexpr std::array<VkMemoryPropertyFlags, 2> host_memory{visible | cached, visible};

}  // namespace

Allocation::Allocation(Queue& device, std::size_t size, bool host_visible) : queue(&device), bytes(size) {
  complete([&] { create(host_visible); });
}

Allocation::Allocation(Queue& device, std::span<std::byte> host) : queue(&device), bytes(host.size()) {
  complete([&] { import(host); });
}

Allocation::Allocation(Queue& device, VkExternalMemoryHandleTypeFlagBits kind, int file_descriptor,
                       std::uint64_t offset, std::size_t size)
    : queue(&device), bytes(size) {
  complete([&] { import(kind, file_descriptor, offset); });
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
  check(queue->vk().AllocateMemory(queue->device(), &info, nullptr, &memory), what);
  check(queue->vk().BindBufferMemory(queue->device(), buffer, memory, offset), "use its memory");
}

void Allocation::create(bool host_visible) {
  const Functions& vk = queue->vk();
  const VkMemoryRequirements needs = make_buffer(std::max<std::size_t>(bytes, 4));
  VkPhysicalDeviceMemoryProperties types{};
  vk.GetPhysicalDeviceMemoryProperties(queue->physical(), &types);
  const auto type = host_visible ? memory_type(types, needs.memoryTypeBits, host_memory)
                                 : memory_type(types, needs.memoryTypeBits, kernel_memory(types));
  if (!type) throw Error(ExitCode::device, "the GPU has no memory for buffers");
  const std::uint64_t heap = types.memoryHeaps[types.memoryTypes[*type].heapIndex].size;
  if (needs.size > heap)  // some drivers promise more than there is
    throw Error(ExitCode::resource,
                "cannot allocate " + std::to_string(bytes) + " bytes, the GPU has " + std::to_string(heap),
                "use smaller dimensions or a device with more memory");
  VkMemoryAllocateInfo info{};
  info.allocationSize = needs.size;
  info.memoryTypeIndex = *type;
  bind(info, "allocate " + std::to_string(bytes) + " bytes");
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
  const std::size_t whole = (host.size() + page - 1) / page * page;
  const VkMemoryRequirements needs = make_buffer(whole, of_host);
  VkMemoryHostPointerPropertiesEXT offered{};
  offered.sType = VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT;
  check(vk.GetMemoryHostPointerPropertiesEXT(queue->device(), of_host, host.data(), &offered),
        "see memory of the host");
  VkPhysicalDeviceMemoryProperties types{};
  vk.GetPhysicalDeviceMemoryProperties(queue->physical(), &types);
  const auto type = memory_type(types, needs.memoryTypeBits & offered.memoryTypeBits, host_memory);
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

void Allocation::import(VkExternalMemoryHandleTypeFlagBits kind, int file_descriptor, std::uint64_t offset) {
  const Functions& vk = queue->vk();
  // Only dma-bufs tell their size; memory exported by a driver must not be queried.
  const bool is_opaque = kind == VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
  const off_t end = is_opaque ? 0 : lseek(file_descriptor, 0, SEEK_END);
  const std::uint64_t known = end > 0 ? std::uint64_t(end) : 0;
  if (known != 0 && (offset > known || bytes > known - offset))
    throw Error(ExitCode::usage, "the tensor needs " + std::to_string(bytes) + " bytes from offset " +
                                     std::to_string(offset) + " on, the memory has " + std::to_string(known));
  const VkMemoryRequirements needs = make_buffer(bytes, kind);
  VkPhysicalDeviceMemoryProperties types{};
  vk.GetPhysicalDeviceMemoryProperties(queue->physical(), &types);
  std::uint32_t allowed = needs.memoryTypeBits;
  if (!is_opaque) {
    VkMemoryFdPropertiesKHR offered{};
    offered.sType = VK_STRUCTURE_TYPE_MEMORY_FD_PROPERTIES_KHR;
    check(vk.GetMemoryFdPropertiesKHR(queue->device(), kind, file_descriptor, &offered), "see this memory");
    allowed &= offered.memoryTypeBits;
  }
  const auto type = memory_type(types, allowed, kernel_memory(types));
  const std::uint64_t whole = known != 0 ? known : offset + needs.size;
  if (!type || offset % needs.alignment != 0 || needs.size > whole - offset)
    throw Error(ExitCode::device, "the GPU does not see this memory");
  VkImportMemoryFdInfoKHR imported{};
  imported.sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR;
  imported.handleType = kind;
  imported.fd = fcntl(file_descriptor, F_DUPFD_CLOEXEC, 0);
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
  queue->settle();
  queue->vk().DestroyBuffer(queue->device(), buffer, nullptr);
  queue->vk().FreeMemory(queue->device(), memory, nullptr);
}

/// An allocation that knows its Memory.
struct Memory::Entry : Allocation {
  template <typename... Arguments>
  explicit Entry(Memory& owner, Arguments&&... arguments)
      : Allocation(*owner.queue_, std::forward<Arguments>(arguments)...), memory_of(&owner) {}
  Memory* memory_of;
};

Buffer Memory::keep(std::unique_ptr<Entry> entry, std::size_t bytes) {
  {
    const std::lock_guard lock(mutex_);
    allocations_.emplace(entry->address, entry.get());
  }
  auto* const address = reinterpret_cast<std::byte*>(entry->address);  // NOLINT: opaque to all other code
  return {address, bytes, release, entry.release()};
}

void Memory::release(std::byte*, void* handle) noexcept {
  const std::unique_ptr<Entry> entry(static_cast<Entry*>(handle));
  const std::lock_guard lock(entry->memory_of->mutex_);
  entry->memory_of->allocations_.erase(entry->address);
}

Memory::Part Memory::find(const std::byte* address) const {
  const auto number = std::uint64_t(reinterpret_cast<std::uintptr_t>(address));
  const std::lock_guard lock(mutex_);
  const auto next = allocations_.upper_bound(number);
  assert(next != allocations_.begin());
  const auto& [begin, allocation] = *std::prev(next);
  return {allocation, number - begin};
}

Buffer Memory::allocate(std::size_t bytes) {
  auto entry = std::make_unique<Entry>(*this, bytes + buffer_padding, false);
  if (staging_) entry->mapped = nullptr;
  return keep(std::move(entry), bytes);
}

Buffer Memory::share(std::span<std::byte> memory) {
  const std::size_t page = queue_->profile().import_alignment;
  if (staging_ || page == 0 || memory.empty() || reinterpret_cast<std::uintptr_t>(memory.data()) % page != 0) return {};
  try {
    return keep(std::make_unique<Entry>(*this, memory), memory.size());
  } catch (const Error&) {  // drivers refuse some kinds of memory
    return {};
  }
}

Buffer Memory::import(int file_descriptor, std::uint64_t offset, std::size_t bytes) {
  for (const VkExternalMemoryHandleTypeFlagBits kind : queue_->profile().importable) try {
      auto entry = std::make_unique<Entry>(*this, kind, file_descriptor, offset, bytes);
      if (staging_) entry->mapped = nullptr;
      return keep(std::move(entry), bytes);
    } catch (const Error& error) {  // it may be of another kind
      if (error.code() == ExitCode::usage) throw;
    }
  return {};
}

/// Records commands, submits them, and waits.
template <typename Record>
void Memory::run(Record record) {
  const Commands commands = queue_->begin_commands(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  full_barrier(queue_->vk(), commands.get());
  record(commands.get());
  queue_->end_commands(commands);
  queue_->wait(queue_->submit(commands));
}

void Memory::copy(const Part& to, const Part& from, std::size_t bytes) {
  run([&](VkCommandBuffer commands) {
    const VkBufferCopy region{from.offset, to.offset, bytes};
    queue_->vk().CmdCopyBuffer(commands, from.allocation->buffer, to.allocation->buffer, 1, &region);
    VkMemoryBarrier to_host{};
    to_host.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
    to_host.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
    to_host.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
    queue_->vk().CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
                                    &to_host, 0, nullptr, 0, nullptr);
  });
}

void Memory::upload(const Part& to, std::span<const std::byte> from) {
  if (from.empty()) return;
  if (std::byte* const mapped = to.mapped()) {
    queue_->wait();  // submitted work may still read it
    std::memcpy(mapped, from.data(), from.size());
    return;
  }
  const Allocation stage(*queue_, from.size(), true);
  std::memcpy(stage.mapped, from.data(), from.size());
  copy(to, {&stage, 0}, from.size());
}

void Memory::download(std::span<std::byte> to, const Part& from) {
  if (to.empty()) return;
  if (const std::byte* const mapped = from.mapped()) {
    queue_->wait();
    std::memcpy(to.data(), mapped, to.size());
    return;
  }
  const Allocation stage(*queue_, to.size(), true);
  copy({&stage, 0}, from, to.size());
  std::memcpy(to.data(), stage.mapped, to.size());
}

void Memory::upload(const Buffer& to, std::span<const std::byte> from) {
  assert(from.size() <= to.size());
  upload(Part{static_cast<const Entry*>(to.handle()), 0}, from);
}

void Memory::download(std::span<std::byte> to, const Buffer& from) {
  assert(to.size() <= from.size());
  download(to, Part{static_cast<const Entry*>(from.handle()), 0});
}

void Memory::clear(const Buffer& buffer) {
  if (buffer.size() == 0) return;
  const Allocation& allocation = *static_cast<const Entry*>(buffer.handle());
  if (allocation.mapped) {
    queue_->wait();
    std::memset(allocation.mapped, 0, buffer.size());
    return;
  }
  run([&](VkCommandBuffer commands) { queue_->vk().CmdFillBuffer(commands, allocation.buffer, 0, VK_WHOLE_SIZE, 0); });
}

}  // namespace webnn::runtime::vulkan
