// The list of kernels that oneDNN computes.
#pragma once

#include <string>

#include "runtime/kernel.hpp"

namespace webnn::runtime {

/// One entry for each row of schema/kernels/kernels.def whose provider is `onednn`.
std::span<const KernelEntry> onednn_kernels();

/// oneDNN's own name of the code behind a kernel of this list ("brgconv:avx512_core"), for reports and tests: what
/// begins with "ref" is slow. `constant_weights`: operand 1 is a constant.
std::string onednn_implementation(const KernelSpec& spec, bool constant_weights);

/// Keeps oneDNN to the instruction sets in `features`. It takes this once per process and only before its first
/// kernel: the first caller decides, later calls change nothing. Returns the features that its rows may count on: those
/// given, without avx512_vnni when oneDNN was kept from it before. (Its products of bytes saturate then.)
Feature limit_onednn_isa(Feature features);

}  // namespace webnn::runtime
