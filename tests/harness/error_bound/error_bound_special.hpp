// Where an infinity or a NaN depends on how something was rounded.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "tests/harness/error_bound/uncertain_operand.hpp"
#include "tests/harness/error_bound/wide_operator.hpp"

namespace webnn::tests {

/// The results but NaN of a recurrent network for batches with an infinity among the operands: a gate that is nearly 0
/// may underflow to 0 in float32, which makes NaN of it.
std::vector<std::size_t> gated_infinities(const KernelSpec& spec,
                                          const std::vector<std::optional<UncertainOperand>>& operands,
                                          const BoundedTensor& output);

/// pow's operands with the bases that may be 1 or -1 and the exponents that may be 0 moved there: 1 to the power of NaN
/// is 1, and so is NaN to the power of 0.
WideTensors at_exceptions_of_pow(const std::vector<std::optional<UncertainOperand>>& operands);

}  // namespace webnn::tests
