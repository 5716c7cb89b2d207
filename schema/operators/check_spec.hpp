// Checks a kernel spec as a whole: the root operator's call, then each post-op's, then the outputs.
#pragma once

#include <string>
#include <vector>

#include "schema/kernels/kernel_table.hpp"

namespace webnn::schema {

/// Why `spec` is not a correct call whose outputs have the descriptors that `spec.outputs` says, as one plain sentence;
/// empty when it is. Assumes nothing about the spec but that its descriptors are valid (`descriptor_error`): operator
/// ids may be out of range, attributes and operands of any kind and number.
std::string spec_error(const KernelSpec& spec);

/// What the root operator and each post-op give, in order; of a spec with one output and without errors.
std::vector<OperandDescriptor> results_of_steps(const KernelSpec& spec);

}  // namespace webnn::schema
