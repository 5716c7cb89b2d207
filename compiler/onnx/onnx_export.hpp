// A graph in the operators of ONNX.
#pragma once

#include "compiler/ir/graph.hpp"
#include "compiler/onnx/onnx_model.hpp"

namespace webnn::compiler {

/// The versions of the operators that are written. Gelu is an operator of its own from 20 on; only graphs with 4-bit
/// types or block-wise scales need 21.
inline constexpr std::int64_t onnx_opset = 20;
inline constexpr std::int64_t onnx_opset_of_blocks = 21;

/// Every operator becomes the one ONNX operator that means the same wherever there is one, so that runtimes find what
/// they have fast kernels for. Operands with channels last get transposes around them; constants are brought into
/// ONNX's layout here. Indices are taken to lie within bounds: WebNN clamps others, ONNX refuses them.
///
/// Throws Error (unsupported) for an operator, a type or an attribute that ONNX cannot express, naming the node, and
/// for dimensions without a size.
OnnxModel export_onnx(const Graph& graph);

}  // namespace webnn::compiler
