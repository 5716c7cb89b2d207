// ONNX operators: quantization.
#include "compiler/onnx/import/import_call.hpp"

namespace webnn::compiler {

std::span<const OnnxImportRow> import_quantization_rows() { return {}; }

}  // namespace webnn::compiler
