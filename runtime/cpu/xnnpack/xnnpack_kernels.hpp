// The list of kernels computed by XNNPACK.
#pragma once

#include "runtime/kernel.hpp"

namespace webnn::runtime {

/// One entry for each row of schema/kernels/kernels.def whose provider is `xnnpack`.
std::span<const KernelEntry> xnnpack_kernels();

}  // namespace webnn::runtime
