// The memory plan of a program's arena: which bytes are in use during which steps.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "schema/program.hpp"

namespace webnn::cli {

/// A value in the arena, and the steps during which its slot is in use, by itself or by views of it.
struct ArenaUse {
  std::string name;
  std::uint64_t offset = 0, bytes = 0;
  std::size_t first_step = 0, last_step = 0;
  std::uint32_t value = schema::no_index;
};

/// Sorted by offset, then by step.
std::vector<ArenaUse> arena_uses(const schema::Program& program);

/// The letter of use `index` in the picture; '#' for those beyond z and Z.
char arena_letter(std::size_t index);

/// A picture in text: bytes downwards, `steps` to the right; each line begins with its offset. A character is the
/// letter of the use that takes most of its area, '.' where there is none. At most 16 lines of 72 characters. Empty
/// without an arena.
std::string arena_picture(std::span<const ArenaUse> uses, std::uint64_t arena_bytes, std::size_t steps);

}  // namespace webnn::cli
