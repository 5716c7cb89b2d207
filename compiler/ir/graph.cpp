// Building, reading and mutating the graph; see graph.hpp.
#include "compiler/ir/graph.hpp"

#include <algorithm>
#include <cassert>
#include <functional>
#include <queue>

#include "compiler/ir/free_name.hpp"
#include "schema/name_hash.hpp"
#include "schema/text.hpp"

namespace webnn::compiler {
namespace {

std::string_view stem_of(OperatorId op) {
  const std::string_view name = row(op).name;
  return name.starts_with('@') ? name.substr(1) : name;
}

void append(std::vector<CallError>* errors, std::string message) {
  if (errors) errors->push_back({{}, std::move(message), {}});
}

/// How many names a hint lists.
constexpr std::size_t most_shown_names = 20;

std::string known_dimensions(const std::vector<std::string_view>& first, std::size_t count) {
  if (first.empty()) return "all of its dimensions have sizes";
  std::string text = "its dimensions are ";
  for (const std::string_view name : first) {
    if (name != first[0]) text += ", ";
    ((text += '\'') += name) += '\'';
  }
  return count == first.size() ? text : text + " and " + std::to_string(count - first.size()) + " more";
}

}  // namespace

// ---- building

ValueId Graph::add_value(Value value) {
  ++revision_;
  const ValueId id{std::uint32_t(values_.size())};
  value.name = unique_name(value.name);
  names_.add(value.name, id.index);
  values_.push_back(std::move(value));
  uses_.push_back(0);
  output_counts_.push_back(0);
  output_places_.emplace_back();
  users_.emplace_back();
  return id;
}

ValueId Graph::add_input(std::string value_name, const OperandDescriptor& descriptor) {
  const ValueId id = add_value({Value::Kind::input, std::move(value_name), descriptor, {}, {}});
  inputs_.push_back(id);
  return id;
}

ValueId Graph::add_constant(std::string value_name, const OperandDescriptor& descriptor, Bytes data,
                            std::optional<std::uint64_t> checksum) {
  return add_value({Value::Kind::constant, std::move(value_name), descriptor, {}, std::move(data), checksum});
}

NodeId Graph::add_node(OperatorId op, std::vector<ValueId> inputs, Attributes attributes,
                       std::span<const std::string> output_names, std::string label, std::vector<CallError>* errors) {
  const Operator& op_row = row(op);
  if (attributes.size() == 0) attributes = Attributes(op_row.attributes.size());
  if (attributes.size() != op_row.attributes.size()) {
    append(errors, std::string(op_row.name) + " has " + std::to_string(op_row.attributes.size()) +
                       " attributes, found " + std::to_string(attributes.size()));
    return {};
  }
  if (!op_row.variadic()) {
    if (inputs.size() > op_row.operands.size()) {
      append(errors, std::string(op_row.name) + " takes at most " + std::to_string(op_row.operands.size()) +
                         " operands, found " + std::to_string(inputs.size()));
      return {};
    }
    inputs.resize(op_row.operands.size());
  }
  std::vector<const OperandDescriptor*> operands;
  operands.reserve(inputs.size());
  for (const ValueId input : inputs) {
    if (input.valid() && input.index >= values_.size()) {
      append(errors, "an operand names value " + std::to_string(input.index) + ", which is not in the graph");
      return {};
    }
    operands.push_back(input.valid() ? &values_[input.index].descriptor : nullptr);
  }

  const Inference inference = check_operator(OperatorCall(op, operands, attributes));
  if (!inference.ok()) {
    if (errors) errors->insert(errors->end(), inference.errors().begin(), inference.errors().end());
    return {};
  }

  const NodeId id{std::uint32_t(nodes_.size())};
  Node& node = nodes_.emplace_back();
  node.op = op;
  node.inputs = std::move(inputs);
  node.attributes = std::move(attributes);
  node.label = std::move(label);
  for (std::size_t i = 0; i < node.inputs.size(); ++i) link(id, i, node.inputs[i]);
  for (std::size_t i = 0; i < inference.outputs().size(); ++i) {
    Value value;
    if (i < output_names.size()) value.name = output_names[i];
    if (value.name.empty()) value.name = stem_of(op);
    value.descriptor = inference.outputs()[i];
    value.producer = id;
    node.outputs.push_back(add_value(std::move(value)));
  }
  return id;
}

void Graph::add_output(std::string output_name, ValueId value) {
  ++revision_;
  output_places_[value.index].push_back(std::uint32_t(outputs_.size()));
  outputs_.push_back({std::move(output_name), value});
  ++output_counts_[value.index];
  ++uses_[value.index];
}

void Graph::charge(std::uint64_t bytes) {
  if (charge_)
    charge_->add(bytes);
  else
    charge_ = std::make_shared<MemoryCharge>(bytes);
}

// ---- reading

ValueId Graph::find_value(std::string_view value_name) const {
  return {names_.find(value_name, [&](std::uint32_t value) -> std::string_view { return values_[value].name; })};
}

bool Graph::is_in_order() const {
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    if (!nodes_[i].alive) continue;
    for (const ValueId input : nodes_[i].inputs)
      if (input.valid())
        if (const NodeId producer = values_[input.index].producer; producer.valid() && producer.index >= i)
          return false;
  }
  return true;
}

