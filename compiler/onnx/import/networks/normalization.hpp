// Normalisations that several ONNX operators are made of.
#pragma once

#include "compiler/onnx/import/import_call.hpp"

namespace webnn::compiler {

/// Layer normalisation over the axes from `axis` on. Scale and bias may be absent; they broadcast to the input.
TensorId layer_normalized(ImportCall& c, TensorId x, std::uint32_t axis, double epsilon, TensorId scale, TensorId bias);
/// x / root mean square over the axes from `axis` on, computed in `type` and then of the type of x.
TensorId rms_normalized(ImportCall& c, TensorId x, std::uint32_t axis, double epsilon, OnnxType type);
/// Each of `groups` groups of channels (axis 1) to mean 0 and variance 1. Scale and bias have one number for each group
/// or for each channel.
TensorId group_normalized(ImportCall& c, TensorId x, std::int64_t groups, double epsilon, TensorId scale,
                          TensorId bias);
/// 1 / sqrt(mean of squares + epsilon) and the like over the axes from `axis` on, which become 1.
TensorId mean_from(ImportCall& c, TensorId x, std::uint32_t axis);
TensorId inverse_root(ImportCall& c, TensorId x, double epsilon);

}  // namespace webnn::compiler
