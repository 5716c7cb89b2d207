// The list of reference kernels: every operator of the specification, for every type that its row allows.
#pragma once

#include "runtime/kernel.hpp"

namespace webnn::runtime {

/// One entry for each row of schema/kernels/kernels.def whose provider is `reference`.
std::span<const KernelEntry> reference_kernels();

}  // namespace webnn::runtime
