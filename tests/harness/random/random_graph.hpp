// Graphs made by chance from the operator table: valid, small, deterministic in the seed.
#pragma once

#include <cstdint>
#include <optional>
#include <random>

#include "compiler/ir/graph.hpp"
#include "tests/harness/evaluate_graph.hpp"

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

/// A chance value for an attribute; nullopt: not given, never for a required one. `first` is the operator's first
/// operand, whose rank and sizes the lists follow. Not every value makes a correct call.
std::optional<schema::AttributeValue> random_attribute(std::mt19937& engine, const schema::AttributeRow& row,
                                                       const schema::OperandDescriptor& first);

/// Elements by chance, among them the ones that exactness fails on: zeros of both signs, infinities and NaN for floats,
/// the extremes for integers.
TestTensor random_tensor(const schema::OperandDescriptor& descriptor, std::mt19937& engine);
/// One for each input of the graph.
TestTensors random_inputs(const compiler::Graph& graph, std::mt19937& engine);

}  // namespace webnn::tests
