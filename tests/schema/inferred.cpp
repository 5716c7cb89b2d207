#include "tests/schema/inferred.hpp"

#include <stdexcept>

namespace webnn::tests {
namespace {

/// A call with everything that it views.
struct HeldCall {
  OperatorId op;
  OptionalDescriptors operands;
  std::vector<const OperandDescriptor*> views;
  Attributes attributes;

  HeldCall(std::string_view name, const OptionalDescriptors& given, const NamedAttributes& named) : operands(given) {
    const auto id = find_operator(name);
    if (!id) throw std::runtime_error("no operator is called " + std::string(name));
    op = *id;
    for (const auto& operand : operands) views.push_back(operand ? &*operand : nullptr);
    attributes = Attributes(row(op).attributes.size());
    for (const NamedAttribute& attribute : named) {
      const int place = row(op).attribute_index(attribute.name);
      if (place < 0) throw std::runtime_error("no attribute is called " + std::string(attribute.name));
      attributes[std::size_t(place)] = attribute.value;
    }
  }

  OperatorCall call() const { return {op, views, attributes}; }
};

std::string subject_text(const OperatorCall& call, const Subject& subject) {
  switch (subject.kind) {
    case Subject::Kind::call:
      return "";
    case Subject::Kind::operand:
      return "operand " + std::to_string(subject.index) + ": ";
    case Subject::Kind::attribute:
      break;
  }
  std::string text(call.op().attributes[subject.index].name);
  if (subject.element >= 0) text += "[" + std::to_string(subject.element) + "]";
  return text + ": ";
}

}  // namespace

std::string inferred(std::string_view op, const OptionalDescriptors& operands, const NamedAttributes& attributes) {
  const HeldCall held(op, operands, attributes);
  const OperatorCall call = held.call();
  const Inference inference = check_operator(call);
  if (!inference.ok()) {
    const CallError& error = inference.errors().front();
    return subject_text(call, error.subject) + error.message;
  }
  std::string text;
  for (const OperandDescriptor& output : inference.outputs()) text += (text.empty() ? "" : ", ") + output.text();
  return text;
}

std::vector<CallError> complaints(std::string_view op, const OptionalDescriptors& operands,
                                  const NamedAttributes& attributes) {
  const HeldCall held(op, operands, attributes);
  const OperatorCall call = held.call();
  return check_operator(call).errors();
}

}  // namespace webnn::tests
