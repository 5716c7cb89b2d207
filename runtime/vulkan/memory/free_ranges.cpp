#include "runtime/vulkan/memory/free_ranges.hpp"

#include <cassert>
#include <iterator>

namespace webnn::runtime::vulkan {

std::optional<std::uint64_t> FreeRanges::take(std::uint64_t bytes) {
  auto best = free_.end();
  for (auto range = free_.begin(); range != free_.end(); ++range)
    if (range->second >= bytes && (best == free_.end() || range->second < best->second)) best = range;
  if (best == free_.end()) return std::nullopt;
  const auto [begin, size] = *best;
  free_.erase(best);
  if (size > bytes) free_.emplace(begin + bytes, size - bytes);
  taken_.emplace(begin, bytes);
  return begin;
}

void FreeRanges::give_back(std::uint64_t begin) {
  const auto taken = taken_.find(begin);
  assert(taken != taken_.end());
  auto range = free_.insert(*taken).first;
  taken_.erase(taken);
  if (const auto next = std::next(range); next != free_.end() && range->first + range->second == next->first) {
    range->second += next->second;
    free_.erase(next);
  }
  if (range == free_.begin()) return;
  if (const auto before = std::prev(range); before->first + before->second == range->first) {
    before->second += range->second;
    free_.erase(range);
  }
}

}  // namespace webnn::runtime::vulkan
