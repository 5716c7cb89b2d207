// Tokens, quoting, numbers and attribute values of the text format; see text.hpp.
#include "compiler/ir/text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>
#include <utility>

#include "schema/printable.hpp"

namespace webnn::compiler {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_character(char c) { return is_letter(c) || is_digit(c) || c == '.' || c == '$'; }
int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view line) : line_(line) {}

  std::vector<Token> run() {
    std::vector<Token> tokens;
    do {
      tokens.push_back(next());
    } while (tokens.back().kind != Token::Kind::end && tokens.back().kind != Token::Kind::bad);
    if (tokens.back().kind == Token::Kind::bad) tokens.push_back({Token::Kind::end, {}, std::uint32_t(at_ + 1)});
    return tokens;
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < line_.size() ? line_[at_ + ahead] : '\0'; }

  template <typename Predicate>
  std::string while_true(Predicate predicate) {
    const std::size_t begin = at_;
    while (at_ < line_.size() && predicate(line_[at_])) ++at_;
    return std::string(line_.substr(begin, at_ - begin));
  }

  Token next() {
    while (peek() == ' ' || peek() == '\t' || peek() == '\r') ++at_;
    start_ = at_;
    if (at_ >= line_.size() || (peek() == '/' && peek(1) == '/')) return token(Token::Kind::end, {});
    const char c = peek();
    if (c == '"') return quoted_token(Token::Kind::string);
    if (c == '%' || c == '?') return name_token(c == '%' ? Token::Kind::value : Token::Kind::capture);
    if (c == '0' && peek(1) == 'x') {
      at_ += 2;
      return token(Token::Kind::bytes, while_true([](char d) { return hex_digit(d) >= 0; }));
    }
    if (is_digit(c) || ((c == '-' || c == '+') && (is_digit(peek(1)) || peek(1) == '.' || peek(1) == 'I')) ||
        (c == '.' && is_digit(peek(1))))
      return number_token();
    if (is_letter(c) || c == '@') {
      ++at_;
      return token(Token::Kind::word, c + while_true(is_name_character));
    }
    for (const std::string_view mark : {"->", "<=", "..."})
      if (line_.substr(at_).starts_with(mark)) {
        at_ += mark.size();
        return token(Token::Kind::punctuation, std::string(mark));
      }
    if (c == '<') return elided_token();
    if (std::string_view("()[]{},=:&").find(c) != std::string_view::npos) {
      ++at_;
      return token(Token::Kind::punctuation, std::string(1, c));
    }
    return token(Token::Kind::bad, "a character that has no meaning here");
  }

  Token token(Token::Kind kind, std::string text) const { return {kind, std::move(text), std::uint32_t(start_ + 1)}; }

  Token name_token(Token::Kind kind) {
    ++at_;
    if (kind == Token::Kind::value && peek() == '"') return quoted_token(kind);
    std::string name = while_true(is_name_character);
    if (name.empty()) return token(Token::Kind::bad, "a name must follow '%' and '?'");
    return token(kind, std::move(name));
  }

  Token number_token() {
    std::string text(1, line_[at_++]);
    while (at_ < line_.size()) {
      const char c = line_[at_], before = line_[at_ - 1];
      const bool sign = (c == '-' || c == '+') && (before == 'e' || before == 'E');
      if (!is_digit(c) && !is_letter(c) && c != '.' && !sign) break;
      if (line_.substr(at_).starts_with("...")) break;  // a fill: {0...}
      text += c;
      ++at_;
    }
    return token(Token::Kind::number, std::move(text));
  }

  Token elided_token() {
    const std::size_t close = line_.find('>', at_);
    if (close == std::string_view::npos) return token(Token::Kind::bad, "'<' without '>'");
    std::string text(line_.substr(at_ + 1, close - at_ - 1));
    at_ = close + 1;
    return token(Token::Kind::elided, std::move(text));
  }

  Token quoted_token(Token::Kind kind) {
    ++at_;
    std::string text;
    while (at_ < line_.size() && line_[at_] != '"') {
      if (line_[at_] != '\\') {
        text += line_[at_++];
        continue;
      }
      const char escape = peek(1);
      at_ += 2;
      switch (escape) {
        case 'n':
          text += '\n';
          break;
        case 'r':
          text += '\r';
          break;
        case 't':
          text += '\t';
          break;
        case '"':
        case '\\':
          text += escape;
          break;
        case 'x':
          if (hex_digit(peek()) < 0 || hex_digit(peek(1)) < 0)
            return token(Token::Kind::bad, "two hexadecimal digits must follow \\x");
          text += char(hex_digit(peek()) * 16 + hex_digit(peek(1)));
          at_ += 2;
          break;
        default:
          return token(Token::Kind::bad, "an unknown escape; known are \\\" \\\\ \\n \\r \\t \\xNN");
      }
    }
    if (at_ >= line_.size()) return token(Token::Kind::bad, "a text without its closing quote");
    ++at_;
    return token(kind, std::move(text));
  }

  std::string_view line_;
  std::size_t at_ = 0;
  std::size_t start_ = 0;
};

