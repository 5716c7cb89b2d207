// The checks, ordered so that later ones can rely on earlier ones; see verify.hpp.
#include "compiler/ir/verify.hpp"

#include <string_view>

#include "compiler/ir/text.hpp"
#include "schema/name_hash.hpp"

namespace webnn::compiler {
namespace {

class Verifier {
 public:
  explicit Verifier(const Graph& graph) : graph_(graph), given_(graph.value_count()) {}

  std::vector<std::string> run() {
    for (std::uint32_t i = 0; i < graph_.node_count(); ++i)
      if (graph_.node({i}).alive) ids(i);
    outputs_exist();
    if (!problems_.empty()) return std::move(problems_);  // the checks below follow the ids

    for (std::uint32_t i = 0; i < graph_.node_count(); ++i)
      if (graph_.node({i}).alive) shape_of_node(i);
    for (std::uint32_t i = 0; i < graph_.value_count(); ++i)
      if (alive({i})) value(i);
    interface();
    use_counts();
    if (!problems_.empty()) return std::move(problems_);

    const std::vector<NodeId> order = graph_.order();
    if (order.empty() && live_nodes_ != 0) problem("the nodes form a cycle");
    for (const NodeId id : order) descriptors(id);
    return std::move(problems_);
  }

 private:
  void problem(std::string text) { problems_.push_back(std::move(text)); }
  bool in_range(ValueId id) const { return id.index < graph_.value_count(); }
  std::string name(ValueId id) const { return value_text(graph_.value(id).name); }
  std::string name(std::uint32_t node) const {
    return "node " + std::to_string(node) + " (" + std::string(row(graph_.node({node}).op).name) + ")";
  }
  bool alive(ValueId id) const {
    const Value& value = graph_.value(id);
    if (value.kind != Value::Kind::result) return true;
    return value.producer.index < graph_.node_count() && graph_.node(value.producer).alive;
  }

  void ids(std::uint32_t index) {
    ++live_nodes_;
    const Node& node = graph_.node({index});
    if (node.op.index >= all_operators().size())
      return problem("node " + std::to_string(index) + " has operator " + std::to_string(node.op.index) +
                     ", which is not in the table");
    for (const ValueId input : node.inputs)
      if (input.valid() && !in_range(input))
        problem(name(index) + " takes value " + std::to_string(input.index) + ", which is not in the graph");
    for (const ValueId output : node.outputs)
      if (!in_range(output))
        problem(name(index) + " gives value " + std::to_string(output.index) + ", which is not in the graph");
    for (const PostOp& post_op : node.post_ops)
      if (post_op.op.index >= all_operators().size())
        problem(name(index) + " has a post-op that is not in the operator table");
  }

  void outputs_exist() {
    for (const GraphOutput& output : graph_.outputs())
      if (!in_range(output.value))
        problem("output " + quoted(output.name) + " is value " + std::to_string(output.value.index) +
                ", which is not in the graph");
  }

  /// The operand and output counts of a node, and that its values refer back to it.
  void shape_of_node(std::uint32_t index) {
    const Node& node = graph_.node({index});
    const Operator& op = row(node.op);
    const Expression expression(node);
    if (std::string error = expression.form_error(); !error.empty()) return problem(name(index) + ": " + error);
    if (expression.size() > 1 && node.outputs.size() != 1) problem(name(index) + " has post-ops but not one output");
    const std::size_t root_count = expression.root_operand_count();
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      const bool optional = i < root_count && !op.variadic() && op.operands[i].arity == Arity::optional;
      if (!node.inputs[i].valid()) {
        if (!optional) problem(name(index) + " lacks operand " + std::to_string(i));
      } else if (!alive(node.inputs[i])) {
        problem(name(index) + " takes " + name(node.inputs[i]) + ", whose node is erased");
      }
    }
    for (const ValueId output : node.outputs)
      if (const Value& value = graph_.value(output);
          value.kind != Value::Kind::result || value.producer != NodeId{index} || given_[output.index])
        problem(name(output) + " has more than one producer");
      else
        given_[output.index] = true;
  }

