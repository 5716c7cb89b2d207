// ONNX operators: recurrent.
#include "compiler/onnx/import/import_call.hpp"

namespace webnn::compiler {

std::span<const OnnxImportRow> import_recurrent_rows() { return {}; }

}  // namespace webnn::compiler
