#include "cli/compare/divergence.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "cli/compare/alignment.hpp"
#include "schema/error.hpp"
#include "schema/text.hpp"

namespace webnn::cli {

using namespace compiler;

namespace {

constexpr std::uint64_t least_batch_bytes = std::uint64_t{1} << 20;
constexpr std::size_t most_batch_nodes = 64;

using Views = std::vector<std::span<const std::byte>>;

std::uint64_t result_bytes(const Graph& graph, NodeId id) {
  std::uint64_t bytes = 0;
  for (const ValueId output : graph.node(id).outputs) bytes += byte_length(graph.value(output).descriptor);
  return bytes;
}

/// Values of the reference graph that have been computed and are still needed.
class KnownValues {
 public:
  KnownValues(const Graph& graph, const Views& inputs) : graph_(graph), uses_(graph.value_count()) {
    for (const NodeId id : graph.order())
      for (const ValueId input : graph.node(id).inputs)
        if (input.valid()) ++uses_[input.index];
    for (std::size_t i = 0; i < graph.inputs().size(); ++i) inputs_[graph.inputs()[i].index] = inputs[i];
  }

  std::span<const std::byte> view(ValueId id) const {
    if (const auto input = inputs_.find(id.index); input != inputs_.end()) return input->second;
    return results_.at(id.index);
  }
  void add(ValueId id, TensorBytes bytes) {
    if (uses_[id.index] != 0) results_[id.index] = std::move(bytes);
  }
  /// Drops the values that only this node still needed, after it has been checked.
  void finish(NodeId id) {
    for (const ValueId input : graph_.node(id).inputs)
      if (input.valid() && --uses_[input.index] == 0) results_.erase(input.index);
  }
  Views views(const std::vector<ValueId>& ids) const {
    Views result;
    for (const ValueId id : ids) result.push_back(view(id));
    return result;
  }

 private:
  const Graph& graph_;
  std::vector<std::uint32_t> uses_;  // by value: remaining uses
  std::map<std::uint32_t, std::span<const std::byte>> inputs_;
  std::map<std::uint32_t, TensorBytes> results_;
};

class Finder {
 public:
  Finder(const DivergenceSide& reference, const DivergenceSide& checked, const Views& inputs,
         const DivergenceOptions& options)
      : reference_(reference),
        checked_(checked),
        graph_(*reference.graph),
        inputs_(inputs),
        options_(options),
        alignment_(align(graph_, *checked.graph)),
        order_(graph_.order()) {}

  std::optional<Divergence> run() {
    if (auto found = check_alone()) return found;
    return check_together();
  }

 private:
  // ---- operator by operator

  std::optional<Divergence> check_alone() {
    const std::uint64_t limit =
        options_.batch_bytes != 0 ? options_.batch_bytes : std::max(least_batch_bytes, most_live_bytes(graph_) / 8);
    KnownValues known(graph_, inputs_);
    for (std::size_t first = 0; first < order_.size();) {
      if (options_.progress) options_.progress(double(first) / double(order_.size()));
      std::size_t end = first;
      for (std::uint64_t bytes = 0; end < order_.size() && end - first < most_batch_nodes; ++end) {
        bytes += result_bytes(graph_, order_[end]);
        if (bytes > limit && end != first) break;
      }
      if (auto found = check_batch(std::span(order_).subspan(first, end - first), known)) return found;
      first = end;
    }
    return std::nullopt;
  }

  std::optional<Divergence> check_batch(std::span<const NodeId> batch, KnownValues& known) {
    std::vector<ValueId> results;
    for (const NodeId id : batch)
      for (const ValueId output : graph_.node(id).outputs) results.push_back(output);
    std::map<std::uint32_t, TensorBytes> computed;  // in this batch, by value
    {
      const Subgraph part = part_of(graph_, batch, results);
      std::vector<TensorBytes> outputs = reference_.run(part.graph, known.views(part.inputs));
      for (std::size_t i = 0; i < results.size(); ++i) computed[results[i].index] = std::move(outputs[i]);
    }
    const auto operand = [&](ValueId id) -> std::span<const std::byte> {
      const auto found = computed.find(id.index);
      return found == computed.end() ? known.view(id) : std::span<const std::byte>(found->second);
    };

    // Up to the first operator that cannot run on the reference's operands, which is nearly always the whole batch.
    const auto comparable_end = std::ranges::find_if(batch, [&](NodeId id) { return !is_comparable(id); });
    const std::span<const NodeId> comparable(batch.begin(), comparable_end);
    if (auto found = compare_results(comparable, operand)) return found;
    if (comparable_end != batch.end()) return incomparable(*comparable_end);

    for (const NodeId id : batch) {
      for (const ValueId output : graph_.node(id).outputs) known.add(output, std::move(computed[output.index]));
    }
    for (const NodeId id : batch) known.finish(id);
    return std::nullopt;
  }

