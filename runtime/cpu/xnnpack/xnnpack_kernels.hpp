// The list of kernels that XNNPACK computes.
#pragma once

#include "runtime/kernel.hpp"

namespace webnn::runtime {

/// One entry for each row of schema/kernels/kernels.def whose provider is `xnnpack`.
std::span<const KernelEntry> xnnpack_kernels();

}  // namespace webnn::runtime
