// Names that nothing has yet.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace webnn::compiler {

/// `stem` if it is free, otherwise `stem` with a number from `first` on. `is_taken` tells of a name whether something
/// has it.
template <typename IsTaken>
std::string free_name(std::string_view stem, IsTaken is_taken, std::size_t first = 2) {
  if (!is_taken(stem)) return std::string(stem);
  const auto numbered = [&](std::size_t number) { return std::string(stem) + "_" + std::to_string(number); };
  // Gallops, then bisects: finding the next number of a stem shared by many values takes logarithmic time, and no
  // counter is needed.
  std::size_t taken = first - 1, free = first;
  while (is_taken(numbered(free))) {
    taken = free;
    free *= 2;
  }
  while (free - taken > 1) {
    const std::size_t middle = taken + (free - taken) / 2;
    (is_taken(numbered(middle)) ? taken : free) = middle;
  }
  return numbered(free);
}

}  // namespace webnn::compiler
