// The choice of a kernel row; select_kernels writes it down, and decompose asks whether there is one.
#pragma once

#include <optional>

#include "compiler/options.hpp"

namespace webnn::compiler {

/// The first row of the table that takes the call and that `Options::available` allows; rows of the preferred provider
/// come first. Nullopt: no kernel runs it.
std::optional<KernelId> choose_kernel(const KernelSpec& spec, const Options& options);

}  // namespace webnn::compiler
