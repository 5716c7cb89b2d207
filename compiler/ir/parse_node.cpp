#include "compiler/ir/parse_node.hpp"

#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>

namespace webnn::compiler {
namespace {

struct PostOpText {
  PostOp post_op;
  std::vector<ValueId> other;  // its operands from outside the node
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

/// `_` is the result of the previous operation, `_2` that of the second one back. Nullopt: it is something else.
std::optional<std::uint8_t> read_steps_back(LineReader& reader) {
  const Token& token = reader.peek();
  if (token.kind != Token::Kind::word || token.text[0] != '_') return std::nullopt;
  unsigned count = 1;
  const char *begin = token.text.data() + 1, *end = token.text.data() + token.text.size();
  if (begin != end) {
    const auto [last, error] = std::from_chars(begin, end, count);
    if (error != std::errc() || last != end || *begin == '0' || count < 2 || count > 255) return std::nullopt;
  }
  reader.take();
  return std::uint8_t(count);
}

/// Parses what follows `->`: relu, clamp {..}, add(_, %x), mul(_3, _).
std::optional<PostOpText> read_post_op(LineReader& reader, const Graph& graph) {
  PostOpText result;
  result.column = reader.peek().column;
  const auto op = read_operator(reader);
  if (!op) return std::nullopt;
  result.post_op.op = *op;
  const Operator& op_row = row(*op);
  if (op_row.variadic() || op_row.outputs.size() != 1 || op_row.operands.size() > 3) {
    reader.complain(Code::bad_call, result.column, "'" + std::string(op_row.name) + "' cannot be a post-op");
    return std::nullopt;
  }
  std::size_t place = 1;
  if (reader.accept("(")) {
    place = 0;
    result.post_op.operands = {};
    do {
      const auto back = read_steps_back(reader);
      const auto value = back ? std::nullopt : read_value(reader, graph);
      if (!back && !value) return std::nullopt;
      if (value) result.other.push_back(*value);
      if (back && place < result.post_op.operands.size()) result.post_op.operands[place] = *back;
      ++place;
    } while (reader.accept(","));
    if (!reader.expect(")")) return std::nullopt;
  }
  if (place != op_row.operands.size()) {
    reader.complain(Code::wrong_operand_count, result.column,
                    "post-op '" + std::string(op_row.name) + "' takes " + std::to_string(op_row.operands.size()) +
                        " operands, such as '_', found " + std::to_string(place));
    return std::nullopt;
  }
  auto attributes = read_attributes(reader, op_row);
  if (!attributes) return std::nullopt;
  result.post_op.attributes = std::move(*attributes);
  return result;
}

bool call_error(LineReader& reader, std::uint32_t column, const Operator& op, const CallError& error) {
  return reader.complain(Code::bad_call, column, std::string(op.name) + ": " + error.message, error.hint);
}

/// Adds the post-ops to a node; the types of their operands must suit them.
bool attach(LineReader& reader, std::vector<PostOpText>& post_ops, NodeId id, Graph& graph) {
  std::vector<OperandDescriptor> results;  // of the operations so far
  results.reserve(1 + post_ops.size());    // pointers to its elements are kept
  for (PostOpText& next : post_ops) {
    if (graph.node(id).outputs.size() != 1)
      return reader.complain(Code::bad_call, next.column, "only a node with one output takes post-ops");
    const Operator& op = row(next.post_op.op);
    results.push_back(graph.value(graph.node(id).outputs[0]).descriptor);
    std::vector<const OperandDescriptor*> operands;
    auto other = next.other.begin();
    for (std::size_t i = 0; i < op.operands.size(); ++i) {
      const std::size_t back = next.post_op.operands[i];
      if (back > results.size())
        return reader.complain(Code::bad_call, next.column,
                               "operand '_" + std::to_string(back) + "' is from more steps back than there are");
      operands.push_back(back != 0 ? &results[results.size() - back] : &graph.value(*other++).descriptor);
    }
    const Inference inference = check_operator(OperatorCall(next.post_op.op, operands, next.post_op.attributes));
    if (!inference.ok()) return call_error(reader, next.column, op, inference.errors()[0]);
    graph.attach_post_op(id, std::move(next.post_op), next.other, inference.outputs()[0]);
  }
  return true;
}

struct DeclaredTypes {
  std::vector<OperandDescriptor> types;  // none: left out
  std::uint32_t column = 0;
};

/// Parses what may follow the operations: `: float32[2, 3], float32[3]`.
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
    auto post_op = read_post_op(reader, graph);
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
      attach(reader, post_ops, id, graph) && check_results(reader, *declared, names, graph.node(id).outputs, graph);
  if (!good) graph.erase(id);
  return good;
}

}  // namespace webnn::compiler
