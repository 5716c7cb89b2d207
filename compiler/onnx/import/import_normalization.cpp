// ONNX operators: normalization.
#include "compiler/onnx/import/import_call.hpp"

namespace webnn::compiler {

std::span<const OnnxImportRow> import_normalization_rows() { return {}; }

}  // namespace webnn::compiler
