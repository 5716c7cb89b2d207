// Ranges of a block of memory: which are taken and which are free.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace webnn::runtime::vulkan {

class FreeRanges {
 public:
  explicit FreeRanges(std::uint64_t bytes) : free_{{0, bytes}} {}

  /// Takes `bytes` (more than 0) bytes from the smallest free range that has them and returns where they begin; nullopt
  /// when none has. Begins are multiples of whatever all sizes are multiples of.
  std::optional<std::uint64_t> take(std::uint64_t bytes);
  /// Gives back what was taken at `begin`.
  void give_back(std::uint64_t begin);
  bool is_unused() const { return taken_.empty(); }

 private:
  std::map<std::uint64_t, std::uint64_t> free_, taken_;  // sizes by begin; neighbours among free ranges are joined
};

}  // namespace webnn::runtime::vulkan
