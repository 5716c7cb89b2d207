// The planner keeps the bytes read and written since the last barrier. The checker is independent
// of that and compares all pairs.
#include "runtime/vulkan/hazards.hpp"

#include <algorithm>

#include "runtime/vulkan/memory/byte_ranges.hpp"

namespace webnn::runtime::vulkan {
namespace {

bool conflict(const Access& a, const Access& b) {
  if (a.writes && b.writes && a.part_of != 0 && a.part_of == b.part_of) return false;
  return (a.writes || b.writes) && a.address < b.address + b.bytes && b.address < a.address + a.bytes;
}

}  // namespace

std::vector<bool> find_barriers(std::span<const Accesses> dispatches) {
  std::vector<bool> barriers;
  ByteRanges read, written;
  ByteRanges parts;  // written by dispatches with the latest nonzero number
  std::uint32_t part_of = 0;
  for (const Accesses& accesses : dispatches) {
    const bool needed = std::ranges::any_of(accesses, [&](const Access& access) {
      const std::uint64_t end = access.address + access.bytes;
      const bool is_part = access.writes && access.part_of != 0 && access.part_of == part_of;
      return written.overlaps(access.address, end) || (!is_part && parts.overlaps(access.address, end)) ||
             (access.writes && read.overlaps(access.address, end));
    });
    barriers.push_back(needed);
    if (needed)
      for (ByteRanges* ranges : {&read, &written, &parts}) ranges->clear();
    for (const Access& access : accesses) {
      const bool is_part = access.writes && access.part_of != 0;
      if (is_part && access.part_of != part_of) {
        written.add(parts);
        parts.clear();
        part_of = access.part_of;
      }
      (is_part ? parts : access.writes ? written : read).add(access.address, access.address + access.bytes);
    }
  }
  return barriers;
}

std::vector<Hazard> find_hazards(std::span<const Accesses> dispatches, const std::vector<bool>& barriers) {
  std::vector<Hazard> hazards;
  for (std::size_t second = 1; second < dispatches.size(); ++second)
    for (std::size_t first = second; first-- > 0 && !barriers[first + 1];)
      if (std::ranges::any_of(dispatches[first], [&](const Access& a) {
            return std::ranges::any_of(dispatches[second], [&](const Access& b) { return conflict(a, b); });
          }))
        hazards.push_back({first, second});
  return hazards;
}

}  // namespace webnn::runtime::vulkan
