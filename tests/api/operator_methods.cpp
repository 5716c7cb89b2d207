// Writes api/operator_methods.hpp and .cpp from the operator table. They are checked in, so that people and editors can
// read them; this test keeps them equal to the table, and `webnn-tests --bless` renews them.
#include <algorithm>
#include <doctest/doctest.h>
#include <string>
#include <vector>

#include "schema/operators/operator_table.hpp"
#include "schema/text.hpp"
#include "tests/harness/golden.hpp"

namespace webnn::tests::operator_methods_test {
namespace {

using namespace webnn::schema;

/// Breaks a line after commas so that it stays within 120 columns.
std::string wrapped(std::string line) {
  constexpr std::size_t width = 120;
  const std::string indent(line.find_first_not_of(' ') + 4, ' ');
  std::string text;
  while (line.size() > width) {
    const std::size_t comma = line.rfind(", ", width - 2);
    if (comma == std::string::npos || comma <= indent.size()) break;
    text += line.substr(0, comma + 1) + "\n";
    line = indent + line.substr(comma + 2);
  }
  return text + line + "\n";
}

std::string cpp_type(AttributeKind kind) {
  switch (kind) {
    case AttributeKind::boolean:
      return "bool";
    case AttributeKind::u32:
      return "std::uint32_t";
    case AttributeKind::i32:
      return "std::int32_t";
    case AttributeKind::real:
      return "double";
    case AttributeKind::number:
      return "Number";
    case AttributeKind::u32_list:
      return "std::vector<std::uint32_t>";
    case AttributeKind::u32_or_list:
      return "Splits";
    case AttributeKind::real_list:
      return "std::vector<double>";
    case AttributeKind::text:
      return "std::string";
    case AttributeKind::text_list:
      return "std::vector<std::string>";
    case AttributeKind::data_type:
      return "DataType";
  }
  return {};
}

bool passed_by_value(AttributeKind kind) {
  return kind == AttributeKind::boolean || kind == AttributeKind::u32 || kind == AttributeKind::i32 ||
         kind == AttributeKind::real || kind == AttributeKind::number || kind == AttributeKind::data_type;
}

bool has_options(const Operator& op) {
  for (const OperandRow& operand : op.operands)
    if (operand.arity == Arity::optional) return true;
  for (const AttributeRow& attribute : op.attributes)
    if (!attribute.required()) return true;
  return false;
}

/// The specification's name of the options dictionary without its ML; some operators share one.
std::string options_name(const Operator& op) {
  if (!has_options(op)) return "OperatorOptions";
  if (op.family == Family::window) return "Pool2dOptions";
  if (op.family == Family::reduction) return "ReduceOptions";
  if (op.family == Family::arg_reduction) return "ArgMinMaxOptions";
  if (op.name == "gatherElements") return "GatherOptions";
  if (op.name == "scatterElements") return "ScatterOptions";
  std::string name(op.name);
  name[0] = char(name[0] - 'a' + 'A');
  return name + "Options";
}

std::string words_of(const AttributeRow& attribute) {
  std::string text;
  for (const std::string_view word : attribute.words) text += (text.empty() ? "" : ", ") + std::string(word);
  return text;
}

std::string options_struct(const Operator& op) {
  std::string text = "struct " + options_name(op) + " {\n";
  for (const OperandRow& operand : op.operands)
    if (operand.arity == Arity::optional) text += "  Operand " + std::string(operand.name) + "{};\n";
  for (const AttributeRow& attribute : op.attributes) {
    if (attribute.required()) continue;
    const std::string words = words_of(attribute);
    text += "  std::optional<" + cpp_type(attribute.kind) + "> " + std::string(attribute.name) + "{};" +
            (words.empty() ? "" : "  // " + words) + "\n";
  }
  return text + "  std::string label{};\n};\n";
}

bool single_output(const Operator& op) { return op.outputs.size() == 1 && op.outputs[0].arity == Arity::one; }
bool variadic(const Operator& op) { return op.operands[0].arity == Arity::many; }

/// "name(parameters)"
std::string signature(const Operator& op, bool with_default) {
  std::vector<std::string> parameters;
  for (const OperandRow& operand : op.operands) {
    if (operand.arity == Arity::one) parameters.push_back("const Operand& " + std::string(operand.name));
    if (operand.arity == Arity::many) parameters.push_back("const std::vector<Operand>& " + std::string(operand.name));
  }
  for (const AttributeRow& attribute : op.attributes) {
    if (!attribute.required()) continue;
    const std::string type = cpp_type(attribute.kind);
    parameters.push_back((passed_by_value(attribute.kind) ? type + " " : "const " + type + "& ") +
                         std::string(attribute.name));
  }
  parameters.push_back("const " + options_name(op) + "& options" + (with_default ? " = {}" : ""));
  return std::string(op.name) + "(" + joined(parameters) + ")";
}

std::string result_type(const Operator& op) { return single_output(op) ? "Operand" : "std::vector<Operand>"; }

std::string definition(const Operator& op) {
  std::vector<std::string> operands, attributes;
  for (const OperandRow& operand : op.operands)
    operands.push_back((operand.arity == Arity::optional ? "options." : "") + std::string(operand.name));
  for (const AttributeRow& attribute : op.attributes)
    attributes.push_back((attribute.required() ? "" : "options.") + std::string(attribute.name));
  const std::string list = variadic(op) ? operands[0] : "{" + joined(operands) + "}";
  return wrapped(result_type(op) + " OperatorMethods::" + signature(op, false) + " {") +
         wrapped("  return call(\"" + std::string(op.name) + "\"_op, " + list + ", attribute_values(" +
                 joined(attributes) + "), options.label)" + (single_output(op) ? "[0]" : "") + ";") +
         "}\n\n";
}

constexpr std::string_view warning =
    "// Written from schema/operators/operator_table.cpp by `webnn-tests --bless -tc='operator methods*'`; do not "
    "edit.\n";

std::string header() {
  std::string text =
      "// The operators' methods of GraphBuilder and their options, with the specification's names.\n" +
      std::string(warning) +
      "//\n// Operands and required attributes are arguments; everything else is an option, and the specification says "
      "what an\n"
      "// absent one means. `label` names the operator in messages and profiles.\n"
      "#pragma once\n\n#include <cstdint>\n#include <optional>\n#include <string>\n#include <vector>\n\n"
      "#include \"api/operand.hpp\"\n\n"
      "namespace webnn::schema {\nclass Attributes;\nstruct OperatorId;\n}  // namespace webnn::schema\n\n"
      "// clang-format off\nnamespace webnn {\n\nstruct OperatorOptions {\n  std::string label{};\n};\n\n";
  std::vector<std::string> written;
  for (const Operator& op : operator_table()) {
    if (op.internal() || !has_options(op)) continue;
    const std::string options = options_struct(op);
    if (std::ranges::find(written, options) != written.end()) continue;
    written.push_back(options);
    text += options + "\n";
  }
  text +=
      "class WEBNN_API OperatorMethods {\n public:\n  OperatorMethods() = default;\n  virtual ~OperatorMethods() = "
      "default;\n"
      "  OperatorMethods(const OperatorMethods&) = delete;\n  OperatorMethods& operator=(const OperatorMethods&) = "
      "delete;\n\n";
  for (const Operator& op : operator_table())
    if (!op.internal()) text += wrapped("  " + result_type(op) + " " + signature(op, true) + ";");
  return text +
         "\n private:\n"
         "  /// Adds a call; operands and attributes follow the operator's row. Throws Error (usage) when it is "
         "wrong.\n"
         "  virtual std::vector<Operand> call(schema::OperatorId op, const std::vector<Operand>& operands,\n"
         "                                    schema::Attributes attributes, const std::string& label) = 0;\n"
         "};\n\n}  // namespace webnn\n";
}

std::string source() {
  std::string text = "// Each method hands its arguments over in the order of the operator's row.\n" +
                     std::string(warning) +
                     "#include \"api/operator_methods.hpp\"\n\n#include \"api/attribute_value.hpp\"\n"
                     "#include \"schema/operators/operator_table.hpp\"\n\n"
                     "// clang-format off\nnamespace webnn {\n\nusing schema::operator\"\"_op;\n\n";
  for (const Operator& op : operator_table())
    if (!op.internal()) text += definition(op);
  return text + "}  // namespace webnn\n";
}

}  // namespace

TEST_CASE("operator methods: the builder has exactly the table's operators, operands and attributes") {
  check_golden("api/operator_methods.hpp", header());
  check_golden("api/operator_methods.cpp", source());
}

}  // namespace webnn::tests::operator_methods_test