  void value(std::uint32_t index) {
    const Value& value = graph_.value({index});
    if (value.name.empty()) problem("value " + std::to_string(index) + " has no name");
    // The graph's own table of names holds each name once: whoever is not found by its name shares it.
    if (graph_.find_value(value.name) != ValueId{index}) problem("two values have the name " + value_text(value.name));
    if (std::string error = descriptor_error(value.descriptor); !error.empty())
      return problem(name(ValueId{index}) + ": " + error);
    const bool was_let_go = graph_.use_count({index}) == 0 && value.data.size() == 0;
    if (value.kind == Value::Kind::constant && !was_let_go && value.data.size() != byte_length(value.descriptor))
      problem("constant " + name(ValueId{index}) + " has " + std::to_string(value.data.size()) + " bytes, expected " +
              std::to_string(byte_length(value.descriptor)));
    if (value.kind == Value::Kind::result && !given_[index])
      problem(name(ValueId{index}) + " is not among its producer's outputs");
  }

  void interface() {
    NameViews output_names(graph_.outputs().size());
    for (const GraphOutput& output : graph_.outputs()) {
      if (!output_names.insert(output.name).second) problem("two outputs have the name " + quoted(output.name));
      if (!alive(output.value))
        problem("output " + quoted(output.name) + " is " + name(output.value) + ", whose node is erased");
    }
    std::vector<bool> listed(graph_.value_count());
    for (const ValueId input : graph_.inputs())
      if (!in_range(input) || graph_.value(input).kind != Value::Kind::input || listed[input.index])
        problem("the list of inputs names value " + std::to_string(input.index) +
                ", which is no input or listed twice");
      else
        listed[input.index] = true;
    for (std::uint32_t i = 0; i < graph_.value_count(); ++i)
      if (graph_.value({i}).kind == Value::Kind::input && !listed[i])
        problem("input " + name(ValueId{i}) + " is not in the list of inputs");
    for (const NamedDimension& dimension : graph_.named_dimensions())
      if (!in_range(dimension.input) || !listed[dimension.input.index] ||
          dimension.axis >= graph_.value(dimension.input).descriptor.shape.rank())
        problem("dimension " + quoted(dimension.name) + " names no axis of an input");
  }

  void use_counts() {
    std::vector<std::uint32_t> counted(graph_.value_count());
    for (std::uint32_t i = 0; i < graph_.node_count(); ++i)
      if (graph_.node({i}).alive)
        for (const ValueId input : graph_.node({i}).inputs)
          if (input.valid()) ++counted[input.index];
    for (const GraphOutput& output : graph_.outputs()) ++counted[output.value.index];
    for (std::uint32_t i = 0; i < counted.size(); ++i)
      if (counted[i] != graph_.use_count({i}))
        problem(name(ValueId{i}) + " has " + std::to_string(counted[i]) + " uses, but the graph counts " +
                std::to_string(graph_.use_count({i})));
  }

  void descriptors(NodeId id) {
    const Node& node = graph_.node(id);
    const InferredSteps inferred = graph_.infer(id);
    for (const CallError& error : inferred.errors) problem(name(id.index) + ": " + error.message);
    if (!inferred.errors.empty()) return;
    if (inferred.outputs.size() != node.outputs.size())
      return problem(name(id.index) + " has " + std::to_string(node.outputs.size()) + " outputs, expected " +
                     std::to_string(inferred.outputs.size()));
    for (std::size_t i = 0; i < node.outputs.size(); ++i)
      if (const Value& output = graph_.value(node.outputs[i]); !(output.descriptor == inferred.outputs[i]))
        problem(name(node.outputs[i]) + " is " + output.descriptor.text() + ", but its node gives " +
                inferred.outputs[i].text());
  }

  const Graph& graph_;
  std::vector<std::string> problems_;
  std::size_t live_nodes_ = 0;
  std::vector<bool> given_;  // by value: the result of a live node
};

}  // namespace

std::vector<std::string> verify(const Graph& graph) { return Verifier(graph).run(); }

}  // namespace webnn::compiler
