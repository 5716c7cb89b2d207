// ONNX operators: resize.
#include "compiler/onnx/import/import_call.hpp"

namespace webnn::compiler {

std::span<const OnnxImportRow> import_resize_rows() { return {}; }

}  // namespace webnn::compiler
