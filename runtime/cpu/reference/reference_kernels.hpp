// Adds the reference kernels to a list: every operator of the specification, for every type that its row allows.
#pragma once

#include "runtime/cpu_kernel.hpp"

namespace webnn::runtime {

void add_reference_kernels(CpuKernelList& list);

}  // namespace webnn::runtime
