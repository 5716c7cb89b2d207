#include "compiler/ir/line_reader.hpp"

#include <string>
#include <utility>

namespace webnn::compiler {

bool LineReader::complain(Code code, std::uint32_t column, std::string message, std::string hint) {
  complaint_ = {code, std::move(message), std::move(hint), column, {}};
  return false;
}

bool LineReader::complain_undefined(const Token& value) {
  complaint_ = {Code::unknown_value, "no line above defines " + value_text(value.text), {}, value.column, value.text};
  return false;
}

Complaint LineReader::complaint() const {
  return complaint_.value_or(Complaint{Code::bad_text, message(), {}, column(), {}});
}

bool LineReader::expect_end() {
  return at(Token::Kind::end) || fail("expected the end of the line, found " + peek().described());
}

std::optional<OperandDescriptor> read_descriptor(LineReader& reader, std::vector<NamedDimension>* names) {
  const std::uint32_t column = reader.peek().column;
  const auto type = reader.at(Token::Kind::word) ? parse_data_type(reader.peek().text) : std::nullopt;
  if (!type) {
    reader.complain(Code::unknown_data_type, column, "expected a data type, found " + reader.peek().described());
    return std::nullopt;
  }
  reader.take();
  if (!reader.expect("[")) return std::nullopt;
  OperandDescriptor result{*type, {}};
  while (!reader.at("]")) {
    if (!result.shape.empty() && !reader.expect(",")) return std::nullopt;
    if (names && (reader.at(Token::Kind::word) || reader.at(Token::Kind::string))) {
      names->push_back({{}, result.shape.rank(), reader.take().text});
      if (!reader.expect("<=")) return std::nullopt;
    }
    const Token token = reader.peek();
    const auto size = token.kind == Token::Kind::number ? parse_number(token.text) : std::nullopt;
    if (!size || size->kind() != Number::Kind::signed_integer || size->as_int64() < 1 ||
        size->as_int64() > max_dimension) {
      reader.complain(Code::bad_dimension, token.column,
                      "expected a dimension of 1 to " + std::to_string(max_dimension) + ", found " + token.described());
      return std::nullopt;
    }
    if (result.shape.rank() == max_rank) {
      reader.complain(Code::bad_rank, token.column, "a shape has at most " + std::to_string(max_rank) + " dimensions");
      return std::nullopt;
    }
    result.shape.push_back(std::uint32_t(size->as_int64()));
    reader.take();
  }
  reader.take();
  if (std::string error = descriptor_error(result); !error.empty()) {
    reader.complain(Code::tensor_too_large, column, std::move(error));
    return std::nullopt;
  }
  return result;
}

std::optional<ValueId> read_value(LineReader& reader, const Graph& graph) {
  if (!reader.at(Token::Kind::value)) {
    reader.fail("expected a value, found " + reader.peek().described());
    return std::nullopt;
  }
  const Token token = reader.take();
  const ValueId id = graph.find_value(token.text);
  if (id.valid()) return id;
  reader.complain_undefined(token);
  return std::nullopt;
}

std::optional<OperatorId> read_operator(LineReader& reader) {
  const Token token = reader.peek();
  if (token.kind != Token::Kind::word) {
    reader.fail("expected an operator, found " + token.described());
    return std::nullopt;
  }
  const auto id = find_any_operator(token.text);
  if (id) {
    reader.take();
    return id;
  }
  std::vector<std::string_view> names;
  for (const Operator& known : all_operators()) names.push_back(known.name);
  const std::string_view near = nearest(token.text, names);
  reader.complain(Code::unknown_operator, token.column, "there is no operator " + token.described(),
                  near.empty() ? std::string() : "did you mean '" + std::string(near) + "'?");
  return std::nullopt;
}

std::optional<Attributes> read_attributes(LineReader& reader, const Operator& op) {
  Attributes attributes(op.attributes.size());
  if (!reader.accept("{")) return attributes;
  do {
    const Token token = reader.peek();
    const int index = token.kind == Token::Kind::word ? op.attribute_index(token.text) : -1;
    if (index < 0) {
      reader.complain(Code::unknown_option, token.column,
                      std::string(op.name) + " has no attribute " + token.described());
      return std::nullopt;
    }
    if (attributes[std::size_t(index)]) {
      reader.complain(Code::duplicate_key, token.column, "attribute " + token.described() + " is given twice");
      return std::nullopt;
    }
    reader.take();
    if (!reader.expect("=")) return std::nullopt;
    auto value = read_attribute(reader, op.attributes[std::size_t(index)]);
    if (!value) return std::nullopt;
    attributes[std::size_t(index)] = std::move(value);
  } while (reader.accept(","));
  if (!reader.expect("}")) return std::nullopt;
  return attributes;
}

}  // namespace webnn::compiler
