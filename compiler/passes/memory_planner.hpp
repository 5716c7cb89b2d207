// Places byte ranges that live for a while in one arena: pure arithmetic that knows no graph.
//
// This is "dynamic storage allocation" with known lifetimes (NP-hard); the planner tries several greedy orders with
// best fit and keeps the smallest arena.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace webnn::compiler {

/// Bytes that must stay untouched from `first_step` to `last_step`, both included.
struct MemoryItem {
  std::uint64_t bytes = 0;
  std::uint32_t first_step = 0;
  std::uint32_t last_step = 0;  // not before first_step
};

struct MemoryPlan {
  std::vector<std::uint64_t> offsets;  // by item; multiples of arena_alignment
  std::uint64_t arena_bytes = 0;
  /// Bytes of the largest set of items that live at one step: no plan can be smaller.
  std::uint64_t lower_bound = 0;
};

/// Nullopt when the items' aligned sizes together do not fit 63 bits. Takes O(n log n) time for chains and O(n^2) with
/// a small factor for at most `exact_item_limit` items that all live together; above this limit one O(n log n) order is
/// used.
std::optional<MemoryPlan> place_items(std::span<const MemoryItem> items);

inline constexpr std::size_t exact_item_limit = 16384;

/// Two items that live at one step and share a byte, if there are any. Independent of how `offsets` were made; O(n log
/// n).
std::optional<std::pair<std::size_t, std::size_t>> find_overlap(std::span<const MemoryItem> items,
                                                                std::span<const std::uint64_t> offsets);

}  // namespace webnn::compiler
