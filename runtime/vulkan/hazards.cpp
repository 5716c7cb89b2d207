// The planners keep the bytes that were read and written as ranges. The checker is independent of that and compares all
// pairs.
#include "runtime/vulkan/hazards.hpp"

#include <algorithm>
#include <iterator>
#include <map>

#include "runtime/vulkan/memory/byte_ranges.hpp"

namespace webnn::runtime::vulkan {
namespace {

/// The bytes up to `end`, with the depths from which on they may be accessed.
struct Segment {
  std::uint64_t end = 0;
  std::uint32_t for_reads = 0, for_writes = 0;
  std::uint32_t part_of = 0, for_parts = 0;  // for further writes with this nonzero number
};

/// What has been accessed, in segments by their first byte.
class AccessedBytes {
 public:
  /// The depth from which on the access may happen.
  std::uint32_t depth_for(const Access& access) {
    std::uint32_t depth = 0;
    for_each_segment(access, [&](const Segment& segment) {
      const bool is_part = access.part_of != 0 && access.part_of == segment.part_of;
      depth = std::max(depth, !access.writes ? segment.for_reads : is_part ? segment.for_parts : segment.for_writes);
    });
    return depth;
  }
  /// The access happens at this depth.
  void add(const Access& access, std::uint32_t depth) {
    const std::uint32_t next = depth + 1;
    for_each_segment(access, [&](Segment& segment) {
      if (!access.writes) {
        segment.for_parts = std::max(segment.for_parts, next);
      } else if (access.part_of == 0 || access.part_of != segment.part_of) {
        segment.for_parts = segment.for_writes;
        segment.part_of = access.part_of;
        segment.for_reads = next;
      } else {
        segment.for_reads = std::max(segment.for_reads, next);
      }
      segment.for_writes = std::max(segment.for_writes, next);
    });
  }

 private:
  /// Calls `visit` for segments that together are the bytes of the access.
  template <typename Visit>
  void for_each_segment(const Access& access, Visit visit) {
    const std::uint64_t end = access.address + access.bytes;
    if (access.bytes == 0) return;
    split(access.address);
    split(end);
    auto place = segments_.lower_bound(access.address);
    for (std::uint64_t begin = access.address; begin < end;) {
      if (place == segments_.end() || place->first != begin) {
        const std::uint64_t next = place == segments_.end() ? end : std::min(end, place->first);
        place = segments_.emplace_hint(place, begin, Segment{next});
      }
      visit(place->second);
      begin = place->second.end;
      ++place;
    }
  }
  /// No segment reaches across `at`.
  void split(std::uint64_t at) {
    const auto next = segments_.lower_bound(at);
    if (next == segments_.begin()) return;
    Segment& before = std::prev(next)->second;
    if (before.end <= at) return;
    segments_.emplace_hint(next, at, before);
    before.end = at;
  }

  std::map<std::uint64_t, Segment> segments_;
};

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

std::vector<std::uint32_t> find_depths(std::span<const Accesses> dispatches) {
  std::vector<std::uint32_t> depths;
  AccessedBytes bytes;
  for (const Accesses& accesses : dispatches) {
    std::uint32_t depth = 0;
    for (const Access& access : accesses) depth = std::max(depth, bytes.depth_for(access));
    for (const Access& access : accesses) bytes.add(access, depth);
    depths.push_back(depth);
  }
  return depths;
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
