// Prints a graph in its text format; see print.hpp.
#include "compiler/ir/print.hpp"

#include "compiler/ir/content.hpp"
#include "compiler/ir/text.hpp"

namespace webnn::compiler {
namespace {

class Printer {
 public:
  Printer(const Graph& graph, const PrintOptions& options) : graph_(graph), options_(options) {}

  std::string run() const {
    std::string text = "graph " + quoted(graph_.name) + (graph_.quantized ? " quantized" : "") + " {\n";
    const auto line = [&](const std::string& content) { text += "  " + content + "\n"; };
    for (const ValueId input : graph_.inputs()) line(name(input) + " = input " + input_descriptor(input));
    for (std::uint32_t i = 0; i < graph_.value_count(); ++i) {
      const Value& value = graph_.value({i});
      if (value.kind == Value::Kind::constant && graph_.use_count({i}) > 0)
        line(name({i}) + " = constant " + value.descriptor.text() + " " +
             content_text(value.descriptor.type, value.data.view(), options_.elide_above, options_.exact));
    }
    for (const NodeId id : nodes()) {
      const std::string note = options_.note ? options_.note(id) : std::string();
      line(node(id) + (note.empty() ? "" : "  // " + note));
    }
    for (const GraphOutput& output : graph_.outputs())
      line("output " + quoted(output.name) + " = " + name(output.value));
    return text + "}\n";
  }

  std::string node(NodeId id) const {
    const Node& node = graph_.node(id);
    std::string text, descriptors;
    for (const ValueId output : node.outputs) {
      text += (text.empty() ? "" : ", ") + name(output);
      descriptors += descriptors.empty() ? "" : ", ";
      descriptors += output.index < graph_.value_count() ? graph_.value(output).descriptor.text() : "?";
    }
    const Operator& op = row(node.op);
    text += " = " + std::string(op.name) + "(" + root_operands(id) + ")" + attributes_text(op, node.attributes);
    text += post_ops_text(node, [&](std::size_t i) { return name_of_input(node, i); });
    text += " : " + descriptors;
    if (!node.label.empty() && !node.outputs.empty() && value_text(node.label) != name(node.outputs[0]))
      text += " label " + quoted(node.label);
    return text;
  }

 private:
  // Prints damaged graphs too, for debugging: `?` stands for what is missing.
  std::string name(ValueId id) const {
    return id.index < graph_.value_count() ? value_text(graph_.value(id).name) : "?";
  }
  std::string name_of_input(const Node& node, std::size_t place) const {
    return place < node.inputs.size() ? name(node.inputs[place]) : "?";
  }

  /// In execution order; a damaged graph with a cycle by id.
  std::vector<NodeId> nodes() const {
    std::vector<NodeId> order = graph_.order();
    if (order.empty())
      for (std::uint32_t i = 0; i < graph_.node_count(); ++i)
        if (graph_.node({i}).alive) order.push_back({i});
    return order;
  }

  std::string input_descriptor(ValueId id) const {
    const OperandDescriptor& descriptor = graph_.value(id).descriptor;
    std::string text(name_of(descriptor.type));
    text += "[";
    for (unsigned axis = 0; axis < descriptor.shape.rank(); ++axis) {
      if (axis) text += ", ";
      for (const NamedDimension& dimension : graph_.named_dimensions())
        if (dimension.input == id && dimension.axis == axis) text += dimension_name(dimension.name) + "<=";
      text += std::to_string(descriptor.shape[axis]);
    }
    return text + "]";
  }

  /// A plain word, otherwise quoted.
  static std::string dimension_name(std::string_view dimension) {
    const std::vector<Token> tokens = tokenize(dimension);
    const bool plain = tokens.size() == 2 && tokens[0].kind == Token::Kind::word && tokens[0].text == dimension;
    return plain ? std::string(dimension) : quoted(dimension);
  }

  std::string root_operands(NodeId id) const {
    const Node& node = graph_.node(id);
    const Operator& op = row(node.op);
    std::string text;
    for (std::size_t i = 0; i < Expression(node).root_operand_count(); ++i) {
      if (!node.inputs[i].valid()) continue;
      if (!text.empty()) text += ", ";
      if (!op.variadic() && i < op.operands.size() && op.operands[i].arity == Arity::optional)
        text += std::string(op.operands[i].name) + "=";
      text += name_of_input(node, i);
    }
    return text;
  }

  const Graph& graph_;
  const PrintOptions& options_;
};

}  // namespace

std::string print(const Graph& graph, const PrintOptions& options) { return Printer(graph, options).run(); }

std::string print(const Graph& graph, NodeId id) { return Printer(graph, {}).node(id); }

}  // namespace webnn::compiler
