// The oracle: evaluates a graph in double precision, to measure the errors of kernels and of other runtimes on a common
// scale.
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

/// Runs the graph node by node on the reference kernels, with float64 in place of all float32 and float16 values from
/// the inputs to the outputs. `inputs` are the graph's inputs, in order and in their own types.
///
/// Everything that the graph itself contains keeps its type: constants and numeric attributes (epsilon, alpha, limits)
/// have the digits of their own type, and integers are computed as integers. A cast between float types changes
/// nothing, however narrow the type, because rounding is the error to be measured. A cast to an integer truncates the
/// float64 value, and quantizeLinear divides and rounds it: close to a tie or an integer, the result may differ by one
/// from that of float32.
///
/// Throws Error: usage for an input of the wrong size and for dimensions without a size; unsupported for a node without
/// a reference kernel (one with post-ops).
std::vector<OracleTensor> evaluate_in_float64(const compiler::Graph& graph,
                                              std::span<const std::span<const std::byte>> inputs);

/// The call of one operator (without post-ops) with float64 in place of every float type. Attributes that the operator
/// casts to its operands' type are first cast to the type of `spec`.
schema::KernelSpec in_float64(schema::KernelSpec spec);

}  // namespace webnn::api
