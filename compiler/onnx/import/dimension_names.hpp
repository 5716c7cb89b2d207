// The names of dimensions without a size, for --dim.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "compiler/onnx/onnx_model.hpp"

namespace webnn::compiler {

/// The name of dimension `axis` of an input: the file's, or "INPUT[axis]".
std::string dimension_name(const OnnxValue& input, std::size_t axis);

/// The names of an input's dimensions without a size, with the sizes that `dims` gives them.
std::vector<std::pair<std::string, std::uint32_t>> open_dimensions(const OnnxValue& input, const OnnxIntegers& dims);

}  // namespace webnn::compiler
