// Which inputs of ONNX's tests become constants: those that are attributes in WebNN, and so have to be known before a
// graph is built.
#pragma once

#include <string>
#include <vector>

#include "compiler/onnx/onnx_model.hpp"

namespace webnn::cli {

/// The inputs of the model that are such operands: shapes, axes, pads, sizes, limits. All others are data, so that no
/// test passes because everything in it was computed before.
std::vector<std::string> constant_operands(const compiler::OnnxModel& model);

}  // namespace webnn::cli
