// Graphs made by chance from the operator table: valid, small, deterministic in the seed.
#pragma once

#include <cstdint>

#include "compiler/ir/graph.hpp"

namespace webnn::tests {

struct RandomGraphOptions {
  unsigned nodes = 12;
  bool odd_names = false;         // names with spaces, quotes, control characters, other scripts
  bool post_ops = false;          // attaches elementwise operators to some nodes
  bool named_dimensions = false;  // names a dimension of some inputs
};

/// Inputs, constants (zeros, ones, minus zero and chance values) and nodes of any operator; every unused result is an
/// output.
compiler::Graph random_graph(std::uint32_t seed, const RandomGraphOptions& options = {});

}  // namespace webnn::tests
