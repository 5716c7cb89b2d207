#include "compiler/browsers/check_browser.hpp"

#include <algorithm>

#include "schema/sentence.hpp"
#include "schema/text.hpp"

namespace webnn::compiler {
namespace {

std::string ranks_text(const OperandLimits& limits) {
  return limits.min_rank == limits.max_rank ? sentence(limits.min_rank)
                                            : sentence(limits.min_rank, " to ", limits.max_rank);
}

/// What of an operand is refused, as "uint8", and what is taken; empty: nothing.
struct Objection {
  std::string what, taken;
  bool operator==(const Objection&) const = default;
};

Objection objection_to(const OperandDescriptor& descriptor, const OperandLimits& limits) {
  if (!limits.types.contains(descriptor.type)) return {sentence(descriptor.type), limits.types.text()};
  const unsigned rank = descriptor.shape.rank();
  if (rank < limits.min_rank || rank > limits.max_rank) return {counted(rank, "dimension"), ranks_text(limits)};
  return {};
}

class BrowserCheck {
 public:
  BrowserCheck(const Graph& graph, const Browser& browser, const ValuePlaces& places, Diagnostics& diagnostics)
      : graph_(graph), browser_(browser), places_(places), diagnostics_(diagnostics) {}

  void run() {
    for (std::uint32_t i = 0; i < graph_.value_count(); ++i) check_source({i});
    for (const NodeId id : graph_.order()) check_node(id);
  }

 private:
  void refuse(ValueId at, const std::string& what) {
    diagnostics_.error(Code::browser_refuses, places_.place_of(graph_.value(at).name),
                       sentence(browser_.name, " refuses ", what));
  }

  void check_source(ValueId id) {
    const Value& value = graph_.value(id);
    const bool is_input = value.kind == Value::Kind::input;
    if (value.kind == Value::Kind::result) return;
    const DataTypes& types = is_input ? browser_.inputs : browser_.constants;
    if (types.contains(value.descriptor.type)) return;
    refuse(id, sentence("the ", is_input ? "input " : "constant ", in_quotes(value.name), ", which is ",
                        value.descriptor.type, "; it takes ", types));
  }

  /// Operands that are refused for the same reason are named together.
  void check_node(NodeId id) {
    const Node& node = graph_.node(id);
    const Operator& op = row(node.op);
    const std::string& label = node.label.empty() ? graph_.value(node.outputs[0]).name : node.label;
    if (!has_operator(browser_, op.name))
      return refuse(node.outputs[0], sentence(op.name, " ", in_quotes(label), ", an operator that it does not have"));
    std::vector<std::pair<Objection, std::string>> found;  // with the operands
    const auto check = [&](std::string_view operand, ValueId value) {
      const OperandLimits* limits = value.valid() ? limits_of(browser_, op.name, operand) : nullptr;
      const Objection objection = limits ? objection_to(graph_.value(value).descriptor, *limits) : Objection{};
      if (objection.what.empty()) return;
      const std::string name = sentence("'", operand, "'");
      const auto known = std::ranges::find(found, objection, &std::pair<Objection, std::string>::first);
      if (known == found.end())
        found.emplace_back(objection, name);
      else if (!known->second.ends_with(name))  // a list of operands has one name
        known->second += " and " + name;
    };
    for (std::size_t i = 0; i < node.inputs.size(); ++i) check(op.operands[op.variadic() ? 0 : i].name, node.inputs[i]);
    check("output", node.outputs[0]);
    for (const auto& [objection, operands] : found)
      refuse(node.outputs[0], sentence(op.name, " ", in_quotes(label), " with ", objection.what, " for ", operands,
                                       "; it takes ", objection.taken));
  }

  const Graph& graph_;
  const Browser& browser_;
  const ValuePlaces& places_;
  Diagnostics& diagnostics_;
};

}  // namespace

void check_browser(const Graph& graph, const Browser& browser, const ValuePlaces& places, Diagnostics& diagnostics) {
  BrowserCheck(graph, browser, places, diagnostics).run();
}

}  // namespace webnn::compiler
