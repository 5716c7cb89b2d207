// Nodes added to a graph on trial: they are removed again unless they are kept.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "compiler/ir/free_name.hpp"
#include "compiler/ir/graph.hpp"

namespace webnn::compiler {

class Addition {
 public:
  explicit Addition(Graph& graph) : graph_(graph) {}
  ~Addition() {
    for (; !kept_ && !nodes_.empty(); nodes_.pop_back()) graph_.erase(nodes_.back());
  }
  Addition(const Addition&) = delete;
  Addition& operator=(const Addition&) = delete;

  /// As Graph::add_node, but a long label is cut off, for it may become that of many nodes. After the first call that an
  /// operator refuses, this and all further results are invalid.
  NodeId node(OperatorId op, std::vector<ValueId> inputs, Attributes attributes = {}, const std::string& label = {},
              std::span<const std::string> output_names = {}) {
    if (failed_) return {};
    const NodeId id = graph_.add_node(op, std::move(inputs), std::move(attributes), output_names, derived_name(label));
    failed_ = !id.valid();
    if (!failed_) nodes_.push_back(id);
    return id;
  }
  /// The first output of such a node.
  ValueId value(OperatorId op, std::vector<ValueId> inputs, Attributes attributes = {}, const std::string& label = {},
                std::span<const std::string> output_names = {}) {
    const NodeId id = node(op, std::move(inputs), std::move(attributes), label, output_names);
    return id.valid() ? graph_.node(id).outputs[0] : ValueId{};
  }

  Graph& graph() { return graph_; }
  bool failed() const { return failed_; }
  /// In the order in which they were added.
  const std::vector<NodeId>& nodes() const { return nodes_; }
  void keep() { kept_ = true; }

 private:
  Graph& graph_;
  std::vector<NodeId> nodes_;
  bool failed_ = false, kept_ = false;
};

}  // namespace webnn::compiler
