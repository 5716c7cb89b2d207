// The functions behind the CPU's rows of the kernel table, from all providers of this build.
#pragma once

#include <string_view>

#include "runtime/kernel.hpp"

namespace webnn::runtime {

/// Null when this build has no kernel of that name. Valid for ever.
const KernelEntry* find_cpu_kernel(std::string_view name);

/// Keeps libraries behind the kernels to these features. They choose their code once per process: the first call
/// decides, and later devices with fewer features still compute rightly, with the first one's instructions. Returns the
/// features that a device may claim now: those given, without what the first call has ruled out.
Feature limit_cpu_kernels(Feature features);

}  // namespace webnn::runtime
