// What several families of mathematical operators share.
#pragma once

#include "compiler/onnx/import/import_call.hpp"

namespace webnn::compiler {

/// Constants that only the importer needs, such as lists of indices, have at most so many elements.
inline constexpr std::int64_t most_listed_elements = std::int64_t{1} << 22;

/// WebNN has booleans as uint8 and would compute with them.
void refuse_booleans(const ImportCall& c);

/// Logarithms of softmax.
TensorId import_log_softmax(ImportCall& c, TensorId x, std::int64_t axis);

/// A matrix product as numpy has it: tensors of one axis are a row and a column; integers are exact.
TensorId import_matmul(ImportCall& c, TensorId a, TensorId b);

/// A scale or zero point in the form that WebNN has for a tensor of these sizes: one element, or one for each place of
/// `axis`, or already of the tensor's rank: without an axis, one for each block.
using QuantizedAxis = std::optional<std::int64_t>;
TensorId quantization_operand(ImportCall& c, TensorId operand, const OnnxIntegers& sizes, QuantizedAxis axis);
/// `zero_point` may be absent; then `type` is that of the result.
TensorId import_quantized(ImportCall& c, TensorId x, TensorId scale, TensorId zero_point, OnnxType type,
                          QuantizedAxis axis);
/// `zero_point` may be absent.
TensorId import_dequantized(ImportCall& c, TensorId x, TensorId scale, TensorId zero_point, QuantizedAxis axis);

/// To uint8 by the range of the elements, which includes 0.
struct DynamicallyQuantized {
  TensorId tensor, scale, zero_point;
};
DynamicallyQuantized import_dynamically_quantized(ImportCall& c, TensorId x);

void read_einsum(ImportCall& c);

}  // namespace webnn::compiler
