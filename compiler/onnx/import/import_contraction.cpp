// ONNX operators: contraction.
#include "compiler/onnx/import/import_call.hpp"

namespace webnn::compiler {

std::span<const OnnxImportRow> import_contraction_rows() { return {}; }

}  // namespace webnn::compiler
