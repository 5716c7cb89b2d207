// Internal operators on quantised tensors as the operators of the specification that they stand for.
#pragma once

#include <optional>
#include <vector>

#include "tests/harness/error_bound/error_bound.hpp"

namespace webnn::tests {

/// The bounded outputs of what a call without post-ops stands for; nullopt for an operator that stands for itself.
std::optional<std::vector<BoundedTensor>> bounded_outputs_of_parts(const KernelSpec& spec,
                                                                   const OptionalBoundedTensors& inputs);

}  // namespace webnn::tests
