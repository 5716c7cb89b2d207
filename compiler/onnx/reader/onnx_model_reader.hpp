// Reads an ONNX file into plain values.
#pragma once

#include "compiler/onnx/onnx_model.hpp"
#include "compiler/onnx/reader/onnx_tensors.hpp"

namespace webnn::compiler {

/// The model of a file: ModelProto. Tensors are views of the file where their form allows that. What cannot be used of
/// a tensor is in its `problem`; a damaged file throws WireDamage.
OnnxModel read_onnx_model(const Bytes& file, OnnxTensorReader& tensors);

}  // namespace webnn::compiler
