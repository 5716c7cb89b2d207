// Checks a kernel spec as a whole: the call of the root operator, each post-op, then the outputs.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "schema/kernels/kernel_table.hpp"

namespace webnn::schema {

/// What the steps of an expression give.
struct InferredSteps {
  std::vector<OperandDescriptor> results;  // of each step, of the root its first; up to the first error
  std::vector<OperandDescriptor> outputs;  // the last result, or without post-ops all of the root's; empty after errors
  std::vector<CallError> errors;           // of step `results.size()`
};
/// Infers the steps one after another. `inputs` has null for an absent operand. The form of the expression must be
/// right.
InferredSteps infer_steps(const Expression& expression, std::span<const OperandDescriptor* const> inputs);

/// Why `spec` is not a valid call with the outputs `spec.outputs`, as one plain sentence; empty when it is valid.
/// Assumes only that the descriptors are valid (`descriptor_error`): operator ids may be out of range, and attributes
/// and operands may be of any kind and number.
std::string spec_error(const KernelSpec& spec);

/// The results of the root operator and of each post-op, in order; for a valid spec with one output.
std::vector<OperandDescriptor> results_of_steps(const KernelSpec& spec);

}  // namespace webnn::schema
