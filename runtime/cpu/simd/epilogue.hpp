// Post-ops of a kernel that does not apply them while it writes its output: elementwise steps over the output behind
// it.
#pragma once

#include "runtime/cpu/simd/isa.hpp"

namespace webnn::runtime::simd {

/// The kernel `root`, which applies the first `applied` post-ops of `spec` itself, and then the others.
template <Isa isa>
Kernel with_post_ops(Kernel root, const KernelSpec& spec, Constants constants, std::size_t applied = 0);

}  // namespace webnn::runtime::simd
