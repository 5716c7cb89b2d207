#include "runtime/vulkan/memory.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <memory>
#include <optional>

#include "schema/error.hpp"

namespace webnn::runtime::vulkan {

using namespace schema;

namespace {

constexpr VkMemoryPropertyFlags local = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
constexpr VkMemoryPropertyFlags visible = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
constexpr VkMemoryPropertyFlags cached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;

/// The first type of memory that has what is wanted, the wishes in their order.
std::optional<std::uint32_t> memory_type(const VkPhysicalDeviceMemoryProperties& memory, std::uint32_t allowed,
                                         std::initializer_list<VkMemoryPropertyFlags> wishes) {
  for (const VkMemoryPropertyFlags wish : wishes)
    for (std::uint32_t i = 0; i < memory.memoryTypeCount; ++i)
      if (((allowed >> i) & 1u) && (memory.memoryTypes[i].propertyFlags & wish) == wish) return i;
  return std::nullopt;
}

void release(std::byte*, void* handle) noexcept { delete static_cast<Allocation*>(handle); }

Allocation& allocation_of(const Buffer& buffer) { return *static_cast<Allocation*>(buffer.handle()); }

}  // namespace

Allocation::Allocation(Queue& device, std::size_t size, bool host_visible) : queue(&device), bytes(size) {
  complete([&] { create(host_visible); });
}

Allocation::Allocation(Queue& device, std::span<std::byte> host) : queue(&device), bytes(host.size()) {
  complete([&] { import(host); });
}

/// Nothing is left when `create` throws.
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

void Allocation::make_buffer(std::size_t size, const void* next) {
  VkBufferCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  info.pNext = next;
  info.size = size;
  info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT |
               VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  check(queue->vk().CreateBuffer(queue->device(), &info, nullptr, &buffer), "create a buffer");
}

/// Gives the buffer its memory.
void Allocation::bind(VkMemoryAllocateInfo info, const std::string& what) {
  VkMemoryAllocateFlagsInfo flags{};
  flags.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO;
  flags.pNext = info.pNext;
  flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
  info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  info.pNext = &flags;
  check(queue->vk().AllocateMemory(queue->device(), &info, nullptr, &memory), what);
  check(queue->vk().BindBufferMemory(queue->device(), buffer, memory, 0), "use its memory");
}

void Allocation::create(bool host_visible) {
  const Functions& vk = queue->vk();
  make_buffer(std::max<std::size_t>(bytes, 4), nullptr);
  VkMemoryRequirements needs{};
  vk.GetBufferMemoryRequirements(queue->device(), buffer, &needs);
  VkPhysicalDeviceMemoryProperties types{};
  vk.GetPhysicalDeviceMemoryProperties(queue->physical(), &types);
  const bool unified = is_unified(types);
  const auto type = host_visible
                        ? memory_type(types, needs.memoryTypeBits, {visible | cached, visible})
                        : memory_type(types, needs.memoryTypeBits,
                                      {unified ? local | visible | cached : local, visible, VkMemoryPropertyFlags{0}});
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
  if (types.memoryTypes[*type].propertyFlags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT) {
    void* place = nullptr;
    check(vk.MapMemory(queue->device(), memory, 0, VK_WHOLE_SIZE, 0, &place), "map its memory");
    mapped = static_cast<std::byte*>(place);
  }
}

void Allocation::import(std::span<std::byte> host) {
  constexpr auto of_host = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;
  const Functions& vk = queue->vk();
  const std::size_t page = queue->profile().import_alignment;
  const std::size_t whole = (host.size() + page - 1) / page * page;
  VkExternalMemoryBufferCreateInfo external{};
  external.sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO;
  external.handleTypes = of_host;
  make_buffer(whole, &external);
  VkMemoryRequirements needs{};
  vk.GetBufferMemoryRequirements(queue->device(), buffer, &needs);
  VkMemoryHostPointerPropertiesEXT offered{};
  offered.sType = VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT;
  check(vk.GetMemoryHostPointerPropertiesEXT(queue->device(), of_host, host.data(), &offered),
        "see memory of the host");
  VkPhysicalDeviceMemoryProperties types{};
  vk.GetPhysicalDeviceMemoryProperties(queue->physical(), &types);
  const auto type = memory_type(types, needs.memoryTypeBits & offered.memoryTypeBits, {visible | cached, visible});
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

Allocation::~Allocation() {
  queue->settle();
  queue->vk().DestroyBuffer(queue->device(), buffer, nullptr);
  queue->vk().FreeMemory(queue->device(), memory, nullptr);
}

Buffer Memory::allocate(std::size_t bytes) {
  auto allocation = std::make_unique<Allocation>(*queue_, bytes + buffer_padding, false);
  if (staging_) allocation->mapped = nullptr;
  auto* const address = reinterpret_cast<std::byte*>(allocation->address);  // NOLINT: opaque to everybody else
  return {address, bytes, release, allocation.release()};
}

Buffer Memory::share(std::span<std::byte> memory) {
  const std::size_t page = queue_->profile().import_alignment;
  if (staging_ || page == 0 || memory.empty() || reinterpret_cast<std::uintptr_t>(memory.data()) % page != 0) return {};
  try {
    auto allocation = std::make_unique<Allocation>(*queue_, memory);
    auto* const address = reinterpret_cast<std::byte*>(allocation->address);  // NOLINT: opaque to everybody else
    return {address, memory.size(), release, allocation.release()};
  } catch (const Error&) {  // drivers refuse memory of some kinds
    return {};
  }
}

void Memory::copy(VkBuffer to, VkBuffer from, std::size_t bytes) {
  const VkCommandBuffer commands = queue_->begin_commands(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  full_barrier(queue_->vk(), commands);
  const VkBufferCopy region{0, 0, bytes};
  queue_->vk().CmdCopyBuffer(commands, from, to, 1, &region);
  VkMemoryBarrier to_host{};
  to_host.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  to_host.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  to_host.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
  queue_->vk().CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &to_host,
                                  0, nullptr, 0, nullptr);
  queue_->end_commands(commands);
  queue_->wait(queue_->submit(commands));
  queue_->free_commands(commands);
}

void Memory::upload(const Buffer& to, std::span<const std::byte> from) {
  assert(from.size() <= to.size());
  if (from.empty()) return;
  const Allocation& allocation = allocation_of(to);
  if (allocation.mapped) {
    queue_->wait();  // what was submitted may still read it
    std::memcpy(allocation.mapped, from.data(), from.size());
    return;
  }
  const Allocation stage(*queue_, from.size(), true);
  std::memcpy(stage.mapped, from.data(), from.size());
  copy(allocation.buffer, stage.buffer, from.size());
}

void Memory::download(std::span<std::byte> to, const Buffer& from) {
  assert(to.size() <= from.size());
  if (to.empty()) return;
  const Allocation& allocation = allocation_of(from);
  if (allocation.mapped) {
    queue_->wait();
    std::memcpy(to.data(), allocation.mapped, to.size());
    return;
  }
  const Allocation stage(*queue_, to.size(), true);
  copy(stage.buffer, allocation.buffer, to.size());
  std::memcpy(to.data(), stage.mapped, to.size());
}

void Memory::clear(const Buffer& buffer) {
  if (buffer.size() == 0) return;
  const Allocation& allocation = allocation_of(buffer);
  if (allocation.mapped) {
    queue_->wait();
    std::memset(allocation.mapped, 0, buffer.size());
    return;
  }
  const VkCommandBuffer commands = queue_->begin_commands(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  full_barrier(queue_->vk(), commands);
  queue_->vk().CmdFillBuffer(commands, allocation.buffer, 0, VK_WHOLE_SIZE, 0);
  queue_->end_commands(commands);
  queue_->wait(queue_->submit(commands));
  queue_->free_commands(commands);
}

}  // namespace webnn::runtime::vulkan
