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

/// A conflicting pair without a barrier in between.
struct Hazard {
  std::size_t first = 0, second = 0;
};
/// All hazards, found by comparing every pair of dispatches. For recorded programs, recorded.hpp finds them without
/// these lists.
std::vector<Hazard> find_hazards(std::span<const Accesses> dispatches, const std::vector<bool>& barriers);

}  // namespace webnn::runtime::vulkan
