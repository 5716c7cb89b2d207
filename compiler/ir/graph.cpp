// Building, reading and mutating the graph; see graph.hpp.
#include "compiler/ir/graph.hpp"

#include <algorithm>
#include <cassert>
#include <functional>
#include <queue>
#include <unordered_map>

namespace webnn::compiler {
namespace {

std::string_view stem_of(OperatorId op) {
  const std::string_view name = row(op).name;
  return name.starts_with('@') ? name.substr(1) : name;
}

void append(std::vector<CallError>* errors, std::string message) {
  if (errors) errors->push_back({{}, std::move(message), {}});
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
  for (const ValueId input : node.inputs) link(id, input);
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
  ++uses_[value.index];
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
  for (const NodeId user : users_[id.index]) {
    const Node& node = nodes_[user.index];
    if (node.alive && std::find(node.inputs.begin(), node.inputs.end(), id) != node.inputs.end())
      result.push_back(user);
  }
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
  if (stem.empty()) stem = "value";
  if (!is_taken(stem)) return std::string(stem);
  const auto numbered = [&](std::size_t number) { return std::string(stem) + "_" + std::to_string(number); };
  // Gallops, then bisects: finding the next number of a stem shared by many values takes logarithmic time, and no
  // counter is needed.
  std::size_t taken = 1, free = 2;
  while (is_taken(numbered(free))) {
    taken = free;
    free *= 2;
  }
  while (free - taken > 1) {
    const std::size_t middle = taken + (free - taken) / 2;
    (is_taken(numbered(middle)) ? taken : free) = middle;
  }
  return numbered(free);
}

// ---- mutations

void Graph::link(NodeId user, ValueId used) {
  if (!used.valid()) return;
  ++uses_[used.index];
  users_[used.index].push_back(user);
}

void Graph::unlink(ValueId used) {
  if (used.valid()) --uses_[used.index];  // the list of users is cleaned when it is read
}

void Graph::replace_uses(ValueId from, ValueId to) {
  if (from == to) return;
  ++revision_;
  for (const NodeId user : std::exchange(users_[from.index], {})) {
    Node& node = nodes_[user.index];
    if (!node.alive) continue;
    for (ValueId& input : node.inputs) {
      if (input != from) continue;
      input = to;
      unlink(from);
      link(user, to);
    }
  }
  for (const std::uint32_t place : std::exchange(output_places_[from.index], {})) {
    outputs_[place].value = to;
    output_places_[to.index].push_back(place);
    --uses_[from.index];
    ++uses_[to.index];
  }
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
  link(id, value);
}

void Graph::set_output(std::size_t index, ValueId value) {
  ++revision_;
  ValueId& current = outputs_[index].value;
  --uses_[current.index];
  std::erase(output_places_[current.index], std::uint32_t(index));
  current = value;
  ++uses_[value.index];
  output_places_[value.index].push_back(std::uint32_t(index));
}

void Graph::extend(NodeId id, Node longer, const OperandDescriptor& result) {
  ++revision_;
  Node& node = nodes_[id.index];
  assert(node.outputs.size() == 1);
  for (std::size_t i = node.inputs.size(); i < longer.inputs.size(); ++i) link(id, longer.inputs[i]);
  node = std::move(longer);
  values_[node.outputs[0].index].descriptor = result;
}

void Graph::extend(NodeId id, std::span<const PostOp> post_ops, std::span<const ValueId> inputs,
                   const OperandDescriptor& result) {
  ++revision_;
  Node& node = nodes_[id.index];
  assert(node.outputs.size() == 1);
  for (const ValueId input : inputs) link(id, input);
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
  std::string known_names;
  for (const NamedDimension& dimension : named_dimensions_)
    if (known_names.find("'" + dimension.name + "'") == std::string::npos)
      known_names += (known_names.empty() ? "its dimensions are '" : ", '") + dimension.name + "'";
  std::unordered_map<std::string_view, std::uint32_t> size_of;
  for (const auto& [dimension, size] : sizes) {
    if (!size_of.emplace(dimension, size).second) refuse("dimension '" + dimension + "' is given twice");
    if (std::none_of(named_dimensions_.begin(), named_dimensions_.end(),
                     [&name = dimension](const NamedDimension& known) { return known.name == name; }))
      refuse("the graph has no dimension named '" + dimension + "'",
             known_names.empty() ? "all of its dimensions have sizes" : known_names);
  }
  std::unordered_map<std::string_view, bool> reported;
  for (const NamedDimension& dimension : named_dimensions_) {
    const auto given = size_of.find(dimension.name);
    if (given == size_of.end()) {
      if (reported.emplace(dimension.name, true).second)
        refuse("dimension '" + dimension.name + "' has no size", "give its size, as in --dim " + dimension.name + "=4");
      continue;
    }
    const Value& input = values_[dimension.input.index];
    const std::uint32_t maximum = input.descriptor.shape[dimension.axis];
    if (given->second == 0 || given->second > maximum)
      refuse("dimension '" + dimension.name + "' of input '" + input.name + "' takes 1 to " + std::to_string(maximum) +
             ", found " + std::to_string(given->second));
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
