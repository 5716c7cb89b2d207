#include "cli/inspect/arena_plan.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace webnn::cli {
namespace {

using namespace schema;

/// The size of the intersection of [begin, end) and [first, last).
std::uint64_t common(std::uint64_t begin, std::uint64_t end, std::uint64_t first, std::uint64_t last) {
  const std::uint64_t from = std::max(begin, first), to = std::min(end, last);
  return to > from ? to - from : 0;
}

constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

}  // namespace

std::vector<ArenaUse> arena_uses(const Program& program) {
  std::vector<ArenaUse> by_value(program.values.size());
  const std::vector<StepRange> together = steps_together(program);
  for (std::size_t i = 0; i < program.steps.size(); ++i) {
    const auto touch = [&](std::uint32_t index) {
      if (index == no_index) return;
      const std::uint32_t source = program.values[index].view_of, owner = source == no_index ? index : source;
      const ProgramValue& value = program.values[owner];
      if (value.slot.kind != Slot::Kind::arena) return;
      ArenaUse& use = by_value[owner];
      if (use.value == no_index) use = {value.name, value.slot.offset, value.slot.bytes, together[i].first, i, owner};
      use.last_step = together[i].last;
    };
    std::ranges::for_each(program.steps[i].inputs, touch);
    std::ranges::for_each(program.steps[i].outputs, touch);
  }
  std::erase_if(by_value, [](const ArenaUse& use) { return use.value == no_index; });
  std::ranges::stable_sort(by_value, {}, [](const ArenaUse& use) { return std::pair(use.offset, use.first_step); });
  return by_value;
}

char arena_letter(std::size_t index) { return index < letters.size() ? letters[index] : '#'; }

std::string arena_picture(std::span<const ArenaUse> uses, std::uint64_t arena_bytes, std::size_t steps) {
  constexpr std::uint64_t most_lines = 16, most_columns = 72;
  if (arena_bytes == 0 || steps == 0) return {};
  const auto divided_up = [](std::uint64_t a, std::uint64_t b) { return a / b + (a % b != 0); };
  const std::uint64_t line_bytes = divided_up(divided_up(arena_bytes, most_lines), arena_alignment) * arena_alignment;
  const std::uint64_t column_steps = divided_up(steps, most_columns);
  const std::size_t margin = std::to_string(arena_bytes).size() + 2;
  std::string picture;
  for (std::uint64_t line = 0; line < divided_up(arena_bytes, line_bytes); ++line) {
    const std::uint64_t begin = line * line_bytes;
    const std::string offset = std::to_string(begin);
    picture += std::string(margin - offset.size(), ' ') + offset + "  ";
    for (std::uint64_t step = 0; step < steps; step += column_steps) {
      std::uint64_t most = 0;
      char letter = '.';
      for (std::size_t i = 0; i < uses.size(); ++i) {
        const ArenaUse& use = uses[i];
        const std::uint64_t area = common(use.offset, use.offset + use.bytes, begin, begin + line_bytes) *
                                   common(use.first_step, use.last_step + 1, step, step + column_steps);
        if (area > most) {
          most = area;
          letter = arena_letter(i);
        }
      }
      picture += letter;
    }
    picture += '\n';
  }
  return picture;
}

}  // namespace webnn::cli
