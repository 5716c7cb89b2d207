// Checks that a kernel computes some lines of its output alone (runtime::Kernel::run_lines) as it computes them all.
#pragma once

#include <cstddef>
#include <span>

#include "tests/harness/run_operator.hpp"

namespace webnn::tests {

/// `whole` is what the kernel computes for `inputs`. For some lines, those lines of a channels-last first operand that they
/// do not see are overwritten with NaN. Throws std::runtime_error when lines differ, or when others are written. Does
/// nothing for kernels that compute no lines alone, and for several images.
void check_lines(const runtime::Kernel& kernel, const KernelSpec& spec, const OptionalTensors& inputs,
                 std::span<const std::byte> whole, std::byte* scratch);

}  // namespace webnn::tests
