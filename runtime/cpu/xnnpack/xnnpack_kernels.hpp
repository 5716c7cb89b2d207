// Adds the kernels computed by XNNPACK to a list.
#pragma once

#include "runtime/cpu_kernel.hpp"

namespace webnn::runtime {

void add_xnnpack_kernels(CpuKernelList& list);

}  // namespace webnn::runtime
