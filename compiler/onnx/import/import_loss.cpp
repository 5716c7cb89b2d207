// ONNX operators: loss.
#include "compiler/onnx/import/import_call.hpp"

namespace webnn::compiler {

std::span<const OnnxImportRow> import_loss_rows() { return {}; }

}  // namespace webnn::compiler
