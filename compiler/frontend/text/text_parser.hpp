// Parses statements of the `.webnn` text format into plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/frontend/json/json_document.hpp"
#include "compiler/frontend/text/text_lexer.hpp"

namespace webnn::compiler {

/// A value in the text: to the right of '=', in parentheses, or a size in a shape.
struct TextValue {
  enum class Kind : std::uint8_t { name, text, number, boolean, null, list, object };
  Kind kind = Kind::null;
  std::size_t begin = 0;
  std::string text;
  Number number;
  bool boolean = false;
  std::vector<TextValue> items;  // of a list or object
  std::vector<TextToken> keys;   // of an object
};

/// x: f32[1, dyn("n", 4)] @scalar(0.5);
struct TextDeclaration {
  TextToken name, type;
  std::size_t shape_begin = 0;
  std::vector<TextValue> sizes;
  std::optional<TextToken> annotation;  // weights, scalar or bytes
  TextValue data;                       // its argument; for @bytes only where it begins
  std::vector<std::uint8_t> bytes;
};

struct TextArgument {
  std::optional<TextToken> key;
  TextValue value;
};

/// y = conv2d(x, w, bias=b, strides=[2, 2]);   [a, b] = split(x, splits=2);   y = x;
struct TextCall {
  std::size_t begin = 0;
  std::vector<TextToken> results;
  bool lists_results = false;
  TextToken op;
  std::vector<TextArgument> arguments;
};

/// Thrown by the parser and caught by the reader: the current statement has a syntax error, which has been reported.
struct StatementFailed {};

class TextParser {
 public:
  TextParser(const JsonDocument& document, unsigned max_depth, Diagnostics& diagnostics)
      : document_(document), max_depth_(max_depth), diagnostics_(diagnostics), lexer_(document.text()) {}

  TextDeclaration declaration(bool constant);
  TextCall call();
  TextToken output();
  /// The number of a version such as v2.
  std::int64_t version();

  const TextToken& now() const { return lexer_.now(); }
  TextToken take() { return lexer_.take(); }
  bool take(char symbol);
  void expect(char symbol);
  TextToken name(std::string_view what);
  TextToken text(std::string_view what);
  /// Skips to behind the next ';', or to the '}' that ends the block.
  void skip_statement();

  [[noreturn]] void fail(std::size_t at, std::string message);
  [[noreturn]] void fail_expected(std::string_view what);

 private:
  TextValue value(unsigned depth = 0);
  TextValue list(unsigned depth);
  TextValue object(unsigned depth);
  TextValue dimension();
  std::vector<std::uint8_t> byte_list();
  TextArgument argument();

  const JsonDocument& document_;  // for positions
  unsigned max_depth_;
  Diagnostics& diagnostics_;
  TextLexer lexer_;
};

}  // namespace webnn::compiler
