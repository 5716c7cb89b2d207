// The lexical elements of the graph's text format, shared by its printer, its parser and the patterns of rewrites.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schema/expression.hpp"
#include "schema/operators/attribute.hpp"
#include "schema/operators/operator.hpp"

namespace webnn::compiler {

using namespace webnn::schema;

struct Token {
  enum class Kind : std::uint8_t {
    end,
    word,         // conv2d, float32, @reorder, _
    value,        // %x or %"any text"; text is the name
    capture,      // ?x
    string,       // "any text"; text is the content
    number,       // 12, -0.5, 1e-5
    bytes,        // 0x00ff; text is the digits
    elided,       // <4096 bytes ...>; text is the part in between
    punctuation,  // ( ) [ ] { } , = : & and -> <= ...
    bad,          // text is the reason
  };
  Kind kind = Kind::end;
  std::string text;
  std::uint32_t column = 1;  // from 1, in bytes

  bool is(std::string_view punctuation_or_word) const {
    return (kind == Kind::punctuation || kind == Kind::word) && text == punctuation_or_word;
  }
  /// "'conv2d'", "end of line"; for messages.
  std::string described() const;
};

/// Splits a line into tokens. The last token is of kind `end`; `//` starts a comment.
std::vector<Token> tokenize(std::string_view line);

/// Reads the tokens of one line and remembers the first mistake.
class TokenReader {
 public:
  explicit TokenReader(std::string_view line) : tokens_(tokenize(line)) {}

  const Token& peek() const { return tokens_[next_]; }
  Token take();
  bool at(std::string_view text) const { return peek().is(text); }
  bool at(Token::Kind kind) const { return peek().kind == kind; }
  /// Consumes the next token if it is `text`.
  bool accept(std::string_view text);
  /// Consumes `text`, or fails.
  bool expect(std::string_view text);
  /// Records the first mistake, at the next token or at `column`. Always false.
  bool fail(std::string message, std::uint32_t column = 0);

  bool failed() const { return failed_; }
  const std::string& message() const { return message_; }
  std::uint32_t column() const { return column_; }

 private:
  std::vector<Token> tokens_;
  std::size_t next_ = 0;
  bool failed_ = false;
  std::string message_;
  std::uint32_t column_ = 0;
};

/// "text" with \" \\ \n \r \t, and \xNN for the bytes of everything else that is not safe to print.
std::string quoted(std::string_view text);
/// "%x" if the name consists of letters, digits, `_`, `.` and `$`, otherwise %"x y".
std::string value_text(std::string_view name);

/// The post-ops of an expression: " -> add(_, %x) -> relu -> mul(_3, _)". `_` is the result of the step before, `_2` of
/// the second one back; `input(i)` is the text of the node's input `i`.
std::string post_ops_text(const Expression& expression, const std::function<std::string(std::size_t)>& input);
/// How many steps back `_` or `_2` is; nullopt for another word.
std::optional<std::size_t> parse_steps_back(std::string_view word);

/// The shortest text that reads back as the same number: "1", "-0", "1e-05", "Infinity", "NaN".
std::string real_text(double value);
std::string real_text(float value);
/// Integers stay integers; "-0", fractions and exponents are reals. Nullopt when the text is not a number.
std::optional<Number> parse_number(std::string_view text);
/// The float nearest to the text, rounded once.
std::optional<float> parse_float(std::string_view text);

std::string attribute_text(const AttributeValue& value);
/// " {strides=[2, 2], groups=4}": the given attributes; empty when there are none.
std::string attributes_text(const Operator& op, const Attributes& attributes);
/// Reads a value of the row's kind. check_operator checks its range.
std::optional<AttributeValue> read_attribute(TokenReader& reader, const AttributeRow& row);

}  // namespace webnn::compiler
