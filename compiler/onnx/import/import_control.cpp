// ONNX operators: control.
#include "compiler/onnx/import/import_call.hpp"

namespace webnn::compiler {

std::span<const OnnxImportRow> import_control_rows() { return {}; }

}  // namespace webnn::compiler
