// ONNX operators: indexed.
#include "compiler/onnx/import/import_call.hpp"

namespace webnn::compiler {

std::span<const OnnxImportRow> import_indexed_rows() { return {}; }

}  // namespace webnn::compiler
