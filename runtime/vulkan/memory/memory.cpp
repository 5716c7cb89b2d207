#include "runtime/vulkan/memory/memory.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <iterator>
#include <utility>

#include "schema/error.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::vulkan {

using namespace schema;

namespace {

constexpr std::uint64_t buffer_alignment = 256;
/// Blocks grow to this size; what is larger gets a block of its own.
constexpr std::uint64_t largest_block = std::uint64_t{256} << 20;

}  // namespace

/// Memory that others have too, imported or exported, which knows its owner.
struct Memory::Import : Allocation {
  template <typename... Arguments>
  explicit Import(Memory& owner, Arguments&&... arguments)
      : Allocation(*owner.queue_, std::forward<Arguments>(arguments)...), memory_of(&owner) {}
  Memory* memory_of;
};

/// A new block with at least `bytes` bytes.
Memory::Block& Memory::add_block(std::uint64_t bytes) {
  std::unique_ptr<Block> block;
  const std::uint64_t usual = std::min(next_block_, queue_->profile().max_allocation);
  if (bytes <= usual) try {
      block = std::make_unique<Block>(*queue_, usual);
      next_block_ = std::min(2 * next_block_, largest_block);
    } catch (const Error&) {  // there may be enough for less
    }
  if (!block) try {
      block = std::make_unique<Block>(*queue_, bytes);
    } catch (const Error&) {
      transfers_.flush();
      queue_->wait();
      const bool gave_staging = transfers_.free_staging() > 0;  // it may be of the same memory
      if (drop_unused_blocks(0) == 0 && !gave_staging) throw;
      block = std::make_unique<Block>(*queue_, bytes);
    }
  if (staging_) block->memory.mapped = nullptr;
  allocations_.emplace(block->memory.address, &block->memory);
  return *blocks_.emplace_back(std::move(block));
}

/// Frees blocks without buffers that the device is done with, but for one of at most `kept` bytes; returns how many.
std::size_t Memory::drop_unused_blocks(std::uint64_t kept) {
  return std::erase_if(blocks_, [&](const std::unique_ptr<Block>& block) {
    if (!block->ranges.is_unused() || !queue_->has_reached(block->last_use)) return false;
    if (block->memory.bytes <= kept) {
      kept = 0;
      return false;
    }
    allocations_.erase(block->memory.address);
    return true;
  });
}

Buffer Memory::allocate(std::size_t bytes) {
  const std::uint64_t size = round_up(bytes + buffer_padding, buffer_alignment);
  const std::lock_guard lock(mutex_);
  drop_unused_blocks(largest_block);
  const auto buffer_in = [&](const Block& block, std::uint64_t begin) {
    auto* const address = reinterpret_cast<std::byte*>(block.memory.address + begin);  // NOLINT: opaque elsewhere
    return Buffer(address, bytes, release, this);
  };
  for (const std::unique_ptr<Block>& block : blocks_)
    if (const auto begin = block->ranges.take(size)) return buffer_in(*block, *begin);
  Block& block = add_block(size);
  return buffer_in(block, *block.ranges.take(size));
}

void Memory::release(std::byte* address, void* memory) noexcept {
  Memory& owner = *static_cast<Memory*>(memory);
  const Part part = owner.find(address);
  const Moment last_use = owner.transfers_.last_moment();
  const std::lock_guard lock(owner.mutex_);
  const auto block = std::ranges::find(owner.blocks_, part.allocation, [](const auto& b) { return &b->memory; });
  assert(block != owner.blocks_.end());
  (*block)->ranges.give_back(part.offset);
  (*block)->last_use = last_use;
}

Buffer Memory::keep(std::unique_ptr<Import> import, std::size_t bytes) {
  if (staging_) import->mapped = nullptr;
  import->is_shared = true;
  {
    const std::lock_guard lock(mutex_);
    allocations_.emplace(import->address, import.get());
  }
  auto* const address = reinterpret_cast<std::byte*>(import->address);  // NOLINT: opaque elsewhere
  return {address, bytes, release_import, import.release()};
}

