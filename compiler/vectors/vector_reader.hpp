// Conformance vectors: small graphs with inputs, expected outputs and a tolerance, from the WebNN tests of the Web
// Platform Tests.
//
// A file is {"tests": [{"name", "tolerance": {"metricType": "ULP" | "ATOL", "value"}, "graph": {"inputs", "operators",
// "expectedOutputs"}}]}. A tensor is {"data": [..] or one number that fills it, "descriptor", "constant"?: true}; its
// numbers are cast to its type. An operator is {"name", "arguments": [{"name": value}, ..], "outputs": name or names}.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/frontend/npy.hpp"
#include "compiler/ir/graph.hpp"
#include "schema/elements/compare_tensors.hpp"

namespace webnn::compiler {

struct NamedTensor {
  std::string name;
  Tensor tensor;
};

struct ConformanceVector {
  std::string name;
  Graph graph;                        // tensors marked as constant are constants of the graph
  std::vector<NamedTensor> inputs;    // one for each input of the graph
  std::vector<NamedTensor> expected;  // one for each output of the graph
  Tolerance tolerance;
  std::vector<std::string> errors;  // why there is no graph; one plain lower-case sentence each
};

/// Reads all vectors of a file. A vector whose graph cannot be built has `errors`; the others are not affected. Throws
/// Error (invalid_input) when the text is not a file of vectors. `file_name` is for messages. A tensor or result of
/// more than `max_bytes` is an error, and no memory is allocated for it.
std::vector<ConformanceVector> read_conformance_vectors(std::string_view text, const std::string& file_name,
                                                        std::uint64_t max_bytes = max_tensor_bytes);

}  // namespace webnn::compiler
