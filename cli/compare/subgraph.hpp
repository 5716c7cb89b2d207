// Extracts a part of a graph as a separate graph.
#pragma once

#include <span>
#include <vector>

#include "compiler/ir/graph.hpp"

namespace webnn::cli {

/// Constants are shared with the whole graph; names and labels are kept.
struct Subgraph {
  compiler::Graph graph;
  std::vector<compiler::ValueId> inputs;   // of the whole graph, in the order of graph.inputs()
  std::vector<compiler::ValueId> outputs;  // of the whole graph, in the order of graph.outputs()
};

enum class Operands {
  chained,   // results of nodes in the part are the operands of later nodes in it
  separate,  // every node takes all its operands as inputs of the part
};

/// `nodes` must be in an order of execution, `outputs` must be their results. The graph must have no named dimensions
/// without a size.
Subgraph part_of(const compiler::Graph& graph, std::span<const compiler::NodeId> nodes,
                 std::span<const compiler::ValueId> outputs, Operands operands = Operands::chained);

/// The results of `nodes` that other nodes or the graph's outputs need.
std::vector<compiler::ValueId> live_results(const compiler::Graph& graph, std::span<const compiler::NodeId> nodes);

}  // namespace webnn::cli
