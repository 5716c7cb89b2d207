// A part of a graph as a graph of its own.
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
  chained,   // what a node of the part computes is what the next one takes
  separate,  // every node takes all its operands as inputs of the part
};

/// `nodes` in an order of execution; `outputs` are results of theirs. The graph has no named dimensions without a size.
Subgraph part_of(const compiler::Graph& graph, std::span<const compiler::NodeId> nodes,
                 std::span<const compiler::ValueId> outputs, Operands operands = Operands::chained);

/// Results of `nodes` that other nodes or the graph's outputs need.
std::vector<compiler::ValueId> live_results(const compiler::Graph& graph, std::span<const compiler::NodeId> nodes);

}  // namespace webnn::cli