  NodeId counterpart(NodeId id) const { return alignment_.nodes[id.index]; }

  bool is_comparable(NodeId id) const {
    const NodeId other = counterpart(id);
    if (!other.valid()) return false;
    const std::vector<ValueId>& outputs = checked_.graph->node(other).outputs;
    return alignment_.reference[outputs[0].index].valid() &&
           takes_the_same(graph_, id, *checked_.graph, other, alignment_);
  }

  Divergence incomparable(NodeId id) const {
    const NodeId other = counterpart(id);
    Divergence divergence;
    if (!other.valid()) {
      divergence.reason = "operator " + in_quotes(graph_.node(id).label) + " has no counterpart";
      return divergence;
    }
    divergence.nodes = {other};
    divergence.reason = structural_difference(graph_, id, *checked_.graph, other, alignment_);
    return divergence;
  }

  template <class Operand>
  std::optional<Divergence> compare_results(std::span<const NodeId> nodes, const Operand& operand) const {
    if (nodes.empty()) return std::nullopt;
    const Graph& checked = *checked_.graph;
    std::vector<NodeId> others;
    std::vector<ValueId> results;
    for (const NodeId id : nodes) {
      others.push_back(counterpart(id));
      for (const ValueId output : checked.node(others.back()).outputs) results.push_back(output);
    }
    std::vector<TensorBytes> actual;
    {
      const Subgraph part = part_of(checked, others, results, Operands::separate);
      Views views;
      for (const ValueId input : part.inputs) views.push_back(operand(alignment_.reference[input.index]));
      actual = checked_.run(part.graph, views);
    }
    std::size_t next = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const Allowance allowance = allowance_of(checked.spec(others[i]));
      std::vector<TensorVerdict> failed;
      for (const ValueId output : checked.node(others[i]).outputs) {
        const Value& value = checked.value(output);
        TensorVerdict verdict = judge(value.name, value.descriptor, actual[next++],
                                      operand(alignment_.reference[output.index]), options_.tolerance, allowance);
        if (!verdict.passed) failed.push_back(std::move(verdict));
      }
      if (failed.empty()) continue;
      return divergence_of(std::span(&others[i], 1),
                           structural_difference(graph_, nodes[i], checked, others[i], alignment_), std::move(failed),
                           operand);
    }
    return std::nullopt;
  }

  /// `operand` gives the bytes of values of the reference graph.
  template <class Operand>
  Divergence divergence_of(std::span<const NodeId> others, std::string reason, std::vector<TensorVerdict> verdicts,
                           const Operand& operand) const {
    const Graph& checked = *checked_.graph;
    Divergence divergence{{others.begin(), others.end()}, std::move(reason), std::move(verdicts), {}, {}, {}};
    std::vector<ValueId> results;
    if (others.size() == 1)
      results = checked.node(others[0]).outputs;
    else
      results = live_results(checked, others);
    divergence.part = part_of(checked, others, results);
    const auto copy = [&](ValueId id) {
      const std::span<const std::byte> bytes = operand(alignment_.reference[id.index]);
      return TensorBytes(bytes.begin(), bytes.end());
    };
    for (const ValueId input : divergence.part.inputs) divergence.inputs.push_back(copy(input));
    for (const ValueId output : divergence.part.outputs) divergence.expected.push_back(copy(output));
    return divergence;
  }

  // ---- operators compiled together: finds errors of fusions and passes

  /// The values of the reference graph before `order_[end]`, computed by the reference in one program.
  std::map<std::uint32_t, TensorBytes> values_before(std::size_t end) const {
    std::map<std::uint32_t, TensorBytes> values;
    for (std::size_t i = 0; i < graph_.inputs().size(); ++i)
      values[graph_.inputs()[i].index] = TensorBytes(inputs_[i].begin(), inputs_[i].end());
    const std::span<const NodeId> nodes = std::span(order_).first(end);
    const std::vector<ValueId> live = live_results(graph_, nodes);
    if (live.empty()) return values;
    const Subgraph part = part_of(graph_, nodes, live);
    std::vector<TensorBytes> outputs = reference_.run(part.graph, views_of(part.inputs, values));
    for (std::size_t i = 0; i < live.size(); ++i) values[live[i].index] = std::move(outputs[i]);
    return values;
  }

