// The lexer of the `.webnn` text format.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "schema/elements/number.hpp"

namespace webnn::compiler {

using namespace webnn::schema;

struct TextToken {
  enum class Kind : std::uint8_t { name, text, number, symbol, end, bad };
  Kind kind = Kind::end;
  std::size_t begin = 0, end = 0;  // in the text
  std::string text;                // content of a name or text; character of a symbol; error message of a bad token
  Number number;

  bool is(char symbol) const { return kind == Kind::symbol && text[0] == symbol; }
  bool is_name(std::string_view name) const { return kind == Kind::name && text == name; }
};

/// Splits the text into tokens; skips blanks and comments (# to the end of the line).
class TextLexer {
 public:
  explicit TextLexer(std::string_view text) : text_(text) { advance(); }
  const TextToken& now() const { return token_; }
  TextToken take() {
    TextToken token = std::move(token_);
    advance();
    return token;
  }

 private:
  void advance();
  void read_name();
  void read_text();
  void read_number();
  void fail(std::string why);

  std::string_view text_;
  std::size_t at_ = 0;
  TextToken token_;
};

/// Whether the text format can write this name: a letter, '_', '/' or '$', then letters, digits, '_', '.' and '/'.
bool is_text_name(std::string_view name);

}  // namespace webnn::compiler
