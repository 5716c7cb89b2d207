#include "compiler/ir/parse_node.hpp"

#include <cstdint>
#include <optional>
#include <utility>

namespace webnn::compiler {
namespace {

struct PostOpText {
  OperatorId op;
  Attributes attributes;
  std::vector<NewOperand<Node>> operands;
  std::uint32_t column = 0;
};

/// Parses (%x, bias=%b): one value for each operand, not valid where the text leaves it out; all values if the operator
/// is variadic.
std::optional<std::vector<ValueId>> read_operands(LineReader& reader, const Operator& op, const Graph& graph) {
  std::vector<ValueId> inputs(op.variadic() ? 0 : op.operands.size());
  std::size_t position = 0;
  if (!reader.expect("(")) return std::nullopt;
  while (!reader.at(")")) {
    if (position > 0 && !reader.expect(",")) return std::nullopt;
    ++position;
    std::size_t place = position - 1;
    const Token token = reader.peek();
    if (token.kind == Token::Kind::word) {
      const int named = op.variadic() ? -1 : op.operand_index(token.text);
      if (named < 0) {
        reader.complain(Code::unknown_option, token.column,
                        std::string(op.name) + " has no operand " + token.described());
        return std::nullopt;
      }
      place = std::size_t(named);
      reader.take();
      if (!reader.expect("=")) return std::nullopt;
    }
    const auto value = read_value(reader, graph);
    if (!value) return std::nullopt;
    if (op.variadic()) {
      inputs.push_back(*value);
      continue;
    }
    if (place >= inputs.size() || inputs[place].valid()) {
      reader.complain(Code::wrong_operand_count, token.column,
                      place < inputs.size()
                          ? "operand '" + std::string(op.operands[place].name) + "' is given twice"
                          : std::string(op.name) + " takes at most " + std::to_string(inputs.size()) + " operands");
      return std::nullopt;
    }
    inputs[place] = *value;
  }
  reader.take();
  return inputs;
}

/// Parses an operand of step `step`: `_` is the result of the step before, `_2` that of the second one back; or a value.
std::optional<NewOperand<Node>> read_step_operand(LineReader& reader, const PostOpText& of, std::size_t step,
                                                  const Graph& graph) {
  const Token& token = reader.peek();
  const auto back = token.kind == Token::Kind::word ? parse_steps_back(token.text) : std::nullopt;
  if (!back) return read_value(reader, graph);
  const auto result = result_back(step, *back);
  if (!result) {
    reader.complain(Code::bad_call, of.column, "operand '" + token.text + "' is from more steps back than there are");
    return std::nullopt;
  }
  reader.take();
  return ResultOf{result->index};
}

/// Parses what follows `->`: relu, clamp {..}, add(_, %x), mul(_3, _).
std::optional<PostOpText> read_post_op(LineReader& reader, std::size_t step, const Graph& graph) {
  PostOpText result;
  result.column = reader.peek().column;
  const auto op = read_operator(reader);
  if (!op) return std::nullopt;
  result.op = *op;
  const Operator& op_row = row(*op);
  if (!can_be_post_op(op_row)) {
    reader.complain(Code::bad_call, result.column, "'" + std::string(op_row.name) + "' cannot be a post-op");
    return std::nullopt;
  }
  if (reader.accept("(")) {
    do {
      const auto operand = read_step_operand(reader, result, step, graph);
      if (!operand) return std::nullopt;
      result.operands.push_back(*operand);
    } while (reader.accept(","));
    if (!reader.expect(")")) return std::nullopt;
  } else {
    result.operands.push_back(ResultOf{step - 1});
  }
  if (result.operands.size() != op_row.operands.size()) {
    reader.complain(Code::wrong_operand_count, result.column,
                    "post-op '" + std::string(op_row.name) + "' takes " + std::to_string(op_row.operands.size()) +
                        " operands, such as '_', found " + std::to_string(result.operands.size()));
    return std::nullopt;
  }
  auto attributes = read_attributes(reader, op_row);
  if (!attributes) return std::nullopt;
  result.attributes = std::move(*attributes);
  return result;
}

bool call_error(LineReader& reader, std::uint32_t column, const Operator& op, const CallError& error) {
  return reader.complain(Code::bad_call, column, std::string(op.name) + ": " + error.message, error.hint);
}

/// Adds the post-ops to a node; the types of their operands must suit them.
bool extend(LineReader& reader, std::vector<PostOpText>& post_ops, NodeId id, Graph& graph) {
  if (post_ops.empty()) return true;
  Node longer = graph.node(id);
  if (longer.outputs.size() != 1)
    return reader.complain(Code::bad_call, post_ops[0].column, "only a node with one output takes post-ops");
  for (PostOpText& next : post_ops) append_post_op(longer, next.op, std::move(next.attributes), next.operands);
  const InferredSteps inferred = graph.steps_of(longer);
  if (!inferred.errors.empty()) {
    const PostOpText& wrong = post_ops[inferred.results.size() - 1];
    return call_error(reader, wrong.column, row(wrong.op), inferred.errors[0]);
  }
  graph.extend(id, std::move(longer), inferred.outputs[0]);
  return true;
}

struct DeclaredTypes {
  std::vector<OperandDescriptor> types;  // none: left out
  std::uint32_t column = 0;
};

/// Parses what may follow the steps: `: float32[2, 3], float32[3]`.
std::optional<DeclaredTypes> read_declared_types(LineReader& reader) {
  DeclaredTypes result;
  if (!reader.accept(":")) return result;
  result.column = reader.peek().column;
  do {
    const auto found = read_descriptor(reader, nullptr);
    if (!found) return std::nullopt;
    result.types.push_back(*found);
  } while (reader.accept(","));
  return result;
}

/// Checks the names and types of a node against what its operator gives.
bool check_results(LineReader& reader, const DeclaredTypes& declared, const std::vector<std::string>& names,
                   const std::vector<ValueId>& outputs, const Graph& graph) {
  const auto& [types, column] = declared;
  if (outputs.size() != names.size())
    return reader.complain(Code::wrong_output_count, 1,
                           "the operator has " + std::to_string(outputs.size()) + " outputs, found " +
                               std::to_string(names.size()) + " names");
  if (types.empty()) return true;
  if (types.size() != outputs.size())
    return reader.complain(Code::wrong_output_count, column,
                           "the operator has " + std::to_string(outputs.size()) + " outputs, found " +
                               std::to_string(types.size()) + " types");
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (const OperandDescriptor& inferred = graph.value(outputs[i]).descriptor; !(inferred == types[i]))
      return reader.complain(Code::bad_call, column,
                             value_text(names[i]) + " is " + inferred.text() + ", found " + types[i].text());
  return true;
}

}  // namespace

bool parse_node(LineReader& reader, const std::vector<std::string>& names, Graph& graph) {
  const std::uint32_t column = reader.peek().column;
  const auto op = read_operator(reader);
  if (!op) return false;
  auto inputs = read_operands(reader, row(*op), graph);
  if (!inputs) return false;
  auto attributes = read_attributes(reader, row(*op));
  if (!attributes) return false;
  std::vector<PostOpText> post_ops;
  while (reader.accept("->")) {
    auto post_op = read_post_op(reader, 1 + post_ops.size(), graph);
    if (!post_op) return false;
    post_ops.push_back(std::move(*post_op));
  }
  const auto declared = read_declared_types(reader);
  if (!declared) return false;
  std::string label = names[0];
  if (reader.accept("label")) {
    if (!reader.at(Token::Kind::string)) return reader.fail("expected the label in quotes");
    label = reader.take().text;
  }
  if (!reader.expect_end()) return false;

  std::vector<CallError> errors;
  const NodeId id = graph.add_node(*op, std::move(*inputs), std::move(*attributes), names, label, &errors);
  if (!id.valid()) return call_error(reader, column, row(*op), errors.at(0));
  const bool good =
      extend(reader, post_ops, id, graph) && check_results(reader, *declared, names, graph.node(id).outputs, graph);
  if (!good) graph.erase(id);
  return good;
}

}  // namespace webnn::compiler