std::vector<NodeId> Graph::order() const {
  if (is_in_order()) {
    std::vector<NodeId> result;
    result.reserve(nodes_.size());
    for (std::uint32_t i = 0; i < nodes_.size(); ++i)
      if (nodes_[i].alive) result.push_back({i});
    return result;
  }
  // Kahn's algorithm with the smallest ready id first: a graph that was built in order keeps its order.
  const auto producer_of = [&](ValueId id) {
    if (!id.valid()) return NodeId{};
    const NodeId producer = values_[id.index].producer;
    return producer.valid() && nodes_[producer.index].alive ? producer : NodeId{};
  };
  std::vector<std::uint32_t> first_consumer(nodes_.size() + 1), waiting_for(nodes_.size());
  std::size_t live = 0;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (!nodes_[i].alive) continue;
    ++live;
    for (const ValueId input : nodes_[i].inputs)
      if (const NodeId producer = producer_of(input); producer.valid()) {
        ++first_consumer[producer.index + 1];
        ++waiting_for[i];
      }
  }
  for (std::size_t i = 1; i < first_consumer.size(); ++i) first_consumer[i] += first_consumer[i - 1];
  std::vector<std::uint32_t> consumers(first_consumer.back()), next(first_consumer);
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    if (!nodes_[i].alive) continue;
    for (const ValueId input : nodes_[i].inputs)
      if (const NodeId producer = producer_of(input); producer.valid()) consumers[next[producer.index]++] = i;
    if (waiting_for[i] == 0) ready.push(i);
  }

  std::vector<NodeId> result;
  result.reserve(live);
  while (!ready.empty()) {
    const std::uint32_t node = ready.top();
    ready.pop();
    result.push_back({node});
    for (std::uint32_t i = first_consumer[node]; i < first_consumer[node + 1]; ++i)
      if (--waiting_for[consumers[i]] == 0) ready.push(consumers[i]);
  }
  if (result.size() != live) result.clear();
  return result;
}

