// Adds the kernels computed by oneDNN to a list.
#pragma once

#include <string>

#include "runtime/cpu_kernel.hpp"

namespace webnn::runtime {

void add_onednn_kernels(CpuKernelList& list);

/// oneDNN's name for the code behind a kernel of this list ("brgconv:avx512_core"), for reports and tests; code whose
/// name begins with "ref" is slow. `constant_weights`: operand 1 is a constant.
std::string onednn_implementation(const KernelSpec& spec, bool constant_weights);

/// Limits oneDNN to the instruction sets in `features`. This is possible once per process, before oneDNN's first
/// kernel: the first call decides, later calls change nothing. Returns the features that its rows may use: the given
/// ones, but without avx512_vnni if oneDNN was limited to less before, because its int8 products would then saturate.
Feature limit_onednn_isa(Feature features);

}  // namespace webnn::runtime
