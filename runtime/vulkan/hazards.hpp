// Where a recorded list of dispatches needs barriers, and whether it has them. A dispatch may overlap with those before
// it back to the last barrier; two of them are in conflict when one writes bytes that the other one reads or writes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace webnn::runtime::vulkan {

/// Bytes from `address` on.
struct Access {
  std::uint64_t address = 0, bytes = 0;
  bool writes = false;
  /// Accesses with the same number write other elements within the same bytes and are no conflict; 0: all elements.
  std::uint32_t part_of = 0;
};

/// What one dispatch reads and writes.
using Accesses = std::vector<Access>;

/// By dispatch: whether a barrier is needed before it. As few as possible when the order is kept.
std::vector<bool> plan_barriers(std::span<const Accesses> dispatches);

/// A pair in conflict without a barrier between them.
struct Hazard {
  std::size_t first = 0, second = 0;
};
/// All of them, found by comparing every two dispatches. Of a recorded program they are found without these lists
/// (recorded.hpp).
std::vector<Hazard> find_hazards(std::span<const Accesses> dispatches, const std::vector<bool>& barriers);

}  // namespace webnn::runtime::vulkan
