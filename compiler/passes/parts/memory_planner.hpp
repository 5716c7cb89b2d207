// Places byte ranges with lifetimes in one arena. Pure arithmetic, independent of graphs.
//
// This is "dynamic storage allocation" with known lifetimes, which is NP-hard. The planner tries several greedy orders
// with best fit and keeps the smallest arena.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace webnn::compiler {

/// Bytes that are in use from `first_step` to `last_step`, both inclusive.
struct MemoryItem {
  std::uint64_t bytes = 0;
  std::uint32_t first_step = 0;
  std::uint32_t last_step = 0;  // not before first_step
};

struct MemoryPlan {
  std::vector<std::uint64_t> offsets;  // by item; multiples of arena_alignment
  std::uint64_t arena_bytes = 0;
  /// The size of the largest set of items live at one step: no plan can be smaller.
  std::uint64_t lower_bound = 0;
};

/// Nullopt when the total of the items' aligned sizes does not fit in 63 bits. O(n log n) for chains; O(n^2) with a
/// small factor for up to `exact_item_limit` items that are all live at once. Above that limit, a single O(n log n)
/// order is used.
std::optional<MemoryPlan> place_items(std::span<const MemoryItem> items);

inline constexpr std::size_t exact_item_limit = 16384;

/// Two items that are live at the same step and share a byte, if any. Independent of how `offsets` were made; O(n log
/// n).
std::optional<std::pair<std::size_t, std::size_t>> find_overlap(std::span<const MemoryItem> items,
                                                                std::span<const std::uint64_t> offsets);

}  // namespace webnn::compiler
