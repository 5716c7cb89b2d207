// A graph written as an ONNX file and read back.
#pragma once

#include "compiler/ir/graph.hpp"

namespace webnn::tests {

/// Throws Error (unsupported) for what ONNX cannot express, and std::runtime_error with what the reader says.
compiler::Graph through_onnx(const compiler::Graph& graph);

}  // namespace webnn::tests
