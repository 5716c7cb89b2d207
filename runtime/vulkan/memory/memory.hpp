// Memory of a Vulkan device: buffers that kernels access by address. They are ranges of blocks: drivers give few
// allocations (often 4096 in all), and each takes them long.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "runtime/device.hpp"
#include "runtime/vulkan/memory/free_ranges.hpp"
#include "runtime/vulkan/memory/transfers.hpp"

namespace webnn::runtime::vulkan {

/// The memory functions of the device. Thread-safe, except that the functions that move bytes belong to the thread that
/// submits work.
class Memory {
 public:
  /// `staging`: never maps device memory, even if the host could, and kernels read no memory of the host.
  Memory(Queue& queue, bool staging) : queue_(&queue), staging_(staging), transfers_(queue) {}
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  bool staging() const { return staging_; }

  /// As Device::allocate. What is given back is used again at once: work is submitted in order, and the host writes into
  /// memory only when the device is done with it.
  Buffer allocate(std::size_t bytes);
  /// As Device::share.
  Buffer share(std::span<std::byte> memory);
  /// As Device::share(ExportedMemory).
  Buffer import(const ExportedMemory& memory);
  /// As Device::allocate_exportable, on a device that exports memory.
  ExportableBuffer allocate_exportable(std::size_t bytes);
  void upload(const Buffer& to, std::span<const std::byte> from) { upload(find(to.address()), from); }
  void download(std::span<std::byte> to, const Buffer& from) { download(to, find(from.address())); }
  /// As Device::expect_download.
  void expect_download(const Buffer& from, std::size_t bytes);
  /// As Device::forget_download.
  void forget_download(const Buffer& from, std::size_t bytes);
  /// The size of the memory that copies pass through.
  std::uint64_t staging_bytes() const { return transfers_.staging_bytes(); }
  /// How often such memory was allocated.
  std::uint64_t staging_allocations() const { return transfers_.staging_allocations(); }
  /// Frees what of it is known to be no longer in use, but for what is kept for the next copies.
  void trim_staging() { transfers_.trim_staging(); }
  /// Frees that too; returns how many bytes.
  std::uint64_t free_staging() { return transfers_.free_staging(); }
  void clear(const Buffer& buffer);
  /// Tells that the kernels submitted with this number access these bytes.
  void note_use(const std::shared_ptr<const ByteRanges>& bytes, std::uint64_t number) {
    transfers_.note_use(bytes, number);
  }
  /// Submits what uploads have left to be done; before any work that may see it.
  void flush() { transfers_.flush(); }
  /// For destructors: waits without throwing until the device is done with everything.
  void settle() noexcept;

  /// The part of an allocation that begins at an address, which must belong to one.
  Part find(const std::byte* address) const;
  void upload(const Part& to, std::span<const std::byte> from);
  void download(std::span<std::byte> to, const Part& from);

 private:
  struct Block {
    Allocation memory;
    FreeRanges ranges;
    Moment last_use;  // while it is unused: when the device is done with it

    Block(Queue& queue, std::uint64_t bytes) : memory(queue, bytes, MemoryKind::kernels), ranges(bytes) {}
  };
  struct Import;

  Block& add_block(std::uint64_t bytes);
  std::size_t drop_unused_blocks(std::uint64_t kept);
  Buffer keep(std::unique_ptr<Import> import, std::size_t bytes);
  void wait_for_uses(const Part& mapped, std::uint64_t bytes);
  void finish(const Allocation& written);
  static void release(std::byte* address, void* memory) noexcept;
  static void release_import(std::byte* address, void* import) noexcept;

  Queue* queue_;
  bool staging_;
  Transfers transfers_;
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Block>> blocks_;
  std::uint64_t next_block_ = std::uint64_t{16} << 20;
  std::map<std::uint64_t, const Allocation*> allocations_;  // of blocks and imports, by address
};

}  // namespace webnn::runtime::vulkan
