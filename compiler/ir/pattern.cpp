// Matches patterns and builds replacements; see pattern.hpp.
#include "compiler/ir/pattern.hpp"

#include <algorithm>
#include <cstring>

#include "compiler/ir/content.hpp"
#include "compiler/ir/defaults.hpp"

namespace webnn::compiler {
namespace {

template <typename List>
auto find_named(List& list, std::string_view name) {
  return std::find_if(list.begin(), list.end(), [&](const auto& item) { return item.first == name; });
}

/// Writes the number of a pattern as an element; false when an integer type cannot hold it (a fraction, or out of
/// range).
bool literal_element(const std::string& literal, DataType type, std::byte* element) {
  if (is_float(type) || literal != "-0") return parse_element(literal, type, element);
  return parse_element("0", type, element);  // integers have only one zero
}

}  // namespace

ValueId Match::value(std::string_view name) const {
  const auto found = find_named(values_, name);
  return found == values_.end() ? ValueId{} : found->second;
}

const AttributeValue* Match::attribute(std::string_view name) const {
  const auto found = find_named(attributes_, name);
  return found == attributes_.end() || !found->second ? nullptr : &*found->second;
}

IntegerList Match::integers(std::string_view name) const {
  const AttributeValue* found = attribute(name);
  const IntegerList* list = found ? std::get_if<IntegerList>(found) : nullptr;
  return list ? *list : IntegerList();
}

std::optional<Number> Match::number(std::string_view name) const {
  const AttributeValue* found = attribute(name);
  if (!found) return std::nullopt;
  if (const double* real = std::get_if<double>(found)) return Number(*real);
  if (const std::int64_t* integer = std::get_if<std::int64_t>(found)) return Number(*integer);
  const Number* number = std::get_if<Number>(found);
  return number ? std::optional(*number) : std::nullopt;
}

void Match::set_attribute(std::string_view name, std::optional<AttributeValue> value) {
  const auto found = find_named(attributes_, name);
  if (found == attributes_.end())
    attributes_.emplace_back(name, std::move(value));
  else
    found->second = std::move(value);
}

// ---- matching

/// Solves a list of goals: each is a pattern and the value that it must match. The only choice points are the two
/// operand orders of commutative operators; for each order, the remaining goals are solved anew.
class Matcher {
 public:
  Matcher(const Graph& graph, ConstantFacts& facts) : graph_(graph), facts_(facts) {}

  std::optional<Match> run(NodeId node, const Pattern& pattern) {
    if (graph_.node(node).outputs.size() != 1 || !may_match(graph_.node(node), pattern)) return std::nullopt;
    Match match(graph_, facts_);
    std::vector<Goal> goals{{&pattern, graph_.node(node).outputs[0], true}};
    if (!solve(std::move(goals), match)) return std::nullopt;
    return match;
  }

 private:
  struct Goal {
    const Pattern* pattern;
    ValueId value;
    bool root = false;
  };

  /// Looks at the operands only, without allocating: most nodes match no pattern for a reason that is seen there.
  bool may_match(const Node& node, const Pattern& pattern) const {
    const std::vector<Pattern>& operands = pattern.operands;
    if (!node.post_ops.empty() || node.inputs.size() != operands.size()) return false;
    const bool swappable = row(node.op).commutative && operands.size() == 2;
    for (std::size_t i = 0; i < operands.size(); ++i)
      if (!may_be(operands[i], node.inputs[i]) && !(swappable && may_be(operands[i], node.inputs[1 - i]))) return false;
    return true;
  }

  bool may_be(const Pattern& pattern, ValueId id) const {
    switch (pattern.kind) {
      case Pattern::Kind::absent:
        return !id.valid();
      case Pattern::Kind::literal:
      case Pattern::Kind::constant:
        return graph_.is_constant(id);
      case Pattern::Kind::call: {
        if (!id.valid() || graph_.value(id).kind != Value::Kind::result) return false;
        const OperatorId op = graph_.node(graph_.value(id).producer).op;
        return pattern.op ? op == *pattern.op : row(op).family == pattern.family;
      }
      default:
        return true;
    }
  }

