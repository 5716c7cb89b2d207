// Products and convolutions of float32 that keep NaN.
//
// XNNPACK limits all its results, if only to infinities, and its limits turn a NaN into one of them; it also clears the
// floating-point flags that would show it. So the input is inspected first, which costs one pass over it. Unless its numbers
// are so small that no sum of products can leave the range of float32, the positions that see the others are computed
// again, without XNNPACK.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "runtime/kernel.hpp"

namespace webnn::runtime::xnnpack {

/// `fast` computes the spec's call: a conv2d, convTranspose2d, gemm or matmul with constant weights.
Kernel keep_nan(const KernelSpec& spec, Constants constants, Kernel fast);

/// Computes a call.
using Plain = std::function<void(const KernelArguments&)>;
/// Runs `fast` if the magnitudes of all `count` elements of operand 0 are below `safe`, otherwise `plain`.
Kernel where_small(float safe, std::size_t count, Kernel fast, Plain plain);

}  // namespace webnn::runtime::xnnpack
