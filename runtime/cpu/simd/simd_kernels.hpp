// Adds our own kernels to a list.
#pragma once

#include "runtime/cpu_kernel.hpp"

namespace webnn::runtime {

void add_simd_kernels(CpuKernelList& list);

}  // namespace webnn::runtime
