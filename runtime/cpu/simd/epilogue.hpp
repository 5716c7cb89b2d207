// Post-ops of a kernel that does not apply them while it writes its output: elementwise steps over the output behind
// it. Limits of the output, the most frequent of them, are for kernels to apply.
#pragma once

#include <cstddef>
#include <limits>

#include "runtime/cpu/simd/isa.hpp"

namespace webnn::runtime::simd {

/// What a relu or clamp that comes first keeps the output in.
struct OutputLimits {
  float low = -std::numeric_limits<float>::infinity(), high = std::numeric_limits<float>::infinity();
  std::size_t post_ops = 0;  // that these are: 1, or 0 when the first post-op is another one
};
OutputLimits limits_of_first_post_op(const KernelSpec& spec);

/// The kernel `root`, which applies the first `applied` post-ops of `spec` itself, and then the others.
template <Isa isa>
Kernel with_post_ops(Kernel root, const KernelSpec& spec, Constants constants, std::size_t applied = 0);

}  // namespace webnn::runtime::simd
