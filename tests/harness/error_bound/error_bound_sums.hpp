// What the error bound knows of sums of products beside their rounding: when they are exact in every order, and which
// results are left to implementations.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "tests/harness/error_bound/uncertain_operand.hpp"

namespace webnn::tests {

/// Whether every partial sum is a number of the result's type, as of small integers: then nothing is rounded, whatever
/// the order, and a sum that lacks a term is wrong however many it has.
bool has_exact_sums(const KernelSpec& spec, const std::vector<std::optional<UncertainOperand>>& operands,
                    const BoundedTensor& magnitudes);

/// The results of a convolution in channels whose filters have NaN or infinities: whether padding's zeros are
/// multiplied by these is left to implementations.
std::vector<std::size_t> beside_special_filters(const KernelSpec& spec, const UncertainOperand& filter,
                                                const BoundedTensor& output);

}  // namespace webnn::tests
