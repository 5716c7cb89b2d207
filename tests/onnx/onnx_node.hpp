// A node of an ONNX model that a test makes.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "compiler/onnx/onnx_model.hpp"

namespace webnn::tests {

inline compiler::OnnxNode onnx_node(std::string op, std::vector<std::string> inputs, std::vector<std::string> outputs) {
  compiler::OnnxNode result;
  result.op_type = std::move(op);
  result.inputs = std::move(inputs);
  result.outputs = std::move(outputs);
  return result;
}

}  // namespace webnn::tests
