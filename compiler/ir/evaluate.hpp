// The function with which graphs compute constants; the runtime lends it.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "schema/kernels/kernel_table.hpp"

namespace webnn::compiler {

using namespace webnn::schema;

/// Runs one operator on constant operands with the reference kernels. `inputs` follow the spec (an empty span for an
/// absent operand), `outputs` have the size of the spec's outputs. False: there is no kernel for it.
using Evaluate = std::function<bool(const KernelSpec& spec, std::span<const std::span<const std::byte>> inputs,
                                    std::span<const std::span<std::byte>> outputs)>;

}  // namespace webnn::compiler
