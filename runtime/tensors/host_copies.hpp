// Host memory for data on its way to a device that does not share the host's memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace webnn::runtime {

/// Keeps some memory to be used again: to touch fresh pages takes longer than to copy into them. Thread-safe; it must
/// outlive its copies.
class HostCopies {
 public:
  static constexpr std::size_t least_kept = std::size_t{64} << 10;  // the system's own heap is fast for less
  static constexpr std::size_t most_kept = std::size_t{64} << 20;   // bytes of all together
  static constexpr std::size_t most_copies = 16;

  /// A copy of some bytes, whose memory goes back when it ends. Move-only.
  class Copy {
   public:
    Copy(Copy&& other) noexcept : owner_(std::exchange(other.owner_, nullptr)), bytes_(std::move(other.bytes_)) {}
    Copy& operator=(Copy&&) = delete;
    ~Copy() {
      if (owner_) owner_->give_back(std::move(bytes_));
    }
    std::span<const std::byte> bytes() const { return bytes_; }

   private:
    friend class HostCopies;
    Copy(HostCopies& owner, std::vector<std::byte> bytes) : owner_(&owner), bytes_(std::move(bytes)) {}
    HostCopies* owner_;
    std::vector<std::byte> bytes_;
  };

  HostCopies() { kept_.reserve(most_copies); }

  Copy copy_of(std::span<const std::byte> data) {
    std::vector<std::byte> memory = take(data.size());
    memory.assign(data.begin(), data.end());
    return {*this, std::move(memory)};
  }

  /// Releases what is kept, and keeps nothing from now on.
  void close() {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
    kept_.clear();
    kept_bytes_ = 0;
  }

  /// Bytes that are kept at the moment.
  std::size_t kept_bytes() const {
    const std::lock_guard lock(mutex_);
    return kept_bytes_;
  }

 private:
  /// Memory of sizes that nobody asks for any more makes room for what is used now.
  void give_back(std::vector<std::byte> memory) noexcept {
    const std::size_t bytes = memory.capacity();
    if (bytes < least_kept || bytes > most_kept) return;
    const std::lock_guard lock(mutex_);
    if (is_closed_) return;
    while (kept_.size() == most_copies || kept_bytes_ > most_kept - bytes) erase(kept_.begin());
    kept_bytes_ += bytes;
    kept_.push_back(std::move(memory));
  }

  /// The smallest kept memory that is large enough, and less than twice too large; empty: there is none.
  std::vector<std::byte> take(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    auto best = kept_.end();
    for (auto each = kept_.begin(); each != kept_.end(); ++each)
      if (each->capacity() >= bytes && each->capacity() / 2 <= bytes &&
          (best == kept_.end() || each->capacity() < best->capacity()))
        best = each;
    if (best == kept_.end()) return {};
    return erase(best);
  }

  std::vector<std::byte> erase(std::vector<std::vector<std::byte>>::iterator place) {
    std::vector<std::byte> memory = std::move(*place);
    kept_.erase(place);
    kept_bytes_ -= memory.capacity();
    return memory;
  }

  mutable std::mutex mutex_;
  std::vector<std::vector<std::byte>> kept_;  // the oldest first
  std::size_t kept_bytes_ = 0;
  bool is_closed_ = false;
};

}  // namespace webnn::runtime
