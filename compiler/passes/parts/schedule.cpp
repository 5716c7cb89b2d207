#include "compiler/passes/parts/schedule.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "compiler/passes/parts/planned_spec.hpp"
#include "schema/kernels/line_window.hpp"

namespace webnn::compiler {
namespace {

/// Calls visit(producer) for each operand of the node that another node computes.
template <typename Visit>
void for_each_producer(const Graph& graph, NodeId node, Visit visit) {
  for (ValueId input : graph.node(node).inputs)
    if (input.valid() && graph.value(input).producer.valid()) visit(graph.value(input).producer);
}

/// Whether bands pay: each line sees a small part of the lines, unlike those of global pooling.
bool sees_few_lines(const SlidingWindow& window) {
  constexpr std::int64_t fewest = 4;
  return window.output >= fewest && window.extent() <= window.input / 2;
}

/// The bytes of the result of `before`, if it is large and passes on to `id` line by line; otherwise 0.
std::uint64_t bytes_passed_by_lines(const Unit& unit, NodeId before, NodeId id) {
  const KernelId first = unit.plan.kernel[before.index], second = unit.plan.kernel[id.index];
  if (first.row == nullptr || second.row == nullptr || row(first).by_lines == nullptr ||
      row(second).by_lines == nullptr)
    return 0;
  const ValueId value = unit.graph.node(before).outputs[0];
  const std::uint64_t bytes = byte_length(unit.graph.value(value).descriptor);
  if (unit.graph.node(id).inputs[0] != value || unit.graph.use_count(value) != 1 || unit.graph.is_output(value) ||
      bytes < unit.options.least_bytes_of_lines)
    return 0;
  const KernelSpec spec = planned_spec(unit, id);
  return can_run_in_bands(first, planned_spec(unit, before), second, spec) && sees_few_lines(*line_window(second, spec))
             ? bytes
             : 0;
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
  Schedule schedule = one_by_one(std::move(order));
  const std::size_t count = schedule.order.size();
  // Of all ways to cut the order into parts of at most so many steps, the one that passes on the most bytes. `least[i]` are
  // the bytes cut off before step i, at least; a part that ends before it begins with step `begin[i]`.
  std::vector<std::uint64_t> least(count + 1, 0);
  std::vector<std::size_t> begin(count + 1, 0);
  std::vector<std::uint64_t> passed(count + 1, 0);  // into step i, line by line
  for (std::size_t i = 1; i < count; ++i)
    passed[i] = bytes_passed_by_lines(unit, schedule.order[i - 1], schedule.order[i]);
  for (std::size_t end = 1; end <= count; ++end) {
    least[end] = std::numeric_limits<std::uint64_t>::max();
    for (std::size_t first = end; first-- > 0 && end - first <= most_steps_in_bands;) {
      if (least[first] + passed[first] <= least[end]) {
        least[end] = least[first] + passed[first];
        begin[end] = first;
      }
      if (passed[first] == 0) break;  // the steps before do not belong together with these
    }
  }
  for (std::size_t end = count; end > 0; end = begin[end])
    for (std::size_t i = begin[end]; i + 1 < end; ++i) schedule.passes_lines[i] = true;
  for (std::size_t i = 1; i < count; ++i)
    schedule.times[i] = schedule.times[i - 1] + (schedule.passes_lines[i - 1] ? 0 : 1);
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
