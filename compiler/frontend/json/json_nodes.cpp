// Nodes of webnn-graph-json: their members, their calls, and the names of their results.
#include <algorithm>

#include "compiler/frontend/json/json_access.hpp"
#include "compiler/frontend/json/json_graph_reader.hpp"
#include "compiler/ir/free_name.hpp"
#include "schema/text.hpp"

namespace webnn::compiler {

using Kind = JsonValue::Kind;

namespace {

/// The operator that a node's `op` names, if there is one.
std::optional<OperatorId> named_operator(JsonValue op) {
  if (!op || !op.is(Kind::text)) return std::nullopt;
  const OperatorAlias* alias = find_operator_alias(op.text());
  return find_operator(alias ? alias->op : op.text());
}

/// Whether a member of a node is named like an option of its operator, or is an object with such a member: an option in
/// the wrong place, which must not be lost.
bool holds_option(std::optional<OperatorId> id, JsonValue member) {
  if (!id) return false;
  const auto is_option = [&](std::string_view key) {
    const int operand = row(*id).operand_index(camel_case(key));
    return find_attribute(row(*id), key).index >= 0 ||
           (operand >= 0 && row(*id).operands[std::size_t(operand)].arity == Arity::optional);
  };
  if (is_option(member.key())) return true;
  if (member.is(Kind::object))
    for (const JsonValue inner : member)
      if (is_option(inner.key())) return true;
  return false;
}

}  // namespace

bool JsonGraphReader::read_nodes() {
  const JsonValue list = required_member(root_, "nodes", diagnostics_);
  if (!list) return false;
  if (!list.is(Kind::array)) {
    report_wrong_type(diagnostics_, list, "'nodes'", "an array");
    return false;
  }
  if (list.size() > options_.max_nodes) {
    error(Code::limit_exceeded, list,
          "the graph has " + std::to_string(list.size()) + " nodes, at most " + std::to_string(options_.max_nodes) +
              " are allowed");
    return false;
  }
  // Collects the names of all results first, so that a use before the definition is recognised.
  nodes_.reserve(list.size());
  for (const JsonValue node : list) {
    nodes_.push_back(read_node_text(node, std::uint32_t(nodes_.size())));
    declare_outputs(nodes_.back());
  }
  for (const NodeText& node : nodes_) read_node(node);
  return true;
}

/// Extracts the node's members and checks their JSON types.
JsonGraphReader::NodeText JsonGraphReader::read_node_text(JsonValue value, std::uint32_t index) {
  NodeText node;
  node.index = index;
  node.node = value;
  const auto wrong = [&](JsonValue place, std::string_view what, std::string_view expected) {
    report_wrong_type(diagnostics_, place, what, expected);
    node.usable = false;
  };
  if (!value.is(Kind::object)) {
    wrong(value, "a node", "an object");
    return node;
  }
  const auto known_op = named_operator(value.find("op"));  // once: a node may have very many members
  report_unknown_members(
      value, {"id", "op", "inputs", "options", "outputs", "label"}, diagnostics_, [&](JsonValue member) {
        if (!holds_option(known_op, member)) return false;
        diagnostics_.error(Code::unknown_option, member.key_location(),
                           "a node has its options in the member 'options', not in " + in_quotes(member.key()));
        node.usable = false;
        return true;
      });

  if (const JsonValue outputs = optional_member(value, "outputs")) {
    node.lists_outputs = true;
    if (!outputs.is(Kind::array)) {
      wrong(outputs, "'outputs'", "an array of names");
    } else {
      for (const JsonValue output : outputs) {
        if (output.is(Kind::text))
          node.outputs.push_back(output);
        else
          wrong(output, "an output", "a name (a string)");
      }
    }
    if (outputs.is(Kind::array) && outputs.size() == 0) {
      error(Code::wrong_output_count, outputs, "the list of outputs is empty");
      node.usable = false;
    }
  }
  const JsonValue id = optional_member(value, "id");
  if (id && !id.is(Kind::text)) {
    wrong(id, "'id'", "a string");
  } else if (id) {
    node.id = id.text();
    if (!node.lists_outputs) node.outputs.push_back(id);
  } else if (!node.outputs.empty()) {
    node.id = node.outputs[0].text();
  } else {
    error(Code::missing_member, value, "the node has neither 'id' nor 'outputs'");
    node.usable = false;
  }

  const JsonValue op = required_member(value, "op", diagnostics_);
  if (!op)
    node.usable = false;
  else if (!op.is(Kind::text))
    wrong(op, "'op'", "a string");
  else
    node.op = op;

  if (const JsonValue inputs = optional_member(value, "inputs")) {
    if (!inputs.is(Kind::array)) {
      wrong(inputs, "'inputs'", "an array of names");
    } else {
      node.inputs = inputs;
      for (const JsonValue input : inputs)
        if (!input.is(Kind::text)) wrong(input, "an operand", "the name of a value (a string)");
    }
  }
  if (const JsonValue options = optional_member(value, "options")) {
    if (options.is(Kind::object))
      node.options = options;
    else
      wrong(options, "'options'", "an object");
  }
  return node;
}

/// Claims the names of the node's results.
void JsonGraphReader::declare_outputs(NodeText& node) {
  if (node.lists_outputs && !node.id.empty() && !ids_.insert(node.id).second && node.node.find("id")) {
    error(Code::duplicate_name, node.node.find("id"), "another node has the id " + in_quotes(node.id));
    node.usable = false;
  }
  for (const JsonValue output : node.outputs) {
    const std::string_view name = output.text();
    if (name.empty()) {
      error(Code::empty_name, output, "a value's name must not be empty");
      node.usable = false;
      continue;
    }
    const auto taken = names_.find(name);
    const auto [definition, is_new] = definitions_.emplace(name, node.index);
    if (taken == names_.end() && is_new) continue;
    node.usable = false;
    const Location first =
        taken != names_.end() ? taken->second.place.key_location() : nodes_[definition->second].node.location();
    error(Code::duplicate_name, output, "the name " + in_quotes(name) + " is taken")
        .hints.push_back("it is defined first at " + first.path + ", line " + std::to_string(first.line));
  }
}

/// Marks the results as failed; their users will be skipped.
void JsonGraphReader::fail_outputs(const NodeText& node) {
  for (const JsonValue output : node.outputs) names_.emplace(output.text(), NamedValue{{}, output});
}

void JsonGraphReader::read_node(const NodeText& node) {
  if (!node.usable) return fail_outputs(node);
  const OperatorAlias* alias = nullptr;
  if (node.op.text() == "constant") {
    if (!read_constant_node(node)) fail_outputs(node);
    return;
  }
  const auto op = read_operator(node, alias);
  if (!op) return fail_outputs(node);

  Call call;
  call.op = *op;
  call.attributes = Attributes(call.row().attributes.size());
  call.attribute_places.resize(call.row().attributes.size());
  call.label = node.id;
  read_operands(node, call);
  read_options(node, call, alias);
  if (call.usable) add_missing_zero_point(node, call);
  if (call.usable) translate_options(node, call, alias);
  if (!call.usable || !add_call(node, call)) fail_outputs(node);
}

std::optional<OperatorId> JsonGraphReader::read_operator(const NodeText& node, const OperatorAlias*& alias) {
  const std::string_view name = node.op.text();
  alias = find_operator_alias(name);
  if (alias) {
    if (warned_.insert("operator " + std::string(name)).second)
      diagnostics_.note(
          Code::rewritten_operator, node.op.location(),
          in_quotes(name) + " is not in the specification and is read as '" + std::string(alias->op) + "'");
    return find_operator(alias->op);
  }
  if (const auto op = find_operator(name)) return op;
  Diagnostic& diagnostic = error(Code::unknown_operator, node.op, "unknown operator " + in_quotes(name));
  if (name == "shape") {
    diagnostic.hints.push_back(
        "shapes are known when a graph is built; put the sizes into the graph as a constant instead");
    return std::nullopt;
  }
  if (may_compare(operator_count))
    suggest(diagnostic, name, {std::begin(operator_names), std::begin(operator_names) + operator_count});
  return std::nullopt;
}

bool JsonGraphReader::add_call(const NodeText& node, Call& call) {
  const Inference inference = check_operator(OperatorCall(call.op, descriptors(call), call.attributes));
  if (!inference.ok()) {
    report_call_errors(node, call, inference.errors());
    return false;
  }
  for (const OperandDescriptor& output : inference.outputs())
    if (!is_within_limit(output, node.node)) return false;
  const std::size_t count = inference.outputs().size();
  if (node.lists_outputs ? node.outputs.size() != count : node.outputs.size() > count) {
    error(Code::wrong_output_count, node.lists_outputs ? node.node.find("outputs") : node.node,
          std::string(call.row().name) + " gives " + std::to_string(count) + (count == 1 ? " result, " : " results, ") +
              std::to_string(node.outputs.size()) + (node.outputs.size() == 1 ? " is" : " are") + " named");
    return false;
  }
  if (!claim_unnamed(node, count - node.outputs.size())) return false;
  const std::vector<std::string> names = output_names(node, count);
  std::vector<CallError> errors;
  const NodeId id = graph_.add_node(call.op, std::move(call.operands), std::move(call.attributes), names,
                                    std::move(call.label), &errors);
  if (!id.valid()) {
    report_call_errors(node, call, errors);
    return false;
  }
  for (std::size_t i = 0; i < node.outputs.size(); ++i)
    names_.insert_or_assign(names[i], NamedValue{graph_.node(id).outputs[i], node.outputs[i]});
  return true;
}

/// The names given by the file, and unused names for further results.
std::vector<std::string> JsonGraphReader::output_names(const NodeText& node, std::size_t count) const {
  std::vector<std::string> names;
  for (const JsonValue output : node.outputs) names.emplace_back(output.text());
  for (std::size_t i = names.size(); i < count; ++i)
    names.push_back(fresh_name(derived_name(node.id, "_" + std::to_string(i))));
  return names;
}

bool JsonGraphReader::claim_unnamed(const NodeText& node, std::size_t count) {
  if (count == 0) return true;
  if (count > options_.max_nodes - std::min<std::uint64_t>(unnamed_results_, options_.max_nodes)) {
    error(Code::limit_exceeded, node.node,
          "the nodes have more than " + std::to_string(options_.max_nodes) +
              " results that the file does not name; no more are allowed than nodes")
        .hints.push_back("--max-nodes raises the limit");
    return false;
  }
  unnamed_results_ += count;
  constexpr std::uint64_t bytes_of_result = 512;  // in the graph, and in what the compiler notes about it
  graph_.charge(count * (bytes_of_result + stem_of_name(node.id).size()));
  return true;
}

void JsonGraphReader::report_call_errors(const NodeText& node, const Call& call, std::span<const CallError> errors) {
  for (const CallError& mistake : errors) {
    JsonValue place;
    Code code = Code::bad_call;
    const std::size_t index = mistake.subject.index;
    if (mistake.subject.kind == Subject::Kind::operand) {
      code = Code::bad_operand;
      if (index < call.operand_places.size()) place = call.operand_places[index];
      if (!place) place = node.inputs;
    } else if (mistake.subject.kind == Subject::Kind::attribute) {
      code = Code::bad_option;
      if (index < call.attribute_places.size()) place = call.attribute_places[index];
      if (place && place.is(Kind::array) && mistake.subject.element >= 0 &&
          std::size_t(mistake.subject.element) < place.size())
        place = place.element(std::size_t(mistake.subject.element));
      if (!place) place = node.options;
    }
    Diagnostic& diagnostic = error(code, place ? place : node.node, mistake.message);
    if (!mistake.hint.empty()) diagnostic.hints.push_back(mistake.hint);
  }
}

std::vector<const OperandDescriptor*> JsonGraphReader::descriptors(const Call& call) const {
  std::vector<const OperandDescriptor*> result;
  for (const ValueId id : call.operands) result.push_back(id.valid() ? &graph_.value(id).descriptor : nullptr);
  return result;
}

}  // namespace webnn::compiler
