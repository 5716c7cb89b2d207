// ONNX operators: attention.
#include "compiler/onnx/import/import_call.hpp"

namespace webnn::compiler {

std::span<const OnnxImportRow> import_attention_rows() { return {}; }

}  // namespace webnn::compiler
