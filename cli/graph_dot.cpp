#include "cli/graph_dot.hpp"

#include <ostream>

namespace webnn::cli {
namespace {

using namespace compiler;

/// A quoted DOT string.
std::string dot_text(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n' || c == '\r' || c == '\0')
      result += ' ';
    else
      result += c;
  }
  return result + "\"";
}

std::string_view colour_of(Family family) {
  switch (family) {
    case Family::convolution:
    case Family::contraction:
    case Family::recurrent:
      return "#cfe2ff";
    case Family::normalization:
    case Family::softmax:
    case Family::reduction:
    case Family::arg_reduction:
    case Family::scan:
      return "#e2d9f3";
    case Family::window:
    case Family::resample:
      return "#d1e7dd";
    case Family::view:
    case Family::movement:
    case Family::indexed:
      return "#f1f3f5";
    case Family::quantization:
    case Family::cast:
      return "#f8d7da";
    default:
      return "#fff3cd";
  }
}

/// The node that an arrow starts at: an operator, or a graph input.
std::string source_of(const Graph& graph, ValueId id) {
  const Value& value = graph.value(id);
  if (value.kind == Value::Kind::input) return "i" + std::to_string(id.index);
  return "n" + std::to_string(value.producer.index);
}

}  // namespace

void print_dot(std::ostream& out, const Graph& graph) {
  out << "digraph " << dot_text(graph.name.empty() ? "graph" : graph.name) << " {\n"
      << "  rankdir=TB; node [fontname=\"Helvetica\", fontsize=10]; edge [fontname=\"Helvetica\", fontsize=8];\n";
  for (const ValueId id : graph.inputs())
    out << "  i" << id.index << " [shape=ellipse, label=" << dot_text(graph.value(id).name) << "];\n";
  for (const NodeId id : graph.order()) {
    const Node& node = graph.node(id);
    std::string label(row(node.op).name);
    for (const PostOp& post : node.post_ops) label += " + " + std::string(row(post.op).name);
    out << "  n" << id.index << " [shape=box, style=\"rounded,filled\", fillcolor=\"" << colour_of(row(node.op).family)
        << "\", label=" << dot_text(label) << ", tooltip=" << dot_text(node.label) << "];\n";
    for (const ValueId input : node.inputs)
      if (input.valid() && !graph.is_constant(input))
        out << "  " << source_of(graph, input) << " -> n" << id.index
            << " [label=" << dot_text(graph.value(input).descriptor.shape.text()) << "];\n";
  }
  for (std::size_t i = 0; i < graph.outputs().size(); ++i) {
    const GraphOutput& output = graph.outputs()[i];
    out << "  o" << i << " [shape=ellipse, label=" << dot_text(output.name) << "];\n";
    if (!graph.is_constant(output.value))
      out << "  " << source_of(graph, output.value) << " -> o" << i
          << " [label=" << dot_text(graph.value(output.value).descriptor.shape.text()) << "];\n";
  }
  out << "}\n";
}

}  // namespace webnn::cli
