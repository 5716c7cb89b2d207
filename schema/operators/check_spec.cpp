#include "schema/operators/check_spec.hpp"

#include "schema/sentence.hpp"

namespace webnn::schema {
namespace {

/// What is wrong with the outputs of a call as a step of an expression with `size` steps; empty when nothing is. The step
/// before had a result of shape `before`.
std::string step_error(const OperatorCall& call, std::span<const OperandDescriptor> outputs, std::size_t size,
                       const Shape* before) {
  if (outputs.empty()) return "has no result";
  if (size > 1 && outputs.size() != 1) return "post-ops need a single output";
  if (before && call.op().family != Family::reduction && outputs[0].shape != *before)
    return sentence("gives the shape ", outputs[0].shape, ", expected that of the step before it, ", *before);
  return {};
}

}  // namespace

InferredSteps infer_steps(const Expression& expression, std::span<const OperandDescriptor* const> inputs) {
  InferredSteps inferred;
  Shape before;
  std::size_t steps = 0;
  const auto infer = [&](std::size_t step, std::span<const OperandDescriptor* const> operands) {
    if (!inferred.errors.empty()) return OperandDescriptor();
    const OperatorCall call(expression.op(step), operands, expression.attributes(step));
    const Inference inference = check_operator(call);
    const std::vector<OperandDescriptor>& outputs = inference.outputs();
    inferred.errors = inference.errors();
    if (inference.ok())
      if (std::string error = step_error(call, outputs, expression.size(), step == 0 ? nullptr : &before);
          !error.empty())
        inferred.errors.push_back({{}, std::move(error), {}});
    if (!inferred.errors.empty()) return OperandDescriptor();
    ++steps;
    if (expression.size() == 1) inferred.outputs = outputs;
    before = outputs[0].shape;
    return outputs[0];
  };
  const auto input = [&](std::size_t i) { return inputs[i]; };
  inferred.results = results_of<OperandDescriptor>(expression, input, infer);
  inferred.results.resize(steps);
  if (expression.size() > 1 && inferred.errors.empty()) inferred.outputs = {inferred.results.back()};
  return inferred;
}

namespace {

InferredSteps infer_steps(const KernelSpec& spec) {
  std::vector<const OperandDescriptor*> inputs(spec.inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) inputs[i] = spec.input(i);
  return infer_steps(spec, inputs);
}

}  // namespace

std::string spec_error(const KernelSpec& spec) {
  const Expression expression(spec);
  if (std::string error = expression.form_error(); !error.empty()) return error;
  for (std::size_t i = expression.root_operand_count(); i < spec.inputs.size(); ++i)
    if (!spec.inputs[i]) return sentence("input ", i, " of a post-op is absent");
  const auto [results, outputs, errors] = infer_steps(spec);
  if (!errors.empty()) return sentence(row(expression.op(results.size())).name, ": ", errors.front().message);

  const std::string_view root = row(spec.op).name;
  if (outputs.size() != spec.outputs.size())
    return sentence(root, " has ", counted(outputs.size(), "output"), ", found ", spec.outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (outputs[i] != spec.outputs[i])
      return sentence("output ", i, " of ", root, " is ", outputs[i].text(), ", found ", spec.outputs[i].text());
  return {};
}

std::vector<OperandDescriptor> results_of_steps(const KernelSpec& spec) { return infer_steps(spec).results; }

}  // namespace webnn::schema
