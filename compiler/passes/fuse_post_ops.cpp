// fuse_post_ops: an elementwise node whose operand nobody else needs joins the node that produces it, where a kernel
// row takes both together.
//
//   y = relu(conv2d(x, w))         -> conv2d(x, w) -> relu
//   y = tanh(add(neg(x), b))       -> neg(x) -> add(_, b) -> tanh: a chain of elementwise operators is one node
//   y = add(conv2d(..), conv2d(..)) joins the later of the two: then the other sum is there already, and if it is not
//                                     needed any more the result can take its place
#include <algorithm>
#include <vector>

#include "compiler/passes/choose_kernel.hpp"
#include "compiler/passes/passes.hpp"

namespace webnn::compiler {
namespace {

/// No kernel walks more operands at a time.
constexpr std::size_t longest_chain = 64;

class Fuser {
 public:
  explicit Fuser(Unit& unit) : graph_(unit.graph), options_(unit.options), place_(graph_.node_count()) {}

  void run() {
    const std::vector<NodeId> order = graph_.order();
    for (std::uint32_t i = 0; i < order.size(); ++i) place_[order[i].index] = i;
    for (const NodeId id : order)
      if (is_elementwise(row(graph_.node(id).op).family) && graph_.node(id).post_ops.empty()) join_a_producer(id);
  }

 private:
  const OperandDescriptor& descriptor(ValueId id) const { return graph_.value(id).descriptor; }
  std::uint32_t place_of_producer(ValueId id) const { return place_[graph_.value(id).producer.index]; }
  bool is_result(ValueId id) const { return graph_.value(id).kind == Value::Kind::result; }

  void join_a_producer(NodeId id) {
    const std::vector<ValueId>& inputs = graph_.node(id).inputs;
    std::vector<std::uint8_t> candidates;
    for (std::size_t i = 0; i < inputs.size(); ++i)
      if (is_result(inputs[i]) && graph_.use_count(inputs[i]) == 1) candidates.push_back(std::uint8_t(i));
    std::ranges::sort(candidates, std::greater(), [&](std::uint8_t i) { return place_of_producer(inputs[i]); });
    for (const std::uint8_t operand : candidates)
      if (join(id, operand)) return;
  }

  /// Everything that the joined node reads must be there when its root runs.
  bool others_are_earlier(const Node& node, std::uint8_t chained) const {
    const std::uint32_t place = place_of_producer(node.inputs[chained]);
    for (std::size_t i = 0; i < node.inputs.size(); ++i)
      if (i != chained && is_result(node.inputs[i]) && place_of_producer(node.inputs[i]) >= place) return false;
    return true;
  }

  bool join(NodeId id, std::uint8_t chained) {
    const Node node = graph_.node(id);  // a copy: it is erased below
    const ValueId running = node.inputs[chained], result = node.outputs[0];
    const NodeId root = graph_.value(running).producer;
    if (graph_.node(root).outputs.size() != 1 || graph_.node(root).post_ops.size() >= longest_chain ||
        descriptor(running).shape != descriptor(result).shape || !others_are_earlier(node, chained))
      return false;

    const PostOp post_op{node.op, node.attributes, chained};
    std::vector<ValueId> others = node.inputs;
    others.erase(others.begin() + chained);
    KernelSpec spec = graph_.spec(root);
    const auto usual = choose_kernel(spec, options_);
    spec.post_ops.push_back(post_op);
    for (const ValueId other : others) spec.inputs.emplace_back(descriptor(other));
    spec.outputs[0] = descriptor(result);
    if (!usual || !choose_kernel_for(Variant::post_op, spec, options_, *usual)) return false;

    const std::string name = graph_.value(result).name;
    graph_.attach_post_op(root, post_op, others, OperandDescriptor(descriptor(result)));
    graph_.replace_uses(result, running);
    graph_.erase(id);
    graph_.rename(running, name);
    return true;
  }

  Graph& graph_;
  const Options& options_;
  std::vector<std::uint32_t> place_;  // by node: in the order of execution
};

}  // namespace

void fuse_post_ops(Unit& unit) { Fuser(unit).run(); }

}  // namespace webnn::compiler
