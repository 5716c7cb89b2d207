// Reads an ONNX file into plain values.
#pragma once

#include "compiler/onnx/onnx_model.hpp"
#include "compiler/onnx/reader/onnx_tensors.hpp"

namespace webnn::compiler {

struct OnnxFileLimits {
  std::uint64_t max_nodes = 1u << 20;
  std::uint64_t max_bytes = std::uint64_t{1} << 30;  // of what is no tensor, as it takes memory
};

/// The model of a file: ModelProto. Tensors are views of the file where their form allows that. What cannot be used of
/// a tensor is in its `problem`; a damaged file throws WireDamage.
OnnxModel read_onnx_model(const Bytes& file, OnnxTensorReader& tensors, const OnnxFileLimits& limits = {});

}  // namespace webnn::compiler
