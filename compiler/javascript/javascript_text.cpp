#include "compiler/javascript/javascript_text.hpp"

#include <algorithm>
#include <array>
#include <variant>

#include "schema/text.hpp"

namespace webnn::compiler {
namespace {

constexpr std::string_view hex_digits = "0123456789abcdef";
constexpr std::string_view base64_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Words that cannot name a variable in a module, and globals that mean something in it.
constexpr std::string_view language_words[] = {
    "arguments",  "await",     "break",    "case",       "catch",  "class",      "const",   "continue", "debugger",
    "default",    "delete",    "do",       "else",       "enum",   "eval",       "export",  "extends",  "false",
    "finally",    "for",       "function", "globalThis", "if",     "implements", "import",  "in",       "Infinity",
    "instanceof", "interface", "let",      "NaN",        "new",    "null",       "package", "private",  "protected",
    "public",     "return",    "static",   "super",      "switch", "this",       "throw",   "true",     "try",
    "typeof",     "undefined", "var",      "void",       "while",  "with",       "yield"};

bool is_ascii_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

void append_unit(std::string& text, unsigned unit) {
  text += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) text += hex_digits[(unit >> shift) & 15u];
}

/// One well-formed sequence of UTF-8.
unsigned code_point(std::string_view sequence) {
  constexpr unsigned first_bits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
  unsigned point = std::uint8_t(sequence[0]) & first_bits[sequence.size()];
  for (const char c : sequence.substr(1)) point = point << 6 | (std::uint8_t(c) & 0x3fu);
  return point;
}

void append_escaped(std::string& text, unsigned point) {
  if (point < 0x10000) return append_unit(text, point);
  append_unit(text, 0xd800 + ((point - 0x10000) >> 10));
  append_unit(text, 0xdc00 + ((point - 0x10000) & 0x3ff));
}

std::string value_text(bool value) { return value ? "true" : "false"; }
std::string value_text(std::int64_t value) { return std::to_string(value); }
std::string value_text(const Number& value) {
  const bool exact = value.kind() == Number::Kind::real || Number::compare(value, Number(value.as_double())) == 0;
  return value.text() + (exact ? "" : "n");
}
std::string value_text(double value) { return value_text(Number(value)); }
std::string value_text(DataType type) { return javascript_string(name_of(type)); }
std::string value_text(const std::string& text) { return javascript_string(text); }
template <typename T>
std::string value_text(const std::vector<T>& list) {
  std::string text = "[";
  for (std::size_t i = 0; i < list.size(); ++i) text += (i > 0 ? ", " : "") + value_text(list[i]);
  return text + ']';
}

}  // namespace

std::string javascript_string(std::string_view text) {
  std::string result = "\"";
  while (!text.empty()) {
    const std::size_t length = utf8_sequence(text);
    const char c = text[0];
    if (length == 0)
      append_unit(result, 0xfffd);
    else if (length > 1 || c < 0x20 || c == 0x7f || c == '<')
      append_escaped(result, code_point(text.substr(0, length)));
    else if (c == '"' || c == '\\')
      (result += '\\') += c;
    else
      result += c;
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result += '"';
}

std::string javascript_key(std::string_view name) {
  const std::string text = javascript_string(name);
  return name == "__proto__" ? '[' + text + ']' : text;  // without brackets it would be the object's prototype
}

std::string javascript_value(const AttributeValue& attribute) {
  return std::visit([](const auto& value) { return value_text(value); }, attribute);
}

std::string javascript_shape(const Shape& shape) { return value_text(IntegerList(shape.begin(), shape.end())); }

std::string url_name(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (is_ascii_word(c) || c == '-' || c == '.')
      result += c;
    else
      ((result += '%') += hex_digits[std::uint8_t(c) >> 4]) += hex_digits[std::uint8_t(c) & 15u];
  }
  return result;
}

void write_base64(std::span<const std::byte> bytes, const ByteSink& sink) {
  constexpr std::size_t piece = 3 * 16384;
  while (!bytes.empty()) {
    const auto now = bytes.first(std::min(piece, bytes.size()));
    std::string text;
    for (std::size_t i = 0; i < now.size(); i += 3) {
      const std::size_t count = std::min<std::size_t>(3, now.size() - i);
      unsigned bits = 0;
      for (std::size_t k = 0; k < 3; ++k) bits = bits << 8 | (k < count ? unsigned(now[i + k]) : 0u);
      for (std::size_t k = 0; k < 4; ++k) text += k <= count ? base64_digits[(bits >> (18 - 6 * k)) & 63u] : '=';
    }
    sink(text);
    bytes = bytes.subspan(now.size());
  }
}

JavascriptNames::JavascriptNames(std::span<const std::string_view> taken)
    : taken_(std::begin(language_words), std::end(language_words)) {
  taken_.insert(taken.begin(), taken.end());
}

std::string JavascriptNames::take(std::string_view name) {
  std::string word;
  for (const char c : name) word += is_ascii_word(c) ? c : '_';
  if (word.empty() || (word[0] >= '0' && word[0] <= '9')) word.insert(0, 1, '_');
  if (taken_.insert(word).second) return word;
  // Names in other alphabets of one length are all one word. Its lower numbers stay taken: they are not tried again.
  std::size_t& number = last_numbers_[word];
  std::string result;
  do result = word + "_" + std::to_string(++number);
  while (!taken_.insert(result).second);
  return result;
}

}  // namespace webnn::compiler
