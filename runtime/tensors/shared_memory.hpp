// Memory that is visible to other processes or libraries too: mappings of file descriptors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace webnn::runtime {

/// A file descriptor, owned. Move-only.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int number) : number_(number) {}
  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~FileDescriptor() { close(); }

  int number() const { return number_; }  // -1: none
  void close();
  /// Another descriptor of the same file. Throws Error (io).
  FileDescriptor duplicate() const;

 private:
  int number_ = -1;
};

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

/// Anonymous memory of `bytes` zeros with a file descriptor (a memfd), sealed against shrinking. Throws Error
/// (resource).
FileDescriptor create_shared_memory(std::size_t bytes);

}  // namespace webnn::runtime
