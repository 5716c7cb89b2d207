// Parses the text of a pattern; see pattern.hpp.
#include <algorithm>

#include "compiler/ir/pattern.hpp"
#include "compiler/ir/text.hpp"

namespace webnn::compiler {
namespace {

class PatternParser {
 public:
  explicit PatternParser(std::string_view text) : reader_(text) {}

  std::optional<Pattern> run(std::string& error) {
    std::optional<Pattern> result = pattern(0);
    if (result && !reader_.at(Token::Kind::end)) {
      reader_.fail("expected the end, found " + reader_.peek().described());
      result.reset();
    }
    if (!result) error = reader_.message() + " (column " + std::to_string(reader_.column()) + ")";
    return result;
  }

 private:
  static constexpr unsigned max_depth = 32;

  std::nullopt_t fail(std::string message) {
    reader_.fail(std::move(message));
    return std::nullopt;
  }

  std::optional<Pattern> pattern(unsigned depth) {
    if (depth > max_depth) return fail("the pattern is nested too deeply");
    Pattern result;
    const Token token = reader_.take();
    switch (token.kind) {
      case Token::Kind::number:
        result.kind = Pattern::Kind::literal;
        result.literal = token.text;
        return result;
      case Token::Kind::word:
        return call(std::move(result), token.text, depth);
      case Token::Kind::capture:
        return capture(std::move(result), token.text, depth);
      default:
        return fail("expected a pattern, found " + token.described());
    }
  }

  /// ?x, ?x:constant, ?y=relu(..), ?f:unary(..), ?f(..)
  std::optional<Pattern> capture(Pattern result, const std::string& name, unsigned depth) {
    if (reader_.at("(")) {
      result.kind = Pattern::Kind::call;
      result.op_capture = name;
      return operands_of_captured(std::move(result), depth);
    }
    result.capture = name;
    if (reader_.accept("=")) {
      if (!reader_.at(Token::Kind::word)) return fail("expected an operator, found " + reader_.peek().described());
      const std::string op = reader_.take().text;
      return call(std::move(result), op, depth);
    }
    result.kind = Pattern::Kind::value;
    if (!reader_.accept(":")) return result;
    if (reader_.accept("constant")) {
      result.kind = Pattern::Kind::constant;
      return result;
    }
    if (reader_.accept("optional")) {
      result.kind = Pattern::Kind::optional;
      return result;
    }
    for (std::size_t i = 0; i < family_count; ++i)
      if (reader_.accept(name_of(Family(i)))) {
        result.kind = Pattern::Kind::call;
        result.family = Family(i);
        result.op_capture = std::exchange(result.capture, {});
        return operands_of_captured(std::move(result), depth);
      }
    return fail("expected 'constant', 'optional' or a family, found " + reader_.peek().described());
  }

  std::optional<Pattern> operands_of_captured(Pattern result, unsigned depth) {
    if (!reader_.expect("(")) return std::nullopt;
    while (!reader_.at(")")) {
      if (!result.operands.empty() && !reader_.expect(",")) return std::nullopt;
      auto operand = pattern(depth + 1);
      if (!operand) return std::nullopt;
      result.operands.push_back(std::move(*operand));
    }
    reader_.take();
    return result;
  }

  std::optional<Pattern> call(Pattern result, const std::string& name, unsigned depth) {
    result.kind = Pattern::Kind::call;
    result.op = find_any_operator(name);
    if (!result.op) return fail("there is no operator '" + name + "'");
    const Operator& op = row(*result.op);
    if (op.outputs.size() != 1) return fail(name + " has more than one output");
    if (!operands(result, op, depth) || !attributes(result, op)) return std::nullopt;
    return result;
  }

  bool operands(Pattern& result, const Operator& op, unsigned depth) {
    if (!op.variadic()) result.operands.resize(op.operands.size());
    if (!reader_.expect("(")) return false;
    for (std::size_t position = 0; !reader_.at(")"); ++position) {
      if (position > 0 && !reader_.expect(",")) return false;
      std::size_t place = position;
      if (reader_.at(Token::Kind::word) && !op.variadic())
        if (const int named = op.operand_index(reader_.peek().text); named >= 0) {
          place = std::size_t(named);
          reader_.take();
          if (!reader_.expect("=")) return false;
        }
      auto operand = pattern(depth + 1);
      if (!operand) return false;
      if (op.variadic())
        result.operands.push_back(std::move(*operand));
      else if (place < result.operands.size())
        result.operands[place] = std::move(*operand);
      else
        return reader_.fail(std::string(op.name) + " takes at most " + std::to_string(result.operands.size()) +
                            " operands");
    }
    reader_.take();
    for (std::size_t i = 0; i < result.operands.size(); ++i)
      if (result.operands[i].kind == Pattern::Kind::absent && op.operands[i].arity == Arity::one)
        return reader_.fail(std::string(op.name) + " lacks operand '" + std::string(op.operands[i].name) + "'");
    return true;
  }

  bool attributes(Pattern& result, const Operator& op) {
    if (reader_.accept("{")) {
      do {
        if (reader_.accept("...")) {
          result.any_attributes = true;
          break;
        }
        const int index = reader_.at(Token::Kind::word) ? op.attribute_index(reader_.peek().text) : -1;
        if (index < 0) return reader_.fail(std::string(op.name) + " has no attribute " + reader_.peek().described());
        reader_.take();
        if (!reader_.expect("=")) return false;
        Pattern::AttributePattern attribute;
        attribute.index = std::size_t(index);
        if (reader_.at(Token::Kind::capture))
          attribute.capture = reader_.take().text;
        else if (!(attribute.value = read_attribute(reader_, op.attributes[attribute.index])))
          return false;
        result.attributes.push_back(std::move(attribute));
      } while (reader_.accept(","));
      if (!reader_.expect("}")) return false;
    }
    for (std::size_t i = 0; i < op.attributes.size(); ++i)
      if (op.attributes[i].required() && !result.any_attributes &&
          std::none_of(result.attributes.begin(), result.attributes.end(), [&](const auto& a) { return a.index == i; }))
        return reader_.fail(std::string(op.name) + " lacks attribute '" + std::string(op.attributes[i].name) + "'");
    return true;
  }

  TokenReader reader_;
};

}  // namespace

std::vector<std::string> forms_of(std::string_view text) {
  const std::size_t begin = text.find('<');
  std::vector<std::size_t> ends;  // of the first choice's forms
  unsigned depth = 0;
  for (std::size_t i = begin; i < text.size(); ++i) {
    if (text[i] == '<') ++depth;
    if (depth == 1 && (text[i] == '|' || text[i] == '>')) ends.push_back(i);
    if (text[i] == '>' && --depth == 0) break;
  }
  if (ends.empty() || depth != 0) return {std::string(text)};  // parse_pattern refuses a choice without an end
  std::vector<std::string> forms;
  for (std::size_t start = begin + 1; const std::size_t end : ends) {
    const std::string one = std::string(text.substr(0, begin)) + std::string(text.substr(start, end - start)) +
                            std::string(text.substr(ends.back() + 1));
    for (std::string& form : forms_of(one)) forms.push_back(std::move(form));
    start = end + 1;
  }
  return forms;
}

std::optional<Pattern> parse_pattern(std::string_view text, std::string& error) {
  return PatternParser(text).run(error);
}

}  // namespace webnn::compiler