  bool solve(std::vector<Goal> goals, Match& match) {
    while (!goals.empty()) {
      const Goal goal = goals.back();
      goals.pop_back();
      const Pattern& pattern = *goal.pattern;
      switch (pattern.kind) {
        case Pattern::Kind::absent:
          if (goal.value.valid()) return false;
          break;
        case Pattern::Kind::constant:
          if (!graph_.is_constant(goal.value)) return false;
          [[fallthrough]];
        case Pattern::Kind::value:
          if (!goal.value.valid()) return false;
          [[fallthrough]];
        case Pattern::Kind::optional:
          if (!bind(pattern.capture, goal.value, match)) return false;
          break;
        case Pattern::Kind::literal:
          if (!is_literal(pattern.literal, goal.value)) return false;
          break;
        case Pattern::Kind::call: {
          if (!is_call(pattern, goal, match)) return false;
          const Node& node = graph_.node(match.nodes_.back());
          const bool swappable = row(node.op).commutative && pattern.operands.size() == 2;
          if (swappable) {
            Match attempt = match;
            std::vector<Goal> rest = goals;
            rest.push_back({&pattern.operands[1], node.inputs[0]});
            rest.push_back({&pattern.operands[0], node.inputs[1]});
            std::vector<Goal> straight = goals;
            straight.push_back({&pattern.operands[1], node.inputs[1]});
            straight.push_back({&pattern.operands[0], node.inputs[0]});
            if (solve(std::move(straight), attempt)) {
              match = std::move(attempt);
              return true;
            }
            return solve(std::move(rest), match);
          }
          for (std::size_t i = pattern.operands.size(); i-- > 0;)
            goals.push_back({&pattern.operands[i], node.inputs[i]});
          break;
        }
      }
    }
    return true;
  }

  static bool bind(const std::string& name, ValueId value, Match& match) {
    if (name.empty()) return true;
    const auto found = find_named(match.values_, name);
    if (found != match.values_.end()) return found->second == value;
    match.values_.emplace_back(name, value);
    return true;
  }

  bool is_literal(const std::string& literal, ValueId id) const {
    if (!graph_.is_constant(id)) return false;
    const Value& constant = graph_.value(id);
    std::byte element[8];
    if (!literal_element(literal, constant.descriptor.type, element)) return false;
    const std::size_t width = bits_of(constant.descriptor.type) / 8;
    const std::span<const std::byte> data = constant.data.view();
    // Only the first element is compared for each pattern and node; whether the others are like it is found out once.
    return width != 0 && data.size() >= width && std::memcmp(data.data(), element, width) == 0 &&
           facts_.is_filled(constant);
  }

  bool is_call(const Pattern& pattern, const Goal& goal, Match& match) const {
    if (!goal.value.valid() || graph_.value(goal.value).kind != Value::Kind::result) return false;
    const NodeId id = graph_.value(goal.value).producer;
    const Node& node = graph_.node(id);
    if (node.outputs.size() != 1 || !node.post_ops.empty() || node.inputs.size() != pattern.operands.size())
      return false;
    if (pattern.op ? node.op != *pattern.op : row(node.op).family != pattern.family) return false;
    const bool may_be_shared = goal.root || !pattern.capture.empty();
    if (!may_be_shared && (graph_.use_count(goal.value) != 1 || graph_.is_output(goal.value))) return false;
    if (!bind(pattern.capture, goal.value, match)) return false;
    if (!pattern.op_capture.empty()) {
      const auto known = std::find_if(match.operators_.begin(), match.operators_.end(),
                                      [&](const auto& captured) { return captured.name == pattern.op_capture; });
      if (known == match.operators_.end())
        match.operators_.push_back({pattern.op_capture, id});
      else if (graph_.node(known->node).op != node.op || graph_.node(known->node).attributes != node.attributes)
        return false;
    } else if (!attributes_match(pattern, id, match)) {
      return false;
    }
    match.nodes_.push_back(id);
    return true;
  }

  bool attributes_match(const Pattern& pattern, NodeId id, Match& match) const {
    const std::vector<const OperandDescriptor*> operands = graph_.operands(id);
    const Node& node = graph_.node(id);
    const OperatorCall call(node.op, operands, node.attributes);
    if (!pattern.any_attributes)
      for (std::size_t i = 0; i < node.attributes.size(); ++i) {
        const bool mentioned = std::any_of(pattern.attributes.begin(), pattern.attributes.end(),
                                           [&](const auto& attribute) { return attribute.index == i; });
        if (!mentioned && node.attributes[i] && !identical(node.attributes[i], default_attribute(call, i)))
          return false;
      }
    for (const Pattern::AttributePattern& attribute : pattern.attributes) {
      std::optional<AttributeValue> found = effective_attribute(call, attribute.index);
      if (attribute.capture.empty()) {
        if (!identical(found, attribute.value)) return false;
        continue;
      }
      const auto known = find_named(match.attributes_, attribute.capture);
      if (known == match.attributes_.end())
        match.attributes_.emplace_back(attribute.capture, std::move(found));
      else if (!identical(known->second, found))
        return false;
    }
    return true;
  }

