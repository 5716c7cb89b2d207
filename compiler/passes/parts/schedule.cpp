#include "compiler/passes/parts/schedule.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "compiler/passes/parts/planned_spec.hpp"
#include "schema/kernels/line_window.hpp"

namespace webnn::compiler {
namespace {

/// The fewest bytes of a result that passes on line by line: less stays in the cache anyway.
constexpr std::uint64_t least_bytes_for_bands = std::uint64_t{1} << 20;

/// Calls visit(producer) for each operand of the node that another node computes.
template <typename Visit>
void for_each_producer(const Graph& graph, NodeId node, Visit visit) {
  for (ValueId input : graph.node(node).inputs)
    if (input.valid() && graph.value(input).producer.valid()) visit(graph.value(input).producer);
}

}  // namespace

Schedule one_by_one(std::vector<NodeId> order) {
  Schedule schedule{std::move(order), {}, {}};
  schedule.times.resize(schedule.order.size());
  schedule.passes_lines.resize(schedule.order.size());
  std::iota(schedule.times.begin(), schedule.times.end(), 0u);
  return schedule;
}

Schedule in_bands(const Unit& unit, std::vector<NodeId> order) {
  const auto passes_lines = [&](NodeId before, NodeId id) {
    const KernelId first = unit.plan.kernel[before.index], second = unit.plan.kernel[id.index];
    const ValueId value = unit.graph.node(before).outputs[0];
    return first.row != nullptr && second.row != nullptr && row(first).by_lines != nullptr &&
           row(second).by_lines != nullptr && unit.graph.node(id).inputs[0] == value &&
           unit.graph.use_count(value) == 1 && !unit.graph.is_output(value) &&
           byte_length(unit.graph.value(value).descriptor) >= least_bytes_for_bands &&
           can_run_in_bands(first, planned_spec(unit, before), second, planned_spec(unit, id));
  };
  Schedule schedule = one_by_one(std::move(order));
  std::uint32_t time = 0;
  std::size_t together = 1;
  for (std::size_t i = 0; i < schedule.order.size(); ++i) {
    schedule.times[i] = time;
    const bool passes = i + 1 < schedule.order.size() && together < most_steps_in_bands &&
                        passes_lines(schedule.order[i], schedule.order[i + 1]);
    schedule.passes_lines[i] = passes;
    together = passes ? together + 1 : 1;
    if (!passes) ++time;
  }
  return schedule;
}

Schedule by_depth(const Unit& unit, Pace pace) {
  const Graph& graph = unit.graph;
  Schedule schedule{graph.order(), {}, {}};
  schedule.passes_lines.resize(schedule.order.size());
  std::vector<std::uint32_t> time(graph.node_count(), 0), links(graph.node_count(), 0);
  std::uint32_t last = 0;
  for (NodeId id : schedule.order) {
    links[id.index] = is_view(unit, id) ? 0 : 1;
    for_each_producer(graph, id, [&](NodeId producer) {
      time[id.index] = std::max(time[id.index], time[producer.index] + links[id.index]);
    });
    last = std::max(last, time[id.index]);
  }
  if (pace == Pace::late) {
    std::ranges::fill(time, last);
    for (auto id = schedule.order.rbegin(); id != schedule.order.rend(); ++id)
      for_each_producer(graph, *id, [&](NodeId producer) {
        time[producer.index] = std::min(time[producer.index], time[id->index] - links[id->index]);
      });
  }
  std::ranges::stable_sort(schedule.order, {}, [&](NodeId id) { return time[id.index]; });
  for (NodeId id : schedule.order) schedule.times.push_back(time[id.index]);
  return schedule;
}

}  // namespace webnn::compiler
