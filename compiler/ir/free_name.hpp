// Names that nothing has yet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace webnn::compiler {

/// The beginning of a name that other names are made of. Many may be made of one, and a file's names are as long as the
/// file.
inline std::string_view stem_of_name(std::string_view name) {
  constexpr std::size_t longest = 256;
  if (name.size() <= longest) return name;
  std::size_t end = longest;
  while (end > 0 && (std::uint8_t(name[end]) & 0xc0u) == 0x80u) --end;  // to a character boundary
  return name.substr(0, end);
}

/// A name for what is made of a value, or copies it: "w" and "_packed" give "w_packed".
inline std::string derived_name(std::string_view name, std::string_view suffix = {}) {
  return std::string(stem_of_name(name)).append(suffix);
}

/// `wanted` if it is free, otherwise its stem with a number from `first` on. `is_taken` tells of a name whether something
/// has it. `names` is a number that grows when names are taken.
template <typename IsTaken>
std::string free_name(std::string_view wanted, IsTaken is_taken, std::size_t names, std::size_t first = 2) {
  if (!is_taken(wanted)) return std::string(wanted);
  constexpr std::uint64_t no_number = std::uint64_t{1} << 32;
  for (std::string stem(stem_of_name(wanted));;) {
    const auto numbered = [&](std::uint64_t number) { return stem + "_" + std::to_string(number); };
    // Gallops, then bisects: finding the next number of a stem shared by many values takes logarithmic time, and no
    // counter is needed.
    std::uint64_t taken = first - 1, free = first;
    while (free < no_number && is_taken(numbered(free))) {
      taken = free;
      free *= 2;
    }
    if (free >= no_number) {
      // 32 names stand in the way, so somebody put them there. The next stem is another one for each number of names:
      // each call would need names of its own in its way.
      stem = numbered(names);
      continue;
    }
    while (free - taken > 1) {
      const std::uint64_t middle = taken + (free - taken) / 2;
      (is_taken(numbered(middle)) ? taken : free) = middle;
    }
    return numbered(free);
  }
}

}  // namespace webnn::compiler