std::vector<NodeId> Graph::users(ValueId id) const {
  std::vector<NodeId> result;
  for (const Use& use : users_[id.index])
    if (is_current(use, id)) result.push_back(use.node);
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

std::vector<const OperandDescriptor*> Graph::operands(NodeId id) const {
  const Node& node = nodes_[id.index];
  std::vector<const OperandDescriptor*> result(Expression(node).root_operand_count());
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = descriptor_of_input(node, i);
  return result;
}

KernelSpec Graph::spec_of(const Node& node) const {
  KernelSpec result;
  result.op = node.op;
  result.attributes = node.attributes;
  result.post_ops = node.post_ops;
  for (const ValueId input : node.inputs) {
    auto& descriptor = result.inputs.emplace_back();
    if (input.valid()) descriptor = values_[input.index].descriptor;
  }
  for (std::size_t i = 0; i < node.inputs.size() && i < 8; ++i)
    if (is_constant(node.inputs[i])) result.constants |= std::uint8_t(1u << i);
  for (const ValueId output : node.outputs) result.outputs.push_back(values_[output.index].descriptor);
  return result;
}

InferredSteps Graph::steps_of(const Node& node) const {
  std::vector<const OperandDescriptor*> inputs(node.inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) inputs[i] = descriptor_of_input(node, i);
  return infer_steps(node, inputs);
}

std::string Graph::unique_name(std::string_view stem) const {
  const auto is_taken = [this](std::string_view candidate) { return find_value(candidate).valid(); };
  return free_name(stem.empty() ? "value" : stem, is_taken, values_.size());
}

// ---- mutations

void Graph::link(NodeId user, std::size_t place, ValueId used) {
  if (!used.valid()) return;
  ++uses_[used.index];
  users_[used.index].push_back({user, std::uint32_t(place)});
}

void Graph::unlink(ValueId used) {
  if (used.valid()) --uses_[used.index];  // the list of uses is checked when it is read
}

void Graph::replace_uses(ValueId from, ValueId to) {
  if (from == to) return;
  ++revision_;
  for (const Use& use : std::exchange(users_[from.index], {})) {
    if (!is_current(use, from)) continue;
    nodes_[use.node.index].inputs[use.place] = to;
    unlink(from);
    link(use.node, use.place, to);
  }
  for (const std::uint32_t place : std::exchange(output_places_[from.index], {}))
    if (outputs_[place].value == from) move_output(place, to);
}

/// Its place stays in the list of the value that it was until that list is read: a search for it would take as long as
/// the list, for each of many outputs of one value.
void Graph::move_output(std::uint32_t place, ValueId to) {
  ValueId& current = outputs_[place].value;
  --output_counts_[current.index];
  --uses_[current.index];
  current = to;
  ++output_counts_[to.index];
  ++uses_[to.index];
  output_places_[to.index].push_back(place);
}

void Graph::erase(NodeId id) {
  Node& node = nodes_[id.index];
  if (!node.alive) return;
  ++revision_;
  node.alive = false;
  for (const ValueId input : node.inputs) unlink(input);
  for (const ValueId output : node.outputs) {
    assert(uses_[output.index] == 0);
    names_.remove(values_[output.index].name, output.index);
  }
}

void Graph::set_attribute(NodeId id, std::string_view attribute, std::optional<AttributeValue> value) {
  ++revision_;
  Node& node = nodes_[id.index];
  const int index = row(node.op).attribute_index(attribute);
  assert(index >= 0);
  node.attributes[std::size_t(index)] = std::move(value);
}

void Graph::set_input(NodeId id, std::size_t place, ValueId value) {
  ValueId& input = nodes_[id.index].inputs[place];
  if (input == value) return;
  ++revision_;
  unlink(input);
  input = value;
  link(id, place, value);
}

void Graph::set_output(std::size_t index, ValueId value) {
  ++revision_;
  move_output(std::uint32_t(index), value);
}

void Graph::extend(NodeId id, Node longer, const OperandDescriptor& result) {
  ++revision_;
  Node& node = nodes_[id.index];
  assert(node.outputs.size() == 1);
  for (std::size_t i = node.inputs.size(); i < longer.inputs.size(); ++i) link(id, i, longer.inputs[i]);
  node = std::move(longer);
  values_[node.outputs[0].index].descriptor = result;
}

void Graph::extend(NodeId id, std::span<const PostOp> post_ops, std::span<const ValueId> inputs,
                   const OperandDescriptor& result) {
  ++revision_;
  Node& node = nodes_[id.index];
  assert(node.outputs.size() == 1);
  for (std::size_t i = 0; i < inputs.size(); ++i) link(id, node.inputs.size() + i, inputs[i]);
  node.inputs.insert(node.inputs.end(), inputs.begin(), inputs.end());
  node.post_ops.insert(node.post_ops.end(), post_ops.begin(), post_ops.end());
  values_[node.outputs[0].index].descriptor = result;
}

void Graph::rename(ValueId id, std::string_view value_name) {
  std::string& current = values_[id.index].name;
  if (current == value_name) return;
  ++revision_;
  std::string free = unique_name(value_name);
  names_.remove(current, id.index);
  current = std::move(free);
  names_.add(current, id.index);
}

std::vector<Graph::BindError> Graph::bind_dimensions(std::span<const std::pair<std::string, std::uint32_t>> sizes) {
  std::vector<BindError> errors;
  const auto refuse = [&](std::string message, std::string hint = {}) {
    errors.push_back({NodeId{}, std::move(message), std::move(hint)});
  };
  NameViews names;
  std::vector<std::string_view> shown;
  for (const NamedDimension& dimension : named_dimensions_)
    if (names.insert(dimension.name).second && shown.size() < most_shown_names) shown.push_back(dimension.name);
  ByNameView<std::uint32_t> size_of;
  for (const auto& [dimension, size] : sizes) {
    if (!size_of.emplace(dimension, size).second) refuse("dimension " + in_quotes(dimension) + " is given twice");
    if (!names.contains(dimension))
      refuse("the graph has no dimension named " + in_quotes(dimension), known_dimensions(shown, names.size()));
  }
  NameViews reported;
  for (const NamedDimension& dimension : named_dimensions_) {
    const auto given = size_of.find(dimension.name);
    if (given == size_of.end()) {
      if (reported.insert(dimension.name).second)
        refuse("dimension " + in_quotes(dimension.name) + " has no size",
               "give its size: `--dim " + escaped(dimension.name) + "=4`, or `dimensions` in the library");
      continue;
    }
    const Value& input = values_[dimension.input.index];
    const std::uint32_t maximum = input.descriptor.shape[dimension.axis];
    if (given->second == 0 || given->second > maximum)
      refuse("dimension " + in_quotes(dimension.name) + " of input " + in_quotes(input.name) + " takes 1 to " +
             std::to_string(maximum) + ", found " + std::to_string(given->second));
  }
  if (!errors.empty() || named_dimensions_.empty()) return errors;

  ++revision_;
  for (const NamedDimension& dimension : named_dimensions_)
    values_[dimension.input.index].descriptor.shape[dimension.axis] = size_of.at(dimension.name);
  named_dimensions_.clear();

  std::vector<bool> unknown(values_.size());
  for (const NodeId id : order()) {
    const Node& node = nodes_[id.index];
    bool known = std::none_of(node.inputs.begin(), node.inputs.end(),
                              [&](ValueId input) { return input.valid() && unknown[input.index]; });
    if (known) {
      const InferredSteps inferred = infer(id);
      for (const CallError& error : inferred.errors) errors.push_back({id, error.message, {}});
      known = inferred.errors.empty();
      for (std::size_t i = 0; known && i < node.outputs.size(); ++i)
        values_[node.outputs[i].index].descriptor = inferred.outputs[i];
    }
    for (const ValueId output : node.outputs) unknown[output.index] = !known;
  }
  return errors;
}

}  // namespace webnn::compiler
