#include "runtime/vulkan/kernels/groups/row_groups.hpp"

#include <algorithm>

#include "runtime/vulkan/kernels/estimates.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::vulkan {
namespace {

constexpr std::uint64_t groups_of_unit = 8;  // workgroups that hide each other's waiting
// A lane's loads below which another workgroup does not pay, and below which a second dispatch does not.
constexpr std::uint64_t least_fours_of_group = 2, least_fours_of_part = 8;
constexpr std::uint64_t most_fours = 2048;  // a lane's loads in one dispatch
constexpr std::uint64_t shared_lines = 15;  // of 8 bytes for each lane: 16 KiB with the memory for folding

/// How many times four elements a lane can keep: the first in registers, the others in lines of shared memory.
std::uint64_t most_kept_fours(DataType type) {
  return 1 + (type == DataType::float16 ? shared_lines : shared_lines / 2);
}

/// Rows whose elements are neighbours: so many lanes that each takes four elements, if there are not more. Other rows:
/// neighbouring lanes read neighbouring rows, at least 8 of them for whole sectors of memory.
RowGroups arranged(const AxisView& view, DataType type, std::uint64_t fours, std::uint64_t fours_of_neighbours = 1) {
  RowGroups plan;
  plan.rows = std::uint64_t(view.outer) * view.inner;
  plan.size = view.size;
  plan.inner = view.inner;
  plan.interleaved = view.inner > 1;
  plan.vectors = view.inner == 1 && view.size % 4 == 0 && is_float(type);
  plan.rows_of_group = plan.interleaved ? 32 : row_group;
  const std::uint32_t least_rows = plan.interleaved ? 8 : 1;
  const std::uint64_t fours_of_lane = plan.interleaved ? fours : fours_of_neighbours;
  while (plan.rows_of_group > least_rows && view.size > 4 * plan.lanes() * fours_of_lane) plan.rows_of_group /= 2;
  plan.part_size = view.size;
  return plan;
}

/// Cuts rows into parts of at most `most` elements, and into more if too few workgroups would be at work.
void cut(RowGroups& plan, std::uint64_t most, std::uint64_t least_fours, const Target& target) {
  const std::uint64_t step = 4 * plan.lanes();
  const std::uint64_t wanted = div_up(compute_units_of(target) * groups_of_unit, plan.blocks());
  const std::uint64_t worth = std::max<std::uint64_t>(plan.size / (step * least_fours), 1);
  const std::uint64_t parts = std::max(div_up(plan.size, most), std::min(wanted, worth));
  plan.part_size = std::min(div_up(div_up(plan.size, parts), step) * step, plan.size);
  plan.parts = div_up(plan.size, plan.part_size);
}

}  // namespace

RowGroups RowGroups::kept(const AxisView& view, DataType type, const Target& target) {
  RowGroups plan = arranged(view, type, most_kept_fours(type));
  const std::uint64_t most = 4 * plan.lanes() * most_kept_fours(type);
  if (plan.size > most) cut(plan, most, least_fours_of_group, target);
  return plan;
}

RowGroups RowGroups::folded(const AxisView& view, DataType type, const Target& target, std::uint64_t turns) {
  constexpr std::uint64_t fours_of_column = 16;
  RowGroups plan = arranged(view, type, fours_of_column);
  cut(plan, std::max<std::uint64_t>(most_fours / turns, 1) * 4 * plan.lanes(), least_fours_of_part, target);
  return plan;
}

RowGroups RowGroups::whole(const AxisView& view, DataType type, std::uint64_t fours) {
  return arranged(view, type, fours, fours);
}

void RowGroups::specialize(DispatchMaker& maker, std::uint32_t lines) const {
  maker.specialize(Constant::rows_of_group, rows_of_group)
      .specialize(Constant::interleaved, interleaved)
      .specialize(Constant::row_vectors, vectors);
  if (lines != 0) maker.specialize(Constant::kept_lines, lines);
}

std::uint32_t RowGroups::kept_lines(DataType type) const {
  const std::uint64_t lines = (turns() - 1) * (type == DataType::float16 ? 1 : 2);
  // Few sizes, so that calls share pipelines.
  return lines <= 1 ? 1 : lines <= 3 ? 3 : lines <= 7 ? 7 : std::uint32_t(shared_lines);
}

void RowGroups::add_sizes(DispatchMaker& maker) const {
  maker.word(rows).word(size).word(inner).word(parts).word(part_size);
}

}  // namespace webnn::runtime::vulkan
