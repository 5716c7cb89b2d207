// Fetches the part of a packed matrix that is read next while the one before it is multiplied: otherwise the products wait
// for memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <hwy/base.h>

#include "schema/round_up.hpp"

namespace webnn::runtime::simd {

/// What one register block fetches of the next part: a few bytes for each of its lines. Many fetches at once would hold up
/// the loads. They go to the L2 cache, because a part may fill the L1 cache.
class NextShare {
 public:
  /// Nothing but `there`, which is in the cache. Fetching from no page would be slow.
  explicit NextShare(const void* there) : at_(reinterpret_cast<std::uintptr_t>(there)) {}
  NextShare(std::uintptr_t at, std::size_t step) : at_(at), step_(step) {}

  /// Inlined always: GCC takes calls of a function that only fetches for useless.
  /// So many bytes, in whole cache lines.
  template <std::size_t bytes = 64>
  HWY_INLINE void fetch() const {
    for (std::size_t offset = 0; offset < bytes; offset += 64)
      __builtin_prefetch(reinterpret_cast<const void*>(at_ + offset), 0, 2);
  }
  void advance() { at_ += step_; }

 private:
  std::uintptr_t at_;  // an address: the last fetches may be behind the matrix
  std::size_t step_ = 0;
};

/// A part that is fetched by the register blocks which go through the one before it, line by line.
class NextPart {
 public:
  /// Nothing to fetch but `there`, see NextShare.
  explicit NextPart(const void* there) : at_(reinterpret_cast<std::uintptr_t>(there)) {}
  /// A part of `lines` lines of `bytes` bytes each, for `blocks` register blocks.
  NextPart(const void* part, std::size_t lines, std::size_t bytes, std::size_t blocks)
      : at_(reinterpret_cast<std::uintptr_t>(part)),
        size_(lines * bytes),
        step_(std::max(schema::div_up(bytes, blocks), fewest_bytes)) {}

  /// The share of register block `index`, of so many lines.
  NextShare for_block(std::size_t index, std::size_t lines) const {
    const std::size_t offset = index * lines * step_;
    return offset < size_ ? NextShare(at_ + offset, step_) : NextShare(at_, 0);
  }
  /// Goes on to the part behind, of the same size.
  void advance() { at_ += size_; }

 private:
  /// With fewer, too many fetches would be of the same cache line.
  static constexpr std::size_t fewest_bytes = 4;

  std::uintptr_t at_;
  std::size_t size_ = 0, step_ = 0;
};

}  // namespace webnn::runtime::simd
