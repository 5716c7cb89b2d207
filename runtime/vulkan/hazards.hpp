// Decides where a recorded list of dispatches needs barriers, and checks that they suffice. A dispatch may overlap with
// all those before it back to the last barrier; two of them conflict when one writes bytes that the other one reads or
// writes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace webnn::runtime::vulkan {

/// An access to `bytes` bytes at `address`.
struct Access {
  std::uint64_t address = 0, bytes = 0;
  bool writes = false;
  /// Accesses with the same nonzero number touch different elements within the same bytes and do not conflict; 0: all
  /// elements.
  std::uint32_t part_of = 0;
};

/// The accesses of one dispatch.
using Accesses = std::vector<Access>;

/// For each dispatch, whether a barrier is needed before it. Their number is minimal for this order.
std::vector<bool> find_barriers(std::span<const Accesses> dispatches);

/// For each dispatch, the number of the barriers that must precede it when all dispatches come as early as they can: one
/// more than the greatest among those before it with which it conflicts. So dispatches in the order of these numbers need
/// as many barriers as the longest chain of conflicts has links. Takes O(n log n) for n accesses that overlap few others.
std::vector<std::uint32_t> find_depths(std::span<const Accesses> dispatches);

/// A conflicting pair without a barrier in between.
struct Hazard {
  std::size_t first = 0, second = 0;
};
/// All hazards, found by comparing every pair of dispatches. For recorded programs, recorded.hpp finds them without
/// these lists.
std::vector<Hazard> find_hazards(std::span<const Accesses> dispatches, const std::vector<bool>& barriers);

}  // namespace webnn::runtime::vulkan
