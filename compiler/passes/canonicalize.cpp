// canonicalize: a single representation for everything that a graph can express in several ways.
//
//   x : float32[batch<=8, 3] and --dim batch=4    -> x : float32[4, 3], and all descriptors that follow
//   conv2d {inputLayout="nhwc"}                   -> transpose, conv2d, transpose; also convTranspose2d, the pools and
//                                                    instanceNormalization
//   conv2d {filterLayout="ohwi"}                  -> conv2d of the transposed filter (oihw; convTranspose2d: iohw)
//   split {splits=2}                              -> split {splits=[3, 3]}
//   add(constant, x)                              -> add(x, constant), for commutative operators
//   softmax {axis=1}, gather {axis=0}             -> softmax {axis=1}, gather: a default is not written
#include <algorithm>
#include <string>

#include "compiler/ir/defaults.hpp"
#include "compiler/ir/free_name.hpp"
#include "compiler/ir/text.hpp"
#include "compiler/passes/passes.hpp"
#include "schema/infer/infer.hpp"

namespace webnn::compiler {
namespace {

/// The permutation from a layout `from` to a layout `to`: "nhwc" to "nchw" is [0, 3, 1, 2].
IntegerList permutation(std::string_view from, std::string_view to) {
  IntegerList result;
  for (const char letter : to) result.push_back(std::int64_t(from.find(letter)));
  return result;
}

class Canonicalizer {
 public:
  explicit Canonicalizer(Graph& graph) : graph_(graph) {}

  void run() {
    for (const NodeId id : graph_.order()) {
      constant_second(id);
      list_of_splits(id);
      filter_layout(id);
      input_layout(id);
      if (graph_.node(id).alive) leave_out_defaults(id);
    }
  }

 private:
  void constant_second(NodeId id) {
    const Node& node = graph_.node(id);
    if (!row(node.op).commutative || !node.post_ops.empty()) return;
    const ValueId a = node.inputs[0], b = node.inputs[1];
    if (!graph_.is_constant(a) || graph_.is_constant(b)) return;
    graph_.set_input(id, 0, b);
    graph_.set_input(id, 1, a);
  }

  void list_of_splits(NodeId id) {
    const Node& node = graph_.node(id);
    if (node.op != "split"_op) return;
    const std::vector<const OperandDescriptor*> operands = graph_.operands(id);
    const auto sizes = split_sizes(OperatorCall(node.op, operands, node.attributes));
    graph_.set_attribute(id, "splits", IntegerList(sizes.begin(), sizes.end()));
  }

  /// The value of a layout attribute; empty when the operator has none or it is already the canonical (first) one.
  std::string_view other_layout(NodeId id, std::string_view attribute) const {
    const Node& node = graph_.node(id);
    const int index = row(node.op).attribute_index(attribute);
    if (index < 0 || !node.attributes[std::size_t(index)]) return {};
    const std::string& word = std::get<std::string>(*node.attributes[std::size_t(index)]);
    return word == row(node.op).attributes[std::size_t(index)].words[0] ? std::string_view() : word;
  }

  static std::string_view kept_layout(const Node& node, std::string_view attribute) {
    return row(node.op).attributes[std::size_t(row(node.op).attribute_index(attribute))].words[0];
  }

  ValueId transpose(ValueId value, IntegerList permutation, const std::string& name, std::string_view label) {
    Attributes attributes(1);
    attributes[0] = std::move(permutation);
    const NodeId id = graph_.add_node("transpose"_op, {value}, std::move(attributes), {&name, 1}, derived_name(label));
    return graph_.node(id).outputs[0];
  }

  void filter_layout(NodeId id) {
    const std::string from(other_layout(id, "filterLayout"));
    if (from.empty()) return;
    const Node& node = graph_.node(id);
    const std::string to(kept_layout(node, "filterLayout"));
    const std::string name = derived_name(graph_.value(node.inputs[1]).name, "_" + to);
    const ValueId filter = transpose(node.inputs[1], permutation(from, to), name, node.label);
    graph_.set_input(id, 1, filter);
    graph_.set_attribute(id, "filterLayout", std::nullopt);
  }

  void input_layout(NodeId id) {
    const Family family = row(graph_.node(id).op).family;
    if (family != Family::convolution && family != Family::window && family != Family::normalization) return;
    const std::string_view attribute = family == Family::convolution ? "inputLayout" : "layout";
    const std::string from(other_layout(id, attribute));
    if (from.empty()) return;
    const Node node = graph_.node(id);  // a copy, because nodes are added below
    const std::string to(kept_layout(node, attribute));
    const ValueId old = node.outputs[0];
    const std::string name = graph_.value(old).name;

    std::vector<ValueId> inputs = node.inputs;
    inputs[0] =
        transpose(inputs[0], permutation(from, to), derived_name(graph_.value(inputs[0]).name, "_" + to), node.label);
    Attributes attributes = node.attributes;
    attributes[std::size_t(row(node.op).attribute_index(attribute))].reset();
    const std::string inner_name = derived_name(name, "_" + to);
    const NodeId inner =
        graph_.add_node(node.op, std::move(inputs), std::move(attributes), {&inner_name, 1}, node.label);
    leave_out_defaults(inner);
    const ValueId result = transpose(graph_.node(inner).outputs[0], permutation(to, from), name, node.label);
    graph_.replace_uses(old, result);
    graph_.erase(id);
    graph_.rename(result, name);
  }

  /// Compared as text, which distinguishes -0 from 0.
  void leave_out_defaults(NodeId id) {
    const Node& node = graph_.node(id);
    for (std::size_t i = 0; i < node.attributes.size(); ++i) {
      if (!node.attributes[i]) continue;
      const std::vector<const OperandDescriptor*> operands = graph_.operands(id);
      const auto value = default_attribute(OperatorCall(node.op, operands, node.attributes), i);
      if (value && attribute_text(*value) == attribute_text(*node.attributes[i]))
        graph_.set_attribute(id, row(node.op).attributes[i].name, std::nullopt);
    }
  }

  Graph& graph_;
};

void bind_dimensions(Unit& unit) {
  for (const Graph::BindError& error : unit.graph.bind_dimensions(unit.options.dimensions)) {
    if (!error.node.valid()) {
      Diagnostic& diagnostic = unit.diagnostics.error(Code::unbound_dimension, {}, error.message);
      if (!error.hint.empty()) diagnostic.hints.push_back(error.hint);
      continue;
    }
    const Node& node = unit.graph.node(error.node);
    unit.diagnostics.error(Code::bad_call, {}, error.message)
        .hints.push_back("with these sizes of the named dimensions '" + node.label + "' is not a correct call");
  }
}

}  // namespace

void canonicalize(Unit& unit) {
  bind_dimensions(unit);
  if (!unit.diagnostics.has_errors()) Canonicalizer(unit.graph).run();
}

}  // namespace webnn::compiler
