// Operands of ONNX operators that are attributes in WebNN, and so have to be known before a graph is built.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "compiler/onnx/onnx_model.hpp"

namespace webnn::compiler {

/// The inputs of the model that are such operands: shapes, axes, pads, sizes, limits. All others are data.
std::vector<std::string> constant_operands(const OnnxModel& model);

/// The names of an input's dimensions without a size (as --dim takes them), with the sizes that `dims` gives them.
std::vector<std::pair<std::string, std::uint32_t>> open_dimensions(const OnnxValue& input, const OnnxIntegers& dims);
/// The name of dimension `axis`: the file's, or "INPUT[axis]".
std::string dimension_name(const OnnxValue& input, std::size_t axis);

}  // namespace webnn::compiler
