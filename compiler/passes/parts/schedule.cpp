#include "compiler/passes/parts/schedule.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "compiler/passes/parts/planned_spec.hpp"

namespace webnn::compiler {
namespace {

/// Calls visit(producer) for each operand of the node that another node computes.
template <typename Visit>
void for_each_producer(const Graph& graph, NodeId node, Visit visit) {
  for (ValueId input : graph.node(node).inputs)
    if (input.valid() && graph.value(input).producer.valid()) visit(graph.value(input).producer);
}

}  // namespace

Schedule one_by_one(std::vector<NodeId> order) {
  Schedule schedule{std::move(order), {}};
  schedule.times.resize(schedule.order.size());
  std::iota(schedule.times.begin(), schedule.times.end(), 0u);
  return schedule;
}

Schedule by_depth(const Unit& unit, Pace pace) {
  const Graph& graph = unit.graph;
  Schedule schedule{graph.order(), {}};
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
