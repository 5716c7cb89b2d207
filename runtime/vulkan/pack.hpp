// Constant operands of GPU kernels in the forms that the kernels want.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "runtime/kernel.hpp"

namespace webnn::runtime {

/// Packs a constant operand for a GPU kernel, see PackFunction.
std::optional<PackedConstant> pack_gpu_constant(KernelId kernel, const KernelSpec& spec, std::size_t operand,
                                                std::span<const std::byte> bytes);

}  // namespace webnn::runtime
