// What the elements of constants are like, as guards of rewrites ask. Each constant is read once, however many nodes use
// it: it may have a billion bytes, and a node takes a few.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>

#include "compiler/ir/graph.hpp"

namespace webnn::compiler {

class ConstantFacts {
 public:
  /// Of all elements. A NaN makes the greatest magnitude infinite and the least number and magnitude 0.
  struct Range {
    double least_number = 0;
    double greatest_magnitude = 0, least_magnitude = 0;
  };

  /// Whether all elements have the bytes of the first. Not for 4-bit types.
  bool is_filled(const Value& constant);
  const Range& range(const Value& constant);
  /// For a guard that combines the elements of several constants, which cannot be remembered: whether it may read so many
  /// elements. It may not when guards have read very many already.
  bool may_read(std::uint64_t elements) {
    if (elements > elements_left_) return false;
    elements_left_ -= elements;
    return true;
  }

 private:
  struct Facts {
    std::optional<bool> is_filled;
    std::optional<Range> range;
  };
  /// By the bytes and their type: constants of different shapes may share bytes.
  using Key = std::tuple<const std::byte*, std::uint64_t, DataType>;

  Facts& facts_of(const Value& constant) {
    return facts_[{constant.data.data(), element_count(constant.descriptor.shape), constant.descriptor.type}];
  }

  std::map<Key, Facts> facts_;
  std::uint64_t elements_left_ = std::uint64_t{1} << 27;
};

}  // namespace webnn::compiler
