// Computes a call one step after another, each as a call of its own: how results with post-ops are known to be right.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "schema/operators/check_spec.hpp"

namespace webnn::tests {

/// The outputs of a call without post-ops, otherwise the result of each step. `run(step, inputs)` gives the outputs of a
/// spec without post-ops and layouts.
template <class Tensor, class Run>
std::vector<Tensor> outputs_by_steps(const schema::KernelSpec& spec, const std::vector<std::optional<Tensor>>& inputs,
                                     Run run) {
  using namespace schema;
  const Expression expression(spec);
  const bool is_alone = expression.size() == 1;
  const std::vector<OperandDescriptor> descriptors = is_alone ? spec.outputs : results_of_steps(spec);
  std::vector<Tensor> of_root;
  const auto compute = [&](std::size_t step, std::span<const Tensor* const> operands) {
    KernelSpec alone = node_of_steps<KernelSpec>(expression, step, step + 1, [&](StepOperand operand) {
      return operand.is_step() ? descriptors.at(operand.index) : spec.inputs[operand.index];
    });
    alone.outputs = is_alone ? descriptors : std::vector{descriptors.at(step)};
    std::vector<std::optional<Tensor>> tensors;
    for (const Tensor* operand : operands) tensors.push_back(operand ? std::optional(*operand) : std::nullopt);
    std::vector<Tensor> outputs = run(alone, tensors);
    if (is_alone) of_root = outputs;
    return outputs[0];
  };
  const auto input = [&](std::size_t i) { return inputs[i] ? &*inputs[i] : nullptr; };
  std::vector<Tensor> results = results_of<Tensor>(expression, input, compute);
  return is_alone ? of_root : results;
}

}  // namespace webnn::tests
