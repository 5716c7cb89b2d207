// Which bytes submitted kernels access, as long as they may still run: copies wait for those and no others.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/vulkan/memory/byte_ranges.hpp"

namespace webnn::runtime::vulkan {

class Uses {
 public:
  /// The kernels submitted with this number access these bytes, like those of earlier numbers with the same bytes.
  void add(const std::shared_ptr<const ByteRanges>& bytes, std::uint64_t number) {
    const auto same = std::ranges::find(all_, bytes, &Use::bytes);
    if (same != all_.end())
      same->number = number;
    else
      all_.push_back({bytes, number});
  }
  /// The number of the last ones that access some of these bytes; 0: none does.
  std::uint64_t last(std::uint64_t begin, std::uint64_t end) const {
    std::uint64_t last = 0;
    for (const Use& use : all_)
      if (use.number > last && use.bytes->overlaps(begin, end)) last = use.number;
    return last;
  }
  /// Forgets those of which `have_ended(number)`.
  template <typename Ended>
  void forget(Ended have_ended) {
    std::erase_if(all_, [&](const Use& use) { return have_ended(use.number); });
  }

 private:
  struct Use {
    std::shared_ptr<const ByteRanges> bytes;
    std::uint64_t number;
  };
  std::vector<Use> all_;
};

}  // namespace webnn::runtime::vulkan
