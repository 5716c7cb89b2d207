#include "compiler/passes/parts/demand_order.hpp"

namespace webnn::compiler {
namespace {

class DepthFirst {
 public:
  explicit DepthFirst(const Graph& graph) : graph_(graph), seen_(graph.node_count()) {}

  void visit(NodeId root) {
    if (!root.valid() || seen_[root.index]) return;
    push(root);
    while (!stack_.empty()) {  // an explicit stack, because graphs may be deeper than the machine's
      Frame& frame = stack_.back();
      const std::vector<ValueId>& inputs = graph_.node(frame.node).inputs;
      if (frame.next == inputs.size()) {
        order_.push_back(frame.node);
        stack_.pop_back();
        continue;
      }
      const ValueId input = inputs[frame.next++];
      if (!input.valid()) continue;
      const NodeId producer = graph_.value(input).producer;
      if (producer.valid() && !seen_[producer.index]) push(producer);
    }
  }

  std::vector<NodeId> take() { return std::move(order_); }

 private:
  struct Frame {
    NodeId node;
    std::size_t next = 0;  // input
  };

  void push(NodeId node) {
    seen_[node.index] = true;
    stack_.push_back({node, 0});
  }

  const Graph& graph_;
  std::vector<bool> seen_;
  std::vector<Frame> stack_;
  std::vector<NodeId> order_;
};

}  // namespace

std::vector<NodeId> demand_order(const Graph& graph) {
  DepthFirst search(graph);
  for (const GraphOutput& output : graph.outputs()) search.visit(graph.value(output.value).producer);
  for (std::uint32_t i = 0; i < graph.node_count(); ++i)
    if (graph.node({i}).alive) search.visit({i});
  return search.take();
}

}  // namespace webnn::compiler
