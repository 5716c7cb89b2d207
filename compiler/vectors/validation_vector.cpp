// Runs validation vectors.
#include "compiler/vectors/validation_vector.hpp"

#include <memory>
#include <nlohmann/json.hpp>

#include "compiler/vectors/vector_arguments.hpp"
#include "schema/sentence.hpp"
#include "schema/text.hpp"

namespace webnn::compiler {

using nlohmann::json;

namespace {

/// The verdict of the checks on a call: the outputs, or why it is refused.
struct Verdict {
  std::vector<OperandDescriptor> outputs;
  std::string refusal;
};

std::string joined(const std::vector<OperandDescriptor>& descriptors) {
  std::string text;
  for (const OperandDescriptor& descriptor : descriptors) text += (text.empty() ? "" : ", ") + descriptor.text();
  return text;
}

/// builder.input(name, descriptor) or builder.constant(descriptor, ...).
Verdict declare(const std::vector<const json*>& arguments, bool named) {
  Verdict verdict;
  const std::size_t place = named ? 1 : 0;
  if (arguments.size() <= place) return {{}, "the descriptor is missing"};
  if (named && (!arguments[0]->is_string() || arguments[0]->get_ref<const std::string&>().empty()))
    return {{}, "the name is empty"};
  if (const auto descriptor = read_vector_descriptor(*arguments[place], verdict.refusal))
    verdict.outputs.push_back(*descriptor);
  return verdict;
}

Verdict call(OperatorId op, const std::vector<const json*>& arguments) {
  const VectorCall read = read_vector_call(row(op), arguments);
  if (!read.errors.empty()) return {{}, read.errors.front()};
  std::vector<std::optional<OperandDescriptor>> descriptors;
  for (const json* operand : read.operands) {
    descriptors.emplace_back();
    if (!operand) continue;
    if (!operand->is_object()) return {{}, "an operand is not described in place"};
    std::string error;
    descriptors.back() = read_vector_descriptor((*operand)["operand"], error);
    if (!descriptors.back()) return {{}, std::move(error)};
  }
  std::vector<const OperandDescriptor*> operands;
  for (const auto& descriptor : descriptors) operands.push_back(descriptor ? &*descriptor : nullptr);
  const Inference inference = check_operator(OperatorCall(op, operands, read.attributes));
  if (inference.ok()) return {inference.outputs(), {}};
  return {{}, inference.errors().front().message};
}

VectorOutcome malformed(std::string_view what) { return {false, sentence("the vector ", what)}; }

}  // namespace

VectorOutcome run_validation_vector(const json& vector) {
  if (!vector.is_object()) return malformed("is not an object");
  const auto name = vector.find("op"), args = vector.find("args"), outputs = vector.find("outputs");
  if (name == vector.end() || !name->is_string()) return malformed("has no 'op'");
  if (args == vector.end() || !args->is_array()) return malformed("has no list 'args'");
  if ((outputs == vector.end()) != vector.contains("error")) return malformed("needs 'outputs' or 'error'");

  std::vector<const json*> arguments;
  for (const json& argument : *args) arguments.push_back(&argument);
  const std::string& op_name = name->get_ref<const std::string&>();
  Verdict verdict;
  if (op_name == "input" || op_name == "constant") {
    verdict = declare(arguments, op_name == "input");
  } else {
    const auto op = find_operator(op_name);
    if (!op) return malformed(sentence("names no operator: ", in_quotes(op_name)));
    verdict = call(*op, arguments);
  }

  if (outputs == vector.end())
    return verdict.refusal.empty() ? VectorOutcome{false, sentence("accepted, giving ", joined(verdict.outputs))}
                                   : VectorOutcome{true, std::move(verdict.refusal)};
  if (!verdict.refusal.empty()) return {false, sentence("refused: ", verdict.refusal)};
  std::vector<OperandDescriptor> expected;
  if (!outputs->is_array()) return malformed("has no list 'outputs'");
  for (const json& output : *outputs) {
    std::string error;
    const auto descriptor = read_vector_descriptor(output, error);
    if (!descriptor) return malformed(sentence("expects an output that cannot exist: ", error));
    expected.push_back(*descriptor);
  }
  if (verdict.outputs == expected) return {true, joined(expected)};
  return {false, sentence("gives ", joined(verdict.outputs), ", expected ", joined(expected))};
}

std::vector<ValidationVector> read_validation_vectors(std::string_view text) {
  json document = json::parse(text, nullptr, false);
  std::vector<ValidationVector> vectors;
  if (!document.is_object() || !document.contains("tests") || !document["tests"].is_array()) return vectors;
  for (json& test : document["tests"]) {
    std::string name = "(no name)";
    if (test.is_object() && test.contains("name") && test["name"].is_string()) name = test["name"];
    vectors.push_back({std::move(name), [vector = std::make_shared<const json>(std::move(test))] {
                         return run_validation_vector(*vector);
                       }});
  }
  return vectors;
}

}  // namespace webnn::compiler
