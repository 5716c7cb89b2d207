// The plan of a program's arena: which bytes are taken by what, and when.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "schema/program.hpp"

namespace webnn::cli {

/// A value in the arena, over the steps in which its place is taken: by itself, or by views that show its bytes.
struct ArenaUse {
  std::string name;
  std::uint64_t offset = 0, bytes = 0;
  std::size_t first_step = 0, last_step = 0;
  std::uint32_t value = schema::no_index;
};

/// In the order of offsets, and of steps where they are equal.
std::vector<ArenaUse> arena_uses(const schema::Program& program);

/// The letter of use `index` in the picture; '#' for those beyond z and Z.
char arena_letter(std::size_t index);

/// Bytes downwards, `steps` to the right, in lines of text that begin with their offset: each character is the letter
/// of the use that takes most there, '.' where nothing lies. At most 16 lines of 72 characters. Empty without an arena.
std::string arena_picture(std::span<const ArenaUse> uses, std::uint64_t arena_bytes, std::size_t steps);

}  // namespace webnn::cli
