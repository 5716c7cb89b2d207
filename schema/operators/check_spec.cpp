#include "schema/operators/check_spec.hpp"

#include <variant>

namespace webnn::schema {
namespace {

/// What `check_operator` assumes: the row exists, and there is one place for each of its attributes.
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

/// Checks which operands post-op `i` of a node takes.
std::string operands_error(const PostOp& post_op, std::size_t i) {
  const Operator& op = row(post_op.op);
  if (op.variadic() || op.operands.size() > post_op.operands.size())
    return std::string(op.name) + " cannot be a post-op";
  for (std::size_t place = 0; place < post_op.operands.size(); ++place) {
    const std::size_t back = post_op.operands[place];
    if (place >= op.operands.size() && back != 0)
      return "post-op " + std::string(op.name) + " has no operand " + std::to_string(place);
    if (back > i + 1)
      return "operand " + std::to_string(place) + " of post-op " + std::string(op.name) + " is from " +
             std::to_string(back) + " steps back, but there are " + std::to_string(i + 1) + " before it";
  }
  return {};
}

/// Infers the operations one after another. `results` gets all outputs of the root operator, or, with post-ops, one
/// value for each operation. Returns what is wrong.
std::string infer_steps(const KernelSpec& spec, std::vector<OperandDescriptor>& results) {
  std::vector<const OperandDescriptor*> places;
  for (const auto& input : spec.inputs) places.push_back(input ? &*input : nullptr);
  const std::span<const OperandDescriptor* const> operands(places);
  const std::size_t root_count = spec.root_operand_count();
  const Operator& root = row(spec.op);
  const Inference inference = check_operator(OperatorCall(spec.op, operands.first(root_count), spec.attributes));
  if (!inference.ok() || inference.outputs().empty()) return call_error(root, inference);
  results = inference.outputs();

  if (!spec.post_ops.empty() && results.size() != 1) return "post-ops need a single output";
  results.reserve(1 + spec.post_ops.size());  // pointers to its elements are kept
  auto next = operands.begin() + std::ptrdiff_t(root_count);
  for (const PostOp& post_op : spec.post_ops) {
    const Operator& op = row(post_op.op);
    std::vector<const OperandDescriptor*> call;
    for (std::size_t i = 0; i < op.operands.size(); ++i)
      call.push_back(post_op.operands[i] != 0 ? &results[results.size() - post_op.operands[i]] : *next++);
    const Inference result = check_operator(OperatorCall(post_op.op, call, post_op.attributes));
    if (!result.ok() || result.outputs().size() != 1) return call_error(op, result);
    if (op.family != Family::reduction && result.outputs()[0].shape != results.back().shape)
      return "post-op " + std::string(op.name) + " gives the shape " + result.outputs()[0].shape.text() +
             ", expected that of the step before it, " + results.back().shape.text();
    results.push_back(result.outputs()[0]);
  }
  return {};
}

}  // namespace

std::string spec_error(const KernelSpec& spec) {
  if (std::string error = form_error(spec.op, spec.attributes); !error.empty()) return error;
  std::size_t other_operands = 0;  // of all post-ops together
  for (std::size_t i = 0; i < spec.post_ops.size(); ++i) {
    const PostOp& post_op = spec.post_ops[i];
    if (std::string error = form_error(post_op.op, post_op.attributes); !error.empty()) return error;
    if (std::string error = operands_error(post_op, i); !error.empty()) return error;
    other_operands += post_op.input_count();
  }

  const Operator& root = row(spec.op);
  if (spec.inputs.size() < other_operands ||
      (!root.variadic() && spec.inputs.size() != root.operands.size() + other_operands))
    return std::string(root.name) + " takes " + count_text(root.operands.size() + other_operands, "operand place") +
           ", found " + std::to_string(spec.inputs.size());
  std::vector<OperandDescriptor> outputs;
  if (std::string error = infer_steps(spec, outputs); !error.empty()) return error;
  if (!spec.post_ops.empty()) outputs = {OperandDescriptor(outputs.back())};

  if (outputs.size() != spec.outputs.size())
    return std::string(root.name) + " has " + count_text(outputs.size(), "output") + ", found " +
           std::to_string(spec.outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (outputs[i] != spec.outputs[i])
      return "output " + std::to_string(i) + " of " + std::string(root.name) + " is " + outputs[i].text() + ", found " +
             spec.outputs[i].text();
  return {};
}

std::vector<OperandDescriptor> results_of_steps(const KernelSpec& spec) {
  std::vector<OperandDescriptor> results;
  infer_steps(spec, results);
  return results;
}

}  // namespace webnn::schema
