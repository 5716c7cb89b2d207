// Memory that is visible to other processes or libraries too: mappings of file descriptors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "schema/file/descriptor.hpp"

namespace webnn::runtime {

/// A part of a file mapped into this process, shared with everyone who maps it. Move-only.
class SharedMemory {
 public:
  SharedMemory() = default;
  /// Maps `bytes` bytes at `offset` of the file behind `file_descriptor`, which the caller may close afterwards. The
  /// mapping is readable, and writable if the descriptor is. Throws Error: usage when the file is too short or not a
  /// regular file; io when it cannot be mapped.
  SharedMemory(int file_descriptor, std::uint64_t offset, std::size_t bytes);
  SharedMemory(SharedMemory&& other) noexcept { swap(other); }
  SharedMemory& operator=(SharedMemory&& other) noexcept {
    swap(other);
    return *this;
  }
  ~SharedMemory();

  std::span<std::byte> bytes() const { return bytes_; }
  bool writable() const { return writable_; }

 private:
  void swap(SharedMemory& other) noexcept;

  std::span<std::byte> mapping_;  // whole pages
  std::span<std::byte> bytes_;
  bool writable_ = false;
};

/// Whether the descriptor may refer to device memory, which drivers present as anonymous inodes or as devices: not a
/// file, memfd, pipe or socket.
bool may_be_device_memory(int file_descriptor);

/// Another descriptor of the same file. Throws Error (io).
schema::Descriptor duplicate(const schema::Descriptor& descriptor);

/// Anonymous memory of `bytes` zeros with a file descriptor (a memfd), sealed against shrinking. Throws Error
/// (resource).
schema::Descriptor create_shared_memory(std::size_t bytes);

}  // namespace webnn::runtime
