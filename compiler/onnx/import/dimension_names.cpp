#include "compiler/onnx/import/dimension_names.hpp"

#include <limits>

namespace webnn::compiler {

std::string dimension_name(const OnnxValue& input, std::size_t axis) {
  const std::string& name = input.dim_names[axis];
  return name.empty() ? input.name + "[" + std::to_string(axis) + "]" : name;
}

std::vector<std::pair<std::string, std::uint32_t>> open_dimensions(const OnnxValue& input, const OnnxIntegers& dims) {
  std::vector<std::pair<std::string, std::uint32_t>> result;
  for (std::size_t axis = 0; axis < input.dims.size() && axis < dims.size(); ++axis)
    if (input.dims[axis] <= 0 && dims[axis] > 0 && dims[axis] <= std::numeric_limits<std::uint32_t>::max())
      result.emplace_back(dimension_name(input, axis), std::uint32_t(dims[axis]));
  return result;
}

}  // namespace webnn::compiler