/// Waits, because others may use the memory for something else from now on.
void Memory::release_import(std::byte*, void* handle) noexcept {
  const std::unique_ptr<Import> import(static_cast<Import*>(handle));
  Memory& owner = *import->memory_of;
  {
    const std::lock_guard lock(owner.mutex_);
    owner.allocations_.erase(import->address);
  }
  owner.settle();
}

Part Memory::find(const std::byte* address) const {
  const auto number = std::uint64_t(reinterpret_cast<std::uintptr_t>(address));
  const std::lock_guard lock(mutex_);
  const auto next = allocations_.upper_bound(number);
  assert(next != allocations_.begin());
  const auto& [begin, allocation] = *std::prev(next);
  return {allocation, number - begin};
}

Buffer Memory::share(std::span<std::byte> memory) {
  const std::size_t page = queue_->profile().import_alignment;
  if (staging_ || page == 0 || memory.empty() || reinterpret_cast<std::uintptr_t>(memory.data()) % page != 0) return {};
  try {
    return keep(std::make_unique<Import>(*this, memory), memory.size());
  } catch (const Error&) {  // drivers refuse some kinds of memory
    return {};
  }
}

ExportableBuffer Memory::allocate_exportable(std::size_t bytes) {
  auto memory = std::make_unique<Import>(*this, bytes + buffer_padding, MemoryKind::kernels, true);
  schema::Descriptor file_descriptor = memory->export_memory();
  const DeviceAllocation allocation = memory->driver;
  return {keep(std::move(memory), bytes), std::move(file_descriptor), allocation};
}

Buffer Memory::import(const ExportedMemory& memory) {
  const bool is_told = memory.allocation.has_value();  // what only its driver understands
  for (const VkExternalMemoryHandleTypeFlagBits kind : queue_->profile().importable) try {
      if (is_told && kind != VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT) continue;
      return keep(std::make_unique<Import>(*this, kind, memory), memory.bytes);
    } catch (const Error& error) {  // it may be of another kind
      if (error.code() == ExitCode::usage || error.code() == ExitCode::io) throw;
    }
  return {};
}

void Memory::settle() noexcept {
  try {
    transfers_.flush();
  } catch (const Error&) {  // a lost device does nothing any more
  }
  queue_->settle();
}

/// Until the host may access these bytes. Memory that others have too may have other addresses here as well.
void Memory::wait_for_uses(const Part& mapped, std::uint64_t bytes) {
  if (mapped.allocation->is_shared) return queue_->wait();
  queue_->wait(queue_->kernels(), transfers_.last_use(mapped, bytes));
}

/// Others do not wait for the queue before they read.
void Memory::finish(const Allocation& written) {
  if (!written.is_shared) return;
  transfers_.flush();
  queue_->wait();
}

void Memory::upload(const Part& to, std::span<const std::byte> from) {
  if (from.empty()) return;
  std::byte* const mapped = to.mapped();
  if (!mapped) {
    transfers_.upload(to, from);
    return finish(*to.allocation);
  }
  wait_for_uses(to, from.size());
  std::memcpy(mapped, from.data(), from.size());
}

void Memory::download(std::span<std::byte> to, const Part& from) {
  if (to.empty()) return;
  const std::byte* const mapped = from.mapped();
  if (!mapped) return transfers_.download(to, from);
  wait_for_uses(from, to.size());
  std::memcpy(to.data(), mapped, to.size());
}

void Memory::expect_download(const Buffer& from, std::size_t bytes) {
  const Part part = bytes == 0 ? Part() : find(from.address());
  if (part.allocation && !part.mapped()) transfers_.expect_download(part, bytes);
}

void Memory::forget_download(const Buffer& from, std::size_t bytes) {
  if (bytes != 0) transfers_.forget_download(find(from.address()), bytes);
}

void Memory::clear(const Buffer& buffer) {
  if (buffer.size() == 0) return;
  const Part part = find(buffer.address());
  if (std::byte* const mapped = part.mapped()) {
    wait_for_uses(part, buffer.size());
    std::memset(mapped, 0, buffer.size());
  } else {
    transfers_.clear(part, buffer.size());
    finish(*part.allocation);
  }
}

}  // namespace webnn::runtime::vulkan
