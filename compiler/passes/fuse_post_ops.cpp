// fuse_post_ops: an elementwise node, or one that works along rows, joins the node that produces its operand, if a
// kernel row takes both together and the operand has no other user.
//
//   y = relu(conv2d(x, w))         -> conv2d(x, w) -> relu
//   y = tanh(add(neg(x), b))       -> neg(x) -> add(_, b) -> tanh: a group of elementwise operators is one node
//   y = add(mul(a, b), mul(c, d))  -> mul(a, b) -> mul(c, d) -> add(_2, _): whole trees of them
//   x = add(a, b); y = mul(x, sigmoid(x)): results that several operators of the group need
//   y = softmax(add(x, m))         -> add(x, m) -> softmax: also operators along rows, in tiles of rows
//   y = add(conv2d(..), conv2d(..)): joins the later of the two, because the other sum is then available; if it is not
//                                    needed any more, the result can take its place
#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "compiler/passes/parts/choose_kernel.hpp"
#include "compiler/passes/parts/schedule.hpp"
#include "compiler/passes/passes.hpp"

namespace webnn::compiler {
namespace {

class Fuser {
 public:
  explicit Fuser(Unit& unit) : unit_(unit), graph_(unit.graph), options_(unit.options), place_(graph_.node_count()) {}

  void run() {
    // Where nodes run at the same time, the later of two is the one with the longer chain before it.
    const bool overlaps = row(options_.target.device).overlaps_steps;
    const std::vector<NodeId> order = overlaps ? by_depth(unit_, Pace::early).order : graph_.order();
    for (std::uint32_t i = 0; i < order.size(); ++i) place_[order[i].index] = i;
    for (NodeId group : order)
      while (group.valid() && may_be_post_op(group)) group = join_a_producer(group);
  }

 private:
  const OperandDescriptor& descriptor(ValueId id) const { return graph_.value(id).descriptor; }
  NodeId producer(ValueId id) const { return graph_.value(id).producer; }
  std::uint32_t place_of_producer(ValueId id) const { return place_[producer(id).index]; }
  bool is_result(ValueId id) const { return id.valid() && graph_.value(id).kind == Value::Kind::result; }
  bool is_elementwise_node(NodeId id) const { return is_elementwise(row(graph_.node(id).op).family); }
  bool may_be_post_op(NodeId id) const { return is_elementwise_node(id) || works_along_rows(graph_.node(id).op); }

  /// The node that `group` has been merged into; an invalid id when it stays as it is.
  NodeId join_a_producer(NodeId group) {
    const std::vector<ValueId>& inputs = graph_.node(group).inputs;
    std::vector<ValueId> candidates;  // operands without other users
    for (const ValueId input : inputs)
      if (is_result(input) && graph_.use_count(input) == std::uint32_t(std::ranges::count(inputs, input)) &&
          std::ranges::find(candidates, input) == candidates.end())
        candidates.push_back(input);
    std::ranges::stable_sort(candidates, std::greater(), [&](ValueId value) { return place_of_producer(value); });
    for (const ValueId candidate : candidates)
      if (join(group, candidate)) return producer(candidate);
    return {};
  }

  /// Whether everything else that the group reads is available when the producer of `value` runs.
  bool others_are_earlier(const Node& group, ValueId value) const {
    return std::ranges::all_of(group.inputs, [&](ValueId input) {
      return input == value || !is_result(input) || place_of_producer(input) < place_of_producer(value);
    });
  }

  /// The node that groups were tried behind last, as kernels see it; so that what is tried next need not be copied whole.
  struct Root {
    NodeId id;
    KernelSpec spec;
    std::optional<KernelId> usual;  // the row that is chosen for it
    bool is_usual_known = false;
  };
  void look_at(NodeId id) {
    if (root_.id != id) root_ = {id, graph_.spec(id), {}, false};
    if (std::exchange(root_.is_usual_known, true)) return;
    root_.usual = choose_kernel(root_.spec, options_);
  }

  /// Appends the group to the spec of the root; false when an operand of a post-op is absent.
  bool append(const Node& group, ValueId value) {
    KernelSpec& spec = root_.spec;
    const ResultOf running = running_result(spec);
    const std::size_t inputs = spec.inputs.size();
    bool complete = true;
    append_steps(spec, group, 0, Expression(group).size(), [&](StepOperand operand) -> NewOperand<KernelSpec> {
      const ValueId input = group.inputs[operand.index];
      if (input == value) return running;
      complete = complete && input.valid();
      if (!input.valid()) return std::optional<OperandDescriptor>();
      if (const std::size_t i = inputs + added_inputs_.size(); i < 8 && graph_.is_constant(input))
        spec.constants |= std::uint8_t(1u << i);
      added_inputs_.push_back(input);
      return std::optional(descriptor(input));
    });
    return complete;
  }

  /// Appends the group to the node that produces `value`.
  bool join(NodeId id, ValueId value) {
    const Node& group = graph_.node(id);
    const NodeId root = producer(value);
    const ValueId result = group.outputs[0];
    const bool keeps_shape = descriptor(value).shape == descriptor(result).shape;
    if (graph_.node(root).outputs.size() != 1 || !(keeps_shape || row(group.op).family == Family::reduction) ||
        graph_.node(root).post_ops.size() + group.post_ops.size() >= most_post_ops)
      return false;
    // Elementwise nodes are cheap and may be delayed until their operands are available; the order of long computations
    // is kept.
    if (!is_elementwise_node(root) && !others_are_earlier(group, value)) return false;

    look_at(root);
    if (!root_.usual) return false;
    KernelSpec& spec = root_.spec;
    const double usual_slowness = slowness(row(*root_.usual), spec, options_.target);
    const std::size_t steps = spec.post_ops.size(), inputs = spec.inputs.size();
    const std::uint8_t constants = spec.constants;
    added_inputs_.clear();
    const bool complete = append(group, value);
    spec.outputs[0] = descriptor(result);
    if (!complete || !choose_variant(spec, options_, *root_.usual, usual_slowness)) {
      spec.post_ops.resize(steps);
      spec.inputs.resize(inputs);
      spec.outputs[0] = descriptor(value);
      spec.constants = constants;
      return false;
    }
    root_.is_usual_known = false;

    graph_.extend(root, std::span(spec.post_ops).subspan(steps), added_inputs_, descriptor(result));
    const std::string name = graph_.value(result).name;
    graph_.replace_uses(result, value);
    graph_.erase(id);
    graph_.rename(value, name);
    if (is_elementwise_node(root)) place_[root.index] = std::max(place_[root.index], place_[id.index]);
    return true;
  }

  const Unit& unit_;
  Graph& graph_;
  const Options& options_;
  std::vector<std::uint32_t> place_;   // by node: its position in the order of execution
  Root root_;                          // nothing else changes its node
  std::vector<ValueId> added_inputs_;  // of the group that is being joined to it
};

}  // namespace

void fuse_post_ops(Unit& unit) { Fuser(unit).run(); }

}  // namespace webnn::compiler
