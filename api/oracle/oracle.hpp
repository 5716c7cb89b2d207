// The oracle: a graph evaluated in double precision, so that the errors of kernels and of other runtimes can be
// compared on one scale.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "compiler/ir/graph.hpp"

namespace webnn::api {

struct OracleTensor {
  std::string name;
  schema::OperandDescriptor descriptor;  // as in the graph
  std::vector<double> values;            // row-major; integers beyond 2^53 are rounded
};

/// Runs the graph node by node with the reference kernels; float32 and float16 values are kept as float64 from the
/// inputs to the outputs. `inputs` are the graph's, in its order, in the types of the graph.
///
/// What the graph itself says is taken as it says it: constants and numbers of attributes (epsilon, alpha, limits) have
/// the digits of their own type. Integers are computed as they are. A cast between float types changes nothing, however
/// narrow the type: rounding is the error that is measured. A cast to an integer truncates, and quantizeLinear divides
/// and rounds, what float64 holds: beside a tie or a whole number the result may be one off from that of float32.
///
/// Throws Error: usage for an input of the wrong size and for dimensions that have no size yet, unsupported for a node
/// that no reference kernel takes (one with post-ops).
std::vector<OracleTensor> evaluate_in_float64(const compiler::Graph& graph,
                                              std::span<const std::span<const std::byte>> inputs);

/// One operator's call (no post-ops) with float64 in the place of every float; attributes that the operator casts to
/// its operands' type have been cast to the type of `spec`.
schema::KernelSpec in_float64(schema::KernelSpec spec);

}  // namespace webnn::api
