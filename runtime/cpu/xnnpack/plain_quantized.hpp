// @quantizedConv2d as it is defined, on floats: for numbers that XNNPACK's integers are too coarse for.
#pragma once

#include "runtime/kernel.hpp"

namespace webnn::runtime::xnnpack {

/// For a call on channels-last tensors with a result of bytes, whose filter, bias and scales are constants.
Kernel prepare_plain_quantized_conv2d(const KernelSpec& spec, Constants constants);

}  // namespace webnn::runtime::xnnpack
