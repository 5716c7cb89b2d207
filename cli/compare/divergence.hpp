// Finds where two graphs, or one graph on two devices, begin to differ: the first operator in topological order.
//
// Every operator of the checked side gets the operands that the reference side computed, so a difference is the
// operator's own and never inherited. Operators run in batches, and a value is dropped after its last user has run, so
// the memory needed is that of a run plus one batch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/compare/subgraph.hpp"
#include "cli/compare/verdict.hpp"
#include "compiler/frontend/npy.hpp"

namespace webnn::cli {

using TensorBytes = std::vector<std::byte>;

/// Compiles and runs a graph: takes one view for each of its inputs, in order, and gives one vector for each output.
using RunGraph = std::function<std::vector<TensorBytes>(const compiler::Graph& graph,
                                                        const std::vector<std::span<const std::byte>>& inputs)>;

/// The graph's named dimensions must have sizes.
struct DivergenceSide {
  const compiler::Graph* graph = nullptr;
  RunGraph run;
};

struct DivergenceOptions {
  ToleranceOptions tolerance;
  std::uint64_t batch_bytes = 0;  // bytes of the results of one batch; 0: a share of what a run keeps alive
  std::function<void(double done)> progress = {};  // share of the operators, 0 to 1
};

struct Divergence {
  std::vector<compiler::NodeId> nodes;  // of the checked graph; if several, they differ only together
  std::string reason;                   // how the operator itself differs; empty: no visible difference
  std::vector<TensorVerdict> verdicts;  // of its results that differ; empty when they cannot be compared
  // The smallest part of the checked graph that shows the difference, with the reference's operands and results:
  Subgraph part;
  std::vector<TensorBytes> inputs, expected;  // by input and by output of part.graph
};

/// Nullopt when no operator differs, neither alone nor together with others. `inputs` are those of the reference graph,
/// in its order. Throws what the sides throw.
std::optional<Divergence> find_divergence(const DivergenceSide& reference, const DivergenceSide& checked,
                                          const std::vector<std::span<const std::byte>>& inputs,
                                          const DivergenceOptions& options);

/// The maximum bytes of inputs and results that are live at the same time when the graph runs operator by operator.
std::uint64_t most_live_bytes(const compiler::Graph& graph);

}  // namespace webnn::cli
