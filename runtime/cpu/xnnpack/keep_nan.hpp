// Products and convolutions of float32 that keep NaN.
//
// XNNPACK limits all its results, if only to infinities, and its limits make one of the two of a NaN. So its operators
// run under a watch, which costs nothing; when the processor has met a NaN meanwhile and the numbers are such that a
// result may be one, plain loops compute the call again.
#pragma once

#include <memory>

#include "runtime/invalid_watch.hpp"
#include "runtime/kernel.hpp"

namespace webnn::runtime::xnnpack {

/// `fast` computes the spec's call, a conv2d, convTranspose2d, gemm or matmul, and tells `watch` what it meets.
Kernel keep_nan(const KernelSpec& spec, Kernel fast, std::shared_ptr<InvalidWatch> watch);

}  // namespace webnn::runtime::xnnpack
