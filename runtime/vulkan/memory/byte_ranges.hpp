// A set of bytes, as ranges of addresses.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>

namespace webnn::runtime::vulkan {

/// Disjoint ranges of bytes that do not touch each other.
class ByteRanges {
 public:
  bool overlaps(std::uint64_t begin, std::uint64_t end) const {
    const auto next = ends_.lower_bound(end);  // the first range that begins at or after `end`
    return begin < end && next != ends_.begin() && std::prev(next)->second > begin;
  }
  void add(std::uint64_t begin, std::uint64_t end) {
    if (begin >= end) return;
    auto place = ends_.upper_bound(end);
    while (place != ends_.begin() && std::prev(place)->second >= begin) {
      --place;
      begin = std::min(begin, place->first);
      end = std::max(end, place->second);
      place = ends_.erase(place);
    }
    ends_.emplace(begin, end);
  }
  void add(const ByteRanges& others) {
    for (const auto& [begin, end] : others.ends_) add(begin, end);
  }
  void clear() { ends_.clear(); }

 private:
  std::map<std::uint64_t, std::uint64_t> ends_;  // by begin
};

}  // namespace webnn::runtime::vulkan