template <typename Real>
std::string shortest(Real value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
  char text[40];
  const auto [end, error] = std::to_chars(text, text + sizeof text, value);
  return std::string(text, end);
}

template <typename Number>
bool parse_whole(std::string_view text, Number& value) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

template <typename Real>
bool parse_real(std::string_view text, Real& value) {
  if (text == "NaN") return value = std::numeric_limits<Real>::quiet_NaN(), true;
  if (text == "Infinity" || text == "+Infinity") return value = std::numeric_limits<Real>::infinity(), true;
  if (text == "-Infinity") return value = -std::numeric_limits<Real>::infinity(), true;
  const std::string_view digits = text.substr(text.starts_with('-') || text.starts_with('+'));
  if (digits.empty() || (!is_digit(digits[0]) && digits[0] != '.')) return false;  // from_chars would accept "inf"
  return parse_whole(text, value);
}

/// A number token, or one of the words Infinity and NaN.
std::optional<Number> read_number(TokenReader& reader) {
  const Token token = reader.peek();
  if (token.kind == Token::Kind::number || token.kind == Token::Kind::word)
    if (const auto number = parse_number(token.text)) {
      reader.take();
      return number;
    }
  reader.fail("expected a number, found " + token.described());
  return std::nullopt;
}

std::optional<std::int64_t> read_integer(TokenReader& reader) {
  const std::uint32_t column = reader.peek().column;
  const auto number = read_number(reader);
  if (!number) return std::nullopt;
  if (number->kind() != Number::Kind::signed_integer) {
    reader.fail("expected an integer, found " + number->text(), column);
    return std::nullopt;
  }
  return number->as_int64();
}

std::optional<double> read_real(TokenReader& reader) {
  const auto number = read_number(reader);
  if (!number) return std::nullopt;
  return number->as_double();
}

std::optional<std::string> read_string(TokenReader& reader) {
  if (reader.at(Token::Kind::string)) return reader.take().text;
  reader.fail("expected a text in quotes, found " + reader.peek().described());
  return std::nullopt;
}

template <typename Item, typename ReadItem>
std::optional<AttributeValue> read_list(TokenReader& reader, ReadItem read_item) {
  std::vector<Item> items;
  if (!reader.expect("[")) return std::nullopt;
  while (!reader.at("]")) {
    if (!items.empty() && !reader.expect(",")) return std::nullopt;
    auto item = read_item(reader);
    if (!item) return std::nullopt;
    items.push_back(std::move(*item));
  }
  reader.take();
  return AttributeValue(std::move(items));
}

template <typename Item, typename TextOf>
std::string list_text(const std::vector<Item>& items, TextOf text_of) {
  std::string text = "[";
  for (const Item& item : items) text += (text.size() > 1 ? ", " : "") + text_of(item);
  return text + "]";
}

}  // namespace

std::string Token::described() const {
  switch (kind) {
    case Kind::end:
      return "the end of the line";
    case Kind::bad:
      return text;
    case Kind::value:
      return "'" + value_text(text) + "'";
    case Kind::capture:
      return "'?" + text + "'";
    case Kind::string:
      return quoted(text);
    case Kind::bytes:
      return "bytes";
    case Kind::elided:
      return "'<" + text + ">'";
    default:
      return "'" + text + "'";
  }
}

std::vector<Token> tokenize(std::string_view line) { return Tokenizer(line).run(); }

Token TokenReader::take() {
  const Token& token = tokens_[next_];
  if (next_ + 1 < tokens_.size()) ++next_;
  return token;
}

bool TokenReader::accept(std::string_view text) {
  if (!at(text)) return false;
  take();
  return true;
}

bool TokenReader::expect(std::string_view text) {
  if (accept(text)) return true;
  return fail("expected '" + std::string(text) + "', found " + peek().described());
}

bool TokenReader::fail(std::string message, std::uint32_t column) {
  if (!failed_) {
    failed_ = true;
    message_ = std::move(message);
    column_ = column ? column : peek().column;
  }
  return false;
}