  static Views views_of(const std::vector<ValueId>& ids, const std::map<std::uint32_t, TensorBytes>& values) {
    Views views;
    for (const ValueId id : ids) views.emplace_back(values.at(id.index));
    return views;
  }

  /// Runs operators [first, end) as one program on both sides, on the same operands.
  std::optional<Divergence> differ_together(std::size_t first, std::size_t end) const {
    const Graph& checked = *checked_.graph;
    const std::span<const NodeId> nodes = std::span(order_).subspan(first, end - first);
    const std::vector<ValueId> live = live_results(graph_, nodes);
    if (live.empty()) return std::nullopt;
    std::map<std::uint32_t, TensorBytes> values = values_before(first);
    std::vector<TensorBytes> expected;
    {
      const Subgraph part = part_of(graph_, nodes, live);
      expected = reference_.run(part.graph, views_of(part.inputs, values));
    }
    std::vector<NodeId> others;
    std::vector<ValueId> results;
    for (const NodeId id : nodes) others.push_back(counterpart(id));
    for (const ValueId id : live) {
      const Node& producer = graph_.node(graph_.value(id).producer);
      const auto place = std::size_t(std::ranges::find(producer.outputs, id) - producer.outputs.begin());
      results.push_back(checked.node(counterpart(graph_.value(id).producer)).outputs[place]);
    }
    const Subgraph part = part_of(checked, others, results);
    Views views;
    for (const ValueId input : part.inputs) views.emplace_back(values.at(alignment_.reference[input.index].index));
    const std::vector<TensorBytes> actual = checked_.run(part.graph, views);
    const std::vector<Allowance> allowances = allowances_of(part.graph);
    std::vector<TensorVerdict> failed;
    for (std::size_t i = 0; i < results.size(); ++i) {
      const Value& value = checked.value(results[i]);
      TensorVerdict verdict = judge(value.name, value.descriptor, actual[i], expected[i], options_.tolerance,
                                    allowances[part.graph.outputs()[i].value.index]);
      if (!verdict.passed) failed.push_back(std::move(verdict));
    }
    if (failed.empty()) return std::nullopt;
    for (std::size_t i = 0; i < live.size(); ++i) values[live[i].index] = std::move(expected[i]);
    return divergence_of(others, "each operator alone is right, but not when they are compiled together",
                         std::move(failed),
                         [&](ValueId id) -> std::span<const std::byte> { return values.at(id.index); });
  }

  /// Finds the fewest operators whose joint program differs: first bisects the end, then the beginning.
  std::optional<Divergence> check_together() const {
    if (order_.empty()) return std::nullopt;
    std::optional<Divergence> found = differ_together(0, order_.size());
    if (!found) return std::nullopt;
    std::size_t right = 0, wrong = order_.size();
    while (wrong - right > 1) {
      const std::size_t middle = (right + wrong) / 2;
      if (auto earlier = differ_together(0, middle)) {
        found = std::move(earlier);
        wrong = middle;
      } else {
        right = middle;
      }
    }
    std::size_t begin = 0, too_late = wrong;
    while (too_late - begin > 1) {
      const std::size_t middle = (begin + too_late) / 2;
      if (auto shorter = differ_together(middle, wrong)) {
        found = std::move(shorter);
        begin = middle;
      } else {
        too_late = middle;
      }
    }
    return found;
  }

  const DivergenceSide &reference_, &checked_;
  const Graph& graph_;
  const Views& inputs_;
  const DivergenceOptions& options_;
  Alignment alignment_;
  std::vector<NodeId> order_;  // of the reference graph
};

}  // namespace

std::uint64_t most_live_bytes(const Graph& graph) {
  std::vector<std::uint32_t> uses = graph.use_counts();
  std::uint64_t live = 0, most = 0;
  for (const ValueId input : graph.inputs()) live += byte_length(graph.value(input).descriptor);
  for (const NodeId id : graph.order()) {
    live += result_bytes(graph, id);
    most = std::max(most, live);
    for (const ValueId input : graph.node(id).inputs)
      if (input.valid() && !graph.is_constant(input) && --uses[input.index] == 0)
        live -= byte_length(graph.value(input).descriptor);
  }
  return std::max(most, live);
}

std::optional<Divergence> find_divergence(const DivergenceSide& reference, const DivergenceSide& checked,
                                          const Views& inputs, const DivergenceOptions& options) {
  return Finder(reference, checked, inputs, options).run();
}

}  // namespace webnn::cli
