// Converts a graph to ONNX operators.
#pragma once

#include "compiler/ir/graph.hpp"
#include "compiler/onnx/onnx_model.hpp"

namespace webnn::compiler {

/// The operator versions that are written. Gelu is an operator from version 20 on; only graphs with 4-bit types or
/// block-wise scales need 21.
inline constexpr std::int64_t onnx_opset = 20;
inline constexpr std::int64_t onnx_opset_of_blocks = 21;

/// Where possible, every operator becomes the one ONNX operator with the same meaning, so that runtimes recognise what
/// they have fast kernels for. Channels-last operands get transposes around them; constants are brought into ONNX's
/// layout here. Indices are assumed to be in bounds: WebNN clamps others, ONNX refuses them.
///
/// Throws Error (unsupported), naming the node, for an operator, a type or an attribute that ONNX cannot express, and
/// for dimensions without a size.
OnnxModel export_onnx(const Graph& graph);

}  // namespace webnn::compiler