std::string quoted(std::string_view text) {
  constexpr char digits[] = "0123456789abcdef";
  std::string result = "\"";
  while (!text.empty()) {
    const char c = text[0];
    const auto byte = static_cast<unsigned char>(c);
    const std::size_t length = printable_sequence(text);
    if (c == '"' || c == '\\')
      (result += '\\') += c;
    else if (c == '\n')
      result += "\\n";
    else if (c == '\r')
      result += "\\r";
    else if (c == '\t')
      result += "\\t";
    else if (length == 0)
      ((result += "\\x") += digits[byte >> 4]) += digits[byte & 15];
    else
      result += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result + '"';
}

std::string value_text(std::string_view name) {
  bool plain = !name.empty();
  for (const char c : name) plain = plain && is_name_character(c);
  return "%" + (plain ? std::string(name) : quoted(name));
}

std::string post_ops_text(const Expression& expression, const std::function<std::string(std::size_t)>& input) {
  std::string text;
  for (std::size_t step = 1; step < expression.size(); ++step) {
    const Operator& op = row(expression.op(step));
    text += " -> " + std::string(op.name);
    const std::vector<StepOperand> operands = expression.operands(step);
    if (operands != std::vector{StepOperand::step(step - 1)}) {
      std::string list;
      for (const StepOperand operand : operands) {
        list += list.empty() ? "" : ", ";
        if (operand.is_step())
          list += operand.index + 1 == step ? "_" : "_" + std::to_string(steps_back(operand, step));
        else
          list += input(operand.index);
      }
      text += "(" + list + ")";
    }
    text += attributes_text(op, expression.attributes(step));
  }
  return text;
}

std::optional<std::size_t> parse_steps_back(std::string_view word) {
  if (word == "_") return 1;
  std::size_t back = 0;
  if (!word.starts_with('_') || word.starts_with("_0") || !parse_whole(word.substr(1), back) || back < 2 || back > 255)
    return std::nullopt;
  return back;
}

std::string real_text(double value) { return shortest(value); }
std::string real_text(float value) { return shortest(value); }

std::optional<Number> parse_number(std::string_view text) {
  if (text != "-0") {
    if (std::int64_t value; parse_whole(text, value)) return Number(value);
    if (std::uint64_t value; parse_whole(text, value)) return Number(value);
  }
  if (double value; parse_real(text, value)) return Number(value);
  return std::nullopt;
}

std::optional<float> parse_float(std::string_view text) {
  if (float value; parse_real(text, value)) return value;
  return std::nullopt;
}

std::string attribute_text(const AttributeValue& value) {
  struct Visitor {
    std::string operator()(bool flag) const { return flag ? "true" : "false"; }
    std::string operator()(std::int64_t integer) const { return std::to_string(integer); }
    std::string operator()(double real) const { return real_text(real); }
    std::string operator()(const Number& number) const { return number.text(); }
    std::string operator()(DataType type) const { return std::string(name_of(type)); }
    std::string operator()(const std::string& text) const { return quoted(text); }
    std::string operator()(const IntegerList& list) const {
      return list_text(list, [](std::int64_t item) { return std::to_string(item); });
    }
    std::string operator()(const RealList& list) const {
      return list_text(list, [](double item) { return real_text(item); });
    }
    std::string operator()(const TextList& list) const { return list_text(list, quoted); }
  };
  return std::visit(Visitor(), value);
}

std::string attributes_text(const Operator& op, const Attributes& attributes) {
  std::string text;
  for (std::size_t i = 0; i < attributes.size(); ++i)
    if (attributes[i])
      text += (text.empty() ? "" : ", ") + std::string(op.attributes[i].name) + "=" + attribute_text(*attributes[i]);
  return text.empty() ? text : " {" + text + "}";
}

std::optional<AttributeValue> read_attribute(TokenReader& reader, const AttributeRow& row) {
  const auto wrap = [](auto item) { return item ? std::optional<AttributeValue>(std::move(*item)) : std::nullopt; };
  switch (row.kind) {
    case AttributeKind::boolean:
      if (reader.accept("true")) return AttributeValue(true);
      if (reader.accept("false")) return AttributeValue(false);
      reader.fail("expected true or false, found " + reader.peek().described());
      return std::nullopt;
    case AttributeKind::u32:
    case AttributeKind::i32:
      return wrap(read_integer(reader));
    case AttributeKind::real:
      return wrap(read_real(reader));
    case AttributeKind::number:
      return wrap(read_number(reader));
    case AttributeKind::u32_or_list:
      if (!reader.at("[")) return wrap(read_integer(reader));
      [[fallthrough]];
    case AttributeKind::u32_list:
      return read_list<std::int64_t>(reader, read_integer);
    case AttributeKind::real_list:
      return read_list<double>(reader, read_real);
    case AttributeKind::text:
      return wrap(read_string(reader));
    case AttributeKind::text_list:
      return read_list<std::string>(reader, read_string);
    case AttributeKind::data_type: {
      const auto type = reader.at(Token::Kind::word) ? parse_data_type(reader.peek().text) : std::nullopt;
      if (!type) reader.fail("expected a data type, found " + reader.peek().described());
      if (type) reader.take();
      return wrap(type);
    }
  }
  return std::nullopt;
}

}  // namespace webnn::compiler
