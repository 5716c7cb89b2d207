// Fetches the part of a packed matrix that is read next while the one before it is multiplied: otherwise the products wait
// for memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <hwy/base.h>

namespace webnn::runtime::simd {

/// Register blocks go through one part, line by line, and fetch a few bytes of the next one for each line: many fetches
/// at once would hold up the loads. They go to the L2 cache, because a part may fill the L1 cache.
class NextPart {
 public:
  /// Nothing to fetch but `there`, which is in the cache. Fetching from no page would be slow.
  explicit NextPart(const void* there) : at_(reinterpret_cast<std::uintptr_t>(there)), end_(at_) {}
  /// A part of `lines` lines of `bytes` bytes each; `blocks` register blocks go through the one before it.
  NextPart(const void* part, std::size_t lines, std::size_t bytes, std::size_t blocks)
      : at_(reinterpret_cast<std::uintptr_t>(part)),
        end_(at_ + lines * bytes),
        step_(std::max((bytes + blocks - 1) / blocks, fewest_bytes)) {}

  /// The share of register block `index`, of so many lines.
  NextPart for_block(std::size_t index, std::size_t lines) const {
    NextPart share = *this;
    const std::size_t offset = index * lines * step_;
    if (offset < end_ - at_) {
      share.at_ += offset;
    } else {
      share.step_ = 0;
    }
    return share;
  }

  /// Inlined always: GCC takes calls of a function that only fetches for useless.
  HWY_INLINE void fetch() const { __builtin_prefetch(reinterpret_cast<const void*>(at_), 0, 2); }
  void advance() { at_ += step_; }

 private:
  /// With fewer, too many fetches would be of the same cache line.
  static constexpr std::size_t fewest_bytes = 4;

  std::uintptr_t at_, end_;  // addresses: the last fetches may be behind the matrix
  std::size_t step_ = 0;
};

}  // namespace webnn::runtime::simd
