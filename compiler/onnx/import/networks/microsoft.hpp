// Readers of com.microsoft's operators, for its table.
#pragma once

#include "compiler/onnx/import/import_call.hpp"

namespace webnn::compiler {

void read_matmul_n_bits(ImportCall& c);
void read_gather_block_quantized(ImportCall& c);

/// An activation that a node names in `activation`, with its numbers in `numbers`; absent, x.
TensorId fused_activation(ImportCall& c, TensorId x, const std::vector<double>& numbers);

}  // namespace webnn::compiler
