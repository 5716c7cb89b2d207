// Host memory for data on its way to a device that does not share the host's memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace webnn::runtime {

/// Keeps some memory to be used again: to touch fresh pages takes longer than to copy into them.
class HostCopies {
 public:
  std::vector<std::byte> copy_of(std::span<const std::byte> data) {
    std::vector<std::byte> memory = take(data.size());
    memory.assign(data.begin(), data.end());
    return memory;
  }

  void give_back(std::vector<std::byte> memory) {
    const std::lock_guard lock(mutex_);
    if (memory.capacity() > most_kept - std::min(kept_bytes_, most_kept)) return;
    kept_bytes_ += memory.capacity();
    kept_.push_back(std::move(memory));
  }

 private:
  static constexpr std::size_t most_kept = std::size_t{64} << 20;

  /// The smallest kept memory that is large enough; empty: there is none.
  std::vector<std::byte> take(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    auto best = kept_.end();
    for (auto each = kept_.begin(); each != kept_.end(); ++each)
      if (each->capacity() >= bytes && (best == kept_.end() || each->capacity() < best->capacity())) best = each;
    if (best == kept_.end()) return {};
    std::vector<std::byte> memory = std::move(*best);
    kept_.erase(best);
    kept_bytes_ -= memory.capacity();
    return memory;
  }

  std::mutex mutex_;
  std::vector<std::vector<std::byte>> kept_;
  std::size_t kept_bytes_ = 0;
};

}  // namespace webnn::runtime
