// Where two graphs, or one graph on two devices, begin to differ: the first operator in topological order.
//
// Every operator of the side that is checked gets the operands that the reference side computed, so that a difference
// is that operator's own and never one that was handed down. Operators are run in batches; a value is kept only until
// the last operator that needs it has run, so the memory is that of a run and of one batch.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/compare/subgraph.hpp"
#include "cli/compare/verdict.hpp"
#include "compiler/frontend/npy.hpp"

namespace webnn::cli {

using TensorBytes = std::vector<std::byte>;

/// Compiles and runs a graph; one view for each of its inputs, in order, one vector for each output.
using RunGraph = std::function<std::vector<TensorBytes>(const compiler::Graph& graph,
                                                        const std::vector<std::span<const std::byte>>& inputs)>;

/// Named dimensions have sizes.
struct DivergenceSide {
  const compiler::Graph* graph = nullptr;
  RunGraph run;
};

struct DivergenceOptions {
  ToleranceOptions tolerance;
  std::uint64_t batch_bytes = 0;                   // of the results of one batch; 0: a share of what a run keeps alive
  std::function<void(double done)> progress = {};  // share of the operators, 0 to 1
};

struct Divergence {
  std::vector<compiler::NodeId> nodes;  // of the checked graph; several: only together they differ
  std::string reason;                   // what is different about the operator itself; empty: nothing that is seen
  std::vector<TensorVerdict> verdicts;  // of its results that differ; empty when they cannot be compared
  // The smallest graph that shows it, of the checked side, with the reference's operands and results:
  Subgraph part;
  std::vector<TensorBytes> inputs, expected;  // by part.graph's inputs and outputs
};

/// Nullopt when no operator differs, neither alone nor together with others. `inputs` are the reference graph's, in its
/// order. Throws what the sides throw.
std::optional<Divergence> find_divergence(const DivergenceSide& reference, const DivergenceSide& checked,
                                          const std::vector<std::span<const std::byte>>& inputs,
                                          const DivergenceOptions& options);

/// Most bytes of inputs and results that live at one time when the graph is run operator by operator.
std::uint64_t most_live_bytes(const compiler::Graph& graph);

}  // namespace webnn::cli
