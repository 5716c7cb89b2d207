// Buffers of destroyed tensors, kept for reuse: allocating and first touching a large buffer costs more than most
// dispatches.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <vector>

#include "runtime/device.hpp"

namespace webnn::runtime {

/// Thread-safe.
class BufferPool {
 public:
  /// Keeps at most `limit` bytes; buffers beyond that are released.
  BufferPool(Device& device, std::size_t limit) : device_(&device), limit_(limit) {}

  /// A buffer of at least `bytes` bytes with undefined content. Throws Error (resource).
  Buffer take(std::size_t bytes);
  void give(Buffer buffer);
  /// Releases all buffers, and from now on every buffer that is given back.
  void close();

 private:
  Device* device_;
  std::size_t limit_;
  std::mutex mutex_;
  std::map<std::size_t, std::vector<Buffer>> free_;  // by size
  std::size_t held_ = 0;
};

}  // namespace webnn::runtime
