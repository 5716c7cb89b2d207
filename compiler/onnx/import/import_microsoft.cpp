// ONNX operators: microsoft.
#include "compiler/onnx/import/import_call.hpp"

namespace webnn::compiler {

std::span<const OnnxImportRow> import_microsoft_rows() { return {}; }

}  // namespace webnn::compiler
