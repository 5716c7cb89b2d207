// The functions behind the CPU rows of the kernel table, from all providers in this build.
#pragma once

#include <string_view>

#include "runtime/kernel.hpp"

namespace webnn::runtime {

/// Null when this build has no kernel with this name. The result stays valid for ever.
const KernelEntry* find_cpu_kernel(std::string_view name);

/// Limits the libraries behind the kernels to these features. Libraries choose their code once per process: the first
/// call decides. Later devices with fewer features still compute correctly, but with the instructions of the first one.
/// Returns the features that a device may now claim: the given ones, without those that the first call has ruled out.
Feature limit_cpu_kernels(Feature features);

}  // namespace webnn::runtime
