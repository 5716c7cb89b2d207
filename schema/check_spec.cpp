#include "schema/check_spec.hpp"

#include <variant>

namespace webnn::schema {
namespace {

/// What `check_operator` takes for granted: the row exists and there is one place for each of its attributes.
std::string form_error(OperatorId id, const Attributes& attributes) {
  if (id.index >= all_operators().size()) return "operator number " + std::to_string(id.index) + " does not exist";
  const Operator& op = row(id);
  if (attributes.size() != op.attributes.size())
    return std::string(op.name) + " has " + std::to_string(op.attributes.size()) + " attributes, found " +
           std::to_string(attributes.size());
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    if (!attributes[i]) continue;
    const auto* type = std::get_if<DataType>(&*attributes[i]);
    if (type && std::size_t(*type) >= data_type_count)
      return "attribute " + std::string(op.attributes[i].name) + " holds an unknown data type";
  }
  return {};
}

std::string call_error(const Operator& op, const Inference& inference) {
  return std::string(op.name) + ": " + (inference.ok() ? "has no result" : inference.errors().front().message);
}

std::string count_text(std::size_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

}  // namespace

std::string spec_error(const KernelSpec& spec) {
  if (std::string error = form_error(spec.op, spec.attributes); !error.empty()) return error;
  std::size_t other_operands = 0;  // of all post-ops
  for (const PostOp& post_op : spec.post_ops) {
    if (std::string error = form_error(post_op.op, post_op.attributes); !error.empty()) return error;
    const Operator& op = row(post_op.op);
    if (op.variadic() || post_op.chained_operand >= op.operands.size())
      return "the result cannot be operand " + std::to_string(post_op.chained_operand) + " of post-op " +
             std::string(op.name);
    other_operands += op.operands.size() - 1;
  }

  const Operator& root = row(spec.op);
  if (spec.inputs.size() < other_operands ||
      (!root.variadic() && spec.inputs.size() != root.operands.size() + other_operands))
    return std::string(root.name) + " takes " + count_text(root.operands.size() + other_operands, "operand place") +
           ", found " + std::to_string(spec.inputs.size());
  std::vector<const OperandDescriptor*> places;
  for (const auto& input : spec.inputs) places.push_back(input ? &*input : nullptr);
  const std::span<const OperandDescriptor* const> operands(places);
  const std::size_t root_count = places.size() - other_operands;
  const Inference inference = check_operator(OperatorCall(spec.op, operands.first(root_count), spec.attributes));
  if (!inference.ok() || inference.outputs().empty()) return call_error(root, inference);
  std::vector<OperandDescriptor> outputs = inference.outputs();

  if (!spec.post_ops.empty() && outputs.size() != 1) return "post-ops need a single output";
  auto next = operands.begin() + std::ptrdiff_t(root_count);
  for (const PostOp& post_op : spec.post_ops) {
    const Operator& op = row(post_op.op);
    std::vector<const OperandDescriptor*> call;
    for (std::size_t i = 0; i < op.operands.size(); ++i)
      call.push_back(i == post_op.chained_operand ? &outputs[0] : *next++);
    const Inference result = check_operator(OperatorCall(post_op.op, call, post_op.attributes));
    if (!result.ok() || result.outputs().size() != 1) return call_error(op, result);
    if (result.outputs()[0].shape != outputs[0].shape)
      return "post-op " + std::string(op.name) + " changes the shape from " + outputs[0].shape.text() + " to " +
             result.outputs()[0].shape.text();
    const OperandDescriptor chained = result.outputs()[0];
    outputs[0] = chained;
  }

  if (outputs.size() != spec.outputs.size())
    return std::string(root.name) + " has " + count_text(outputs.size(), "output") + ", found " +
           std::to_string(spec.outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (outputs[i] != spec.outputs[i])
      return "output " + std::to_string(i) + " of " + std::string(root.name) + " is " + outputs[i].text() + ", found " +
             spec.outputs[i].text();
  return {};
}

}  // namespace webnn::schema
