// Checks a kernel spec as a whole: the call of the root operator, each post-op, then the outputs.
#pragma once

#include <string>
#include <vector>

#include "schema/kernels/kernel_table.hpp"

namespace webnn::schema {

/// Why `spec` is not a valid call with the outputs `spec.outputs`, as one plain sentence; empty when it is valid.
/// Assumes only that the descriptors are valid (`descriptor_error`): operator ids may be out of range, and attributes
/// and operands may be of any kind and number.
std::string spec_error(const KernelSpec& spec);

/// The results of the root operator and of each post-op, in order; for a valid spec with one output.
std::vector<OperandDescriptor> results_of_steps(const KernelSpec& spec);

}  // namespace webnn::schema