  const Graph& graph_;
  ConstantFacts& facts_;
};

std::optional<Match> match(const Graph& graph, NodeId node, const Pattern& pattern, ConstantFacts& facts) {
  return Matcher(graph, facts).run(node, pattern);
}

// ---- building

class Builder {
 public:
  Builder(Addition& addition, const Match& match, const std::string& name, const std::string& label)
      : addition_(addition), graph_(addition.graph()), match_(match), name_(name), label_(label) {}

  ValueId value(const Pattern& pattern) {
    if (pattern.kind != Pattern::Kind::call) return captured(pattern.capture);
    const ValueId result = call(pattern);
    if (!pattern.capture.empty()) named_.emplace_back(pattern.capture, result);
    return result;
  }

 private:
  /// A result named in the replacement itself, or a capture of the pattern.
  ValueId captured(std::string_view name) const {
    const auto found = find_named(named_, name);
    return found == named_.end() ? match_.value(name) : found->second;
  }

  /// Whether the operand becomes a new scalar constant.
  bool is_number(const Pattern& operand) const {
    if (operand.kind == Pattern::Kind::literal) return true;
    return operand.kind == Pattern::Kind::value && !captured(operand.capture).valid() && match_.number(operand.capture);
  }

  /// An optional capture that is absent, or a call that requires one.
  bool is_absent(const Pattern& pattern) const {
    if (pattern.kind == Pattern::Kind::absent) return true;
    if (pattern.kind == Pattern::Kind::optional) return !captured(pattern.capture).valid();
    if (pattern.kind != Pattern::Kind::call || !pattern.op) return false;
    const Operator& op_row = row(*pattern.op);
    for (std::size_t i = 0; i < pattern.operands.size(); ++i)
      if (op_row.operands[op_row.variadic() ? 0 : i].arity == Arity::one && is_absent(pattern.operands[i])) return true;
    return false;
  }

  ValueId call(const Pattern& pattern) {
    OperatorId op;
    Attributes attributes;
    if (pattern.op) {
      op = *pattern.op;
      attributes = Attributes(row(op).attributes.size());
      for (const Pattern::AttributePattern& attribute : pattern.attributes) {
        const AttributeValue* captured = match_.attribute(attribute.capture);
        if (attribute.capture.empty())
          attributes[attribute.index] = attribute.value;
        else if (captured)
          attributes[attribute.index] = *captured;
      }
    } else {
      const auto captured = std::find_if(match_.operators_.begin(), match_.operators_.end(),
                                         [&](const auto& known) { return known.name == pattern.op_capture; });
      if (captured == match_.operators_.end()) return {};
      op = graph_.node(captured->node).op;
      attributes = graph_.node(captured->node).attributes;
    }

    std::vector<ValueId> inputs(pattern.operands.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (is_absent(pattern.operands[i]) || is_number(pattern.operands[i])) continue;
      inputs[i] = value(pattern.operands[i]);
      if (!inputs[i].valid() && pattern.operands[i].kind != Pattern::Kind::value) return {};
    }
    for (std::size_t i = 0; i < inputs.size(); ++i)
      if (is_number(pattern.operands[i]) && !add_number(pattern.operands[i], op, i, inputs)) return {};

    return addition_.value(op, std::move(inputs), std::move(attributes), label_, {&name_, 1});
  }

  /// Adds a scalar with the type of another operand that has the same type variable.
  bool add_number(const Pattern& operand, OperatorId op, std::size_t place, std::vector<ValueId>& inputs) {
    const Operator& op_row = row(op);
    const auto variable = [&](std::size_t i) { return op_row.operands[op_row.variadic() ? 0 : i].variable; };
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (!inputs[i].valid() || variable(i) != variable(place)) continue;
      const DataType type = graph_.value(inputs[i]).descriptor.type;
      std::vector<std::byte> bytes(bits_of(type) / 8);
      if (bytes.empty()) return false;
      if (const auto number = match_.number(operand.capture))
        store(*number, type, bytes.data());
      else if (!literal_element(operand.literal, type, bytes.data()))
        return false;
      inputs[place] = graph_.add_constant("c", {type, {}}, Bytes(std::move(bytes)));
      return true;
    }
    return false;
  }

  Addition& addition_;
  Graph& graph_;
  const Match& match_;
  const std::string& name_;
  const std::string& label_;
  std::vector<std::pair<std::string, ValueId>> named_;
};

ValueId build(Addition& addition, const Pattern& replacement, const Match& match, const std::string& name,
              const std::string& label) {
  return Builder(addition, match, name, label).value(replacement);
}

}  // namespace webnn::compiler
