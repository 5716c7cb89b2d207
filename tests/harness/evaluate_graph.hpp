// Runs a graph node by node with the reference kernels: what every faster way must agree with.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "compiler/ir/graph.hpp"
#include "tests/harness/run_operator.hpp"

namespace webnn::tests {

using TestTensors = std::vector<std::pair<std::string, TestTensor>>;

/// The graph's outputs, in its order. Throws std::runtime_error when an input is missing or has another descriptor, or
/// when a node has no reference kernel.
TestTensors evaluate_graph(const compiler::Graph& graph, const TestTensors& inputs);

/// Whether two runs gave the same outputs, bit for bit, except that all NaNs are one.
bool same_results(const TestTensors& a, const TestTensors& b);

}  // namespace webnn::tests
