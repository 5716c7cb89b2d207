// The prepare functions of the kernels that are the same for every instruction set.
#pragma once

#include "runtime/cpu/simd/isa.hpp"

namespace webnn::runtime::simd {

// One strided copy or several: movement.cpp
Kernel prepare_copy(const KernelSpec&, Constants);
Kernel prepare_reorder(const KernelSpec&, Constants);
Kernel prepare_transpose(const KernelSpec&, Constants);
Kernel prepare_concat(const KernelSpec&, Constants);
Kernel prepare_split(const KernelSpec&, Constants);
Kernel prepare_slice(const KernelSpec&, Constants);
Kernel prepare_expand(const KernelSpec&, Constants);
Kernel prepare_tile(const KernelSpec&, Constants);
Kernel prepare_reverse(const KernelSpec&, Constants);

// pad.cpp, triangular.cpp, cumulative_sum.cpp
Kernel prepare_pad(const KernelSpec&, Constants);
Kernel prepare_triangular(const KernelSpec&, Constants);
Kernel prepare_cumulative_sum(const KernelSpec&, Constants);

// By an operand of indices: indexed.cpp
Kernel prepare_gather(const KernelSpec&, Constants);
Kernel prepare_gather_elements(const KernelSpec&, Constants);
Kernel prepare_gather_nd(const KernelSpec&, Constants);
Kernel prepare_scatter_elements(const KernelSpec&, Constants);
Kernel prepare_scatter_nd(const KernelSpec&, Constants);

}  // namespace webnn::runtime::simd
