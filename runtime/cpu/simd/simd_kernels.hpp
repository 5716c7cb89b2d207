// The list of our own vector kernels, written with Highway for AVX2 and AVX-512.
#pragma once

#include "runtime/kernel.hpp"

namespace webnn::runtime {

/// One entry for each row of schema/kernels/kernels.def whose provider is `simd`.
std::span<const KernelEntry> simd_kernels();

}  // namespace webnn::runtime
