#include "compiler/passes/program_stats.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "schema/kernels/other_providers.hpp"
#include "schema/round_up.hpp"

namespace webnn::compiler {
namespace {

/// The bytes of the arena that hold values still to be read, at the step where they are most.
std::uint64_t most_live_bytes(const Program& program) {
  struct Range {
    std::size_t first = 0, last = 0;
    std::uint64_t bytes = 0;
  };
  // Values that follow each other in place are one range, as long as each is read by the step that overwrites it.
  std::map<std::uint64_t, Range> open;  // by offset
  std::vector<std::size_t> last_use(program.values.size(), 0);
  const auto owner = [&](std::uint32_t value) {
    return program.values[value].view_of == no_index ? value : program.values[value].view_of;
  };
  const std::vector<StepRange> together = steps_together(program);
  for (std::size_t step = 0; step < program.steps.size(); ++step) {
    for (const std::uint32_t input : program.steps[step].inputs)
      if (input != no_index) last_use[owner(input)] = together[step].last;
    for (const std::uint32_t output : program.steps[step].outputs) last_use[output] = step;
  }
  std::uint64_t most = 0;
  for (std::size_t step = 0; step < program.steps.size(); ++step) {
    for (const std::uint32_t output : program.steps[step].outputs) {
      const Slot& slot = program.values[output].slot;
      if (slot.kind == Slot::Kind::arena) open[slot.offset] = {step, last_use[output], slot.bytes};
    }
    std::uint64_t live = 0;
    for (const auto& [offset, range] : open) live += round_up(range.bytes, arena_alignment);
    most = std::max(most, live);
    std::erase_if(open, [&](const auto& entry) { return entry.second.last <= step; });
  }
  return most;
}

}  // namespace

ProgramStats stats_of(const Program& program, std::string_view provider) {
  ProgramStats stats;
  if (!provider.empty()) stats.of_others = text_of(other_providers(program, provider));
  stats.steps = program.steps.size();
  for (const Step& step : program.steps) {
    const KernelSpec spec = spec_of(program, step);
    ++stats.kernels[row(step.kernel).name];
    stats.post_ops += step.post_ops.size();
    stats.fused_steps += !step.post_ops.empty();
    stats.flops = (Saturating(stats.flops) + cost_of(spec).flops).value();
    if (step.op == "@reorder"_op) {
      ++stats.reorders;
      stats.reordered_bytes += byte_length(spec.outputs[0]);
    }
    const Slot& place = program.values[step.outputs[0]].slot;
    stats.in_place += place.kind != Slot::Kind::lines && std::ranges::any_of(step.inputs, [&](std::uint32_t input) {
                        return input != no_index && program.values[input].slot == place;
                      });
  }
  for (const ProgramValue& value : program.values) {
    stats.views += value.view_of != no_index;
    stats.packed_constants += value.layout == Layout::private_form;
  }
  stats.constants = program.constants.size();
  for (const Bytes& constant : program.constants) stats.constant_bytes += constant.size();
  stats.arena_bytes = program.arena_bytes;
  stats.live_bytes = most_live_bytes(program);
  return stats;
}

std::string text_of(const ProgramStats& stats, std::size_t nodes) {
  char text[600];
  const double least = stats.live_bytes == 0 ? 1 : double(stats.arena_bytes) / double(stats.live_bytes);
  std::snprintf(text, sizeof text,
                "nodes      %zu, steps %zu\n"
                "post-ops   %zu in %zu steps\n"
                "views      %zu\n"
                "in place   %zu\n"
                "reorders   %zu of %llu bytes\n"
                "constants  %zu of %llu bytes, %zu packed\n"
                "arena      %llu bytes, %.2f times the %llu that are live at once\n"
                "cost       %.3f GFLOP\n"
                "kernels   ",
                nodes, stats.steps, stats.post_ops, stats.fused_steps, stats.views, stats.in_place, stats.reorders,
                static_cast<unsigned long long>(stats.reordered_bytes), stats.constants,
                static_cast<unsigned long long>(stats.constant_bytes), stats.packed_constants,
                static_cast<unsigned long long>(stats.arena_bytes), least,
                static_cast<unsigned long long>(stats.live_bytes), double(stats.flops) * 1e-9);
  std::string result = text;
  for (const auto& [name, count] : stats.kernels) result += " " + std::string(name) + " x" + std::to_string(count);
  if (!stats.of_others.empty()) result += "\nof others  " + stats.of_others;
  return result + "\n";
}

}  // namespace webnn::compiler
