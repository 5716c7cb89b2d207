// What a row of the kernel table asks of a random call: layouts, constants and their packed forms; and the call with them as text.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "schema/kernels/kernel_table.hpp"
#include "tests/harness/random/random_call.hpp"

namespace webnn::tests {

/// Layouts for the call's activations as the row's rule allows them.
void choose_layouts(const KernelRow& kernel, KernelSpec& spec, std::mt19937& engine);

/// Operands that are constants: those that must be, and most of those that the row packs.
std::uint8_t random_constants(const KernelRow& kernel, const KernelSpec& spec, std::mt19937& engine);

/// Brings row-major operands into the layouts of the spec.
void bring_into_layouts(RandomCall& call);

/// Brings operands into the layouts of the spec, and most constants that the row packs into its form. Returns which
/// operands are constants.
std::vector<std::size_t> arrange_operands(const KernelRow& kernel, RandomCall& call, std::mt19937& engine);

/// The call with all that a row sees of it: "conv2d(float32[1, 3, 8, 8]/channels_last, const float32[4, 3, 3, 3]/FORM, _)
/// {strides=[2, 2]} -> relu : float32[1, 4, 4, 4]/channels_last". Row-major layouts are left out.
std::string text_of(const KernelSpec& spec);

}  // namespace webnn::tests
