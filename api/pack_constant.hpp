// Packing of constants for the kernels of every device.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "schema/program.hpp"

namespace webnn::api {

/// Packs a constant operand for a kernel, see runtime::PackFunction.
std::optional<schema::PackedConstant> pack_constant(schema::KernelId kernel, const schema::KernelSpec& spec,
                                                    std::size_t operand, std::span<const std::byte> bytes);

}  // namespace webnn::api
