// Products and convolutions of float32 that keep NaN.
//
// XNNPACK limits all its results, if only to infinities, and its limits make one of the two of a NaN; what the
// processor marks when it meets a NaN, XNNPACK takes back. So the input is looked at before: unless its numbers are so
// small that no sum of products leaves the range of float32, plain loops compute the call instead. That reads the input
// once.
#pragma once

#include <functional>

#include "runtime/kernel.hpp"

namespace webnn::runtime::xnnpack {

/// `fast` computes the spec's call: a conv2d, convTranspose2d, gemm or matmul with constant weights.
Kernel keep_nan(const KernelSpec& spec, Constants constants, Kernel fast);

/// Computes a call.
using Plain = std::function<void(const KernelArguments&)>;
/// `fast` where the magnitudes of all `count` elements of operand 0 are below `safe`, elsewhere `plain`.
Kernel where_small(float safe, std::size_t count, Kernel fast, Plain plain);

}  // namespace webnn::runtime::xnnpack
