// The functions behind the CPU's rows of the kernel table, from all providers of this build.
#pragma once

#include <string_view>

#include "runtime/kernel.hpp"

namespace webnn::runtime {

/// Null when this build has no kernel of that name. Valid for ever.
const KernelEntry* find_cpu_kernel(std::string_view name);

}  // namespace webnn::runtime
