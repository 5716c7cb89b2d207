#include "compiler/frontend/text/text_parser.hpp"

#include <algorithm>

#include "schema/text.hpp"

namespace webnn::compiler {

using TokenKind = TextToken::Kind;

void TextParser::fail(std::size_t at, std::string message) {
  diagnostics_.error(Code::bad_text, document_.location(at), std::move(message));
  throw StatementFailed{};
}

void TextParser::fail_expected(std::string_view what) {
  const TextToken& token = now();
  if (token.kind == TokenKind::bad) fail(token.begin, token.text);
  const std::string found =
      token.kind == TokenKind::end
          ? "the end of the file"
          : in_quotes(document_.text().substr(token.begin, std::min<std::size_t>(token.end - token.begin, 40)));
  fail(token.begin, std::string(what) + " expected, found " + found);
}

bool TextParser::take(char symbol) {
  if (!now().is(symbol)) return false;
  take();
  return true;
}

void TextParser::expect(char symbol) {
  if (!take(symbol)) fail_expected(std::string("'") + symbol + "'");
}

TextToken TextParser::name(std::string_view what) {
  if (now().kind != TokenKind::name) fail_expected(what);
  return take();
}

TextToken TextParser::text(std::string_view what) {
  if (now().kind != TokenKind::text) fail_expected(what);
  return take();
}

void TextParser::skip_statement() {
  int depth = 0;
  while (now().kind != TokenKind::end) {
    if (now().is('{')) ++depth;
    if (now().is('}') && depth-- == 0) return;
    const bool last = now().is(';') && depth == 0;
    take();
    if (last) return;
  }
}

/// "v2" is a single name token.
std::int64_t TextParser::version() {
  const TextToken token = name("a version like v2");
  const std::string_view digits = std::string_view(token.text).substr(1);
  const bool good = token.text[0] == 'v' && !digits.empty() && digits.size() < 10 &&
                    digits.find_first_not_of("0123456789") == digits.npos;
  if (!good) fail(token.begin, "a version like v2 expected, found " + in_quotes(token.text));
  std::int64_t number = 0;
  for (const char digit : digits) number = number * 10 + (digit - '0');
  return number;
}

TextDeclaration TextParser::declaration(bool constant) {
  TextDeclaration result;
  result.name = name("a name");
  expect(':');
  result.type = name("a data type like f32");
  result.shape_begin = now().begin;
  expect('[');
  while (!take(']')) {
    result.sizes.push_back(dimension());
    if (take(',')) continue;
    expect(']');
    break;
  }
  if (constant && take('@')) {
    result.annotation = name("weights, scalar or bytes");
    const std::string& kind = result.annotation->text;
    if (kind != "weights" && kind != "scalar" && kind != "bytes")
      fail(result.annotation->begin,
           "unknown annotation " + in_quotes("@" + kind) + "; it is @weights, @scalar or @bytes");
    expect('(');
    if (kind == "bytes") {
      result.data.begin = now().begin;
      result.bytes = byte_list();
    } else {
      result.data = value();
    }
    expect(')');
  }
  expect(';');
  return result;
}

/// These may be weights, so each byte takes only one byte.
std::vector<std::uint8_t> TextParser::byte_list() {
  std::vector<std::uint8_t> result;
  expect('[');
  while (!take(']')) {
    const TextToken& token = now();
    const bool byte = token.kind == TokenKind::number && token.number.kind() != Number::Kind::real &&
                      Number::compare(token.number, Number(0)) >= 0 && Number::compare(token.number, Number(255)) <= 0;
    if (!byte) fail_expected("a byte, an integer from 0 to 255,");
    result.push_back(std::uint8_t(take().number.as_uint64()));
    if (take(',')) continue;
    expect(']');
    break;
  }
  return result;
}

/// A size, or dyn("name", maximum), which becomes the same object as in JSON.
TextValue TextParser::dimension() {
  if (!now().is_name("dyn")) return value();
  TextValue result;
  result.kind = TextValue::Kind::object;
  result.begin = take().begin;
  expect('(');
  for (const std::string_view key : {"name", "maxSize"}) {
    TextToken token;
    token.begin = now().begin;
    token.text = key;
    result.keys.push_back(std::move(token));
    result.items.push_back(value());
    if (key == "name") expect(',');
  }
  expect(')');
  return result;
}

TextValue TextParser::value(unsigned depth) {
  if (depth > max_depth_) fail(now().begin, "lists are nested too deep");
  TextValue result;
  result.begin = now().begin;
  if (now().kind == TokenKind::number) {
    result.kind = TextValue::Kind::number;
    result.number = take().number;
  } else if (now().kind == TokenKind::text) {
    result.kind = TextValue::Kind::text;
    result.text = take().text;
  } else if (now().kind == TokenKind::name) {
    result.text = take().text;
    result.boolean = result.text == "true";
    result.kind = result.text == "true" || result.text == "false" ? TextValue::Kind::boolean
                  : result.text == "null"                         ? TextValue::Kind::null
                                                                  : TextValue::Kind::name;
  } else if (take('-')) {  // -Infinity
    result.kind = TextValue::Kind::text;
    result.text = "-" + name("a number").text;
  } else if (now().is('[')) {
    result = list(depth);
  } else if (now().is('{')) {
    result = object(depth);
  } else {
    fail_expected("a value");
  }
  return result;
}

TextValue TextParser::list(unsigned depth) {
  TextValue result;
  result.kind = TextValue::Kind::list;
  result.begin = take().begin;
  while (!take(']')) {
    result.items.push_back(value(depth + 1));
    if (take(',')) continue;
    expect(']');
    break;
  }
  return result;
}

TextValue TextParser::object(unsigned depth) {
  TextValue result;
  result.kind = TextValue::Kind::object;
  result.begin = take().begin;
  while (!take('}')) {
    if (now().kind != TokenKind::name && now().kind != TokenKind::text) fail_expected("a key");
    result.keys.push_back(take());
    expect(':');
    result.items.push_back(value(depth + 1));
    if (take(',')) continue;
    expect('}');
    break;
  }
  return result;
}

TextCall TextParser::call() {
  TextCall result;
  result.begin = now().begin;
  result.lists_results = take('[');
  do result.results.push_back(name("the name of a result"));
  while (result.lists_results && take(','));
  if (result.lists_results) expect(']');
  expect('=');
  if (now().kind == TokenKind::number)
    fail(now().begin, "an operator expected; a number by itself has no data type, so declare it as a constant");
  result.op = name("an operator");
  if (take('(')) {
    while (!take(')')) {
      result.arguments.push_back(argument());
      if (take(',')) continue;
      expect(')');
      break;
    }
  } else {  // a second name for a value
    TextArgument same;
    same.value.kind = TextValue::Kind::name;
    same.value.begin = result.op.begin;
    same.value.text = std::move(result.op.text);
    result.arguments.push_back(std::move(same));
    result.op.text = "identity";
  }
  expect(';');
  return result;
}

TextArgument TextParser::argument() {
  TextArgument result;
  result.value = value();
  if (result.value.kind != TextValue::Kind::name || !take('=')) return result;
  TextToken key;
  key.begin = result.value.begin;
  key.text = std::move(result.value.text);
  result.key = std::move(key);
  result.value = value();
  return result;
}

/// a; or a, b; the last ';' is optional.
TextToken TextParser::output() {
  TextToken token = name("the name of an output");
  if (!take(',') && !take(';') && !now().is('}')) fail_expected("';'");
  return token;
}

}  // namespace webnn::compiler
