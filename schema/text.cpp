#include "schema/text.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "schema/printable.hpp"

namespace webnn::schema {
namespace {

struct Sequence {
  std::size_t length = 0;  // in bytes; 0: not well-formed
  std::uint32_t code = 0;
};

Sequence decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return std::uint8_t(text[i]); };
  const std::uint8_t lead = byte(0);
  if (lead < 0x80) return {1, lead};
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return {};
  std::uint32_t code = lead & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0u) != 0x80u) return {};
    code = (code << 6) | (byte(i) & 0x3fu);
  }
  constexpr std::uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < smallest[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return {};
  return {length, code};
}

bool is_printable(std::uint32_t code) {
  const bool control = code < 0x20 || (code >= 0x7f && code < 0xa0);  // C0, DEL, C1
  const bool reorders = code == 0x61c || code == 0x200e || code == 0x200f || (code >= 0x202a && code <= 0x202e) ||
                        (code >= 0x2066 && code <= 0x2069);  // Bidi_Control
  const bool separates = code == 0x2028 || code == 0x2029;   // lines and paragraphs
  return !control && !reorders && !separates;
}

}  // namespace

std::size_t printable_sequence(std::string_view text) {
  const auto [length, code] = decode(text);
  return is_printable(code) ? length : 0;
}

std::string printable_json(std::string json) {
  constexpr char digits[] = "0123456789abcdef";
  const auto is_plain = [](char c) { return std::uint8_t(c) < 0x7f; };
  if (std::ranges::all_of(json, is_plain)) return json;
  std::string result;
  for (std::string_view rest = json; !rest.empty();) {
    const auto [length, code] = decode(rest);
    if (length == 0 || code < 0x7f || is_printable(code)) {
      result += rest.substr(0, std::max<std::size_t>(length, 1));
    } else {  // all such characters are below 0x10000
      result += "\\u";
      for (int shift = 12; shift >= 0; shift -= 4) result += digits[code >> shift & 15u];
    }
    rest.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result;
}

std::string escaped(std::string_view text) {
  constexpr char digits[] = "0123456789abcdef";
  std::string result;
  while (!text.empty()) {
    if (const std::size_t length = printable_sequence(text)) {
      result += text.substr(0, length);
      text.remove_prefix(length);
    } else {
      const auto byte = std::uint8_t(text[0]);
      (((result += "\\x") += digits[byte >> 4]) += digits[byte & 15u]);
      text.remove_prefix(1);
    }
  }
  return result;
}

std::size_t utf8_sequence(std::string_view text) { return decode(text).length; }

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_sequence(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string counted(std::size_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

std::string joined(std::span<const std::string> words, std::string_view between) {
  return joined(std::vector<std::string_view>(words.begin(), words.end()), between);
}

std::string joined(std::span<const std::string_view> words, std::string_view between) {
  std::string text;
  for (const std::string_view word : words) (text += text.empty() ? "" : between) += word;
  return text;
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 200;
  if (text.size() <= longest) return "'" + escaped(text) + "'";
  std::size_t end = longest;
  while (end > 0 && (std::uint8_t(text[end]) & 0xc0u) == 0x80u) --end;  // to a character boundary
  return "'" + escaped(text.substr(0, end)) + "...'";
}

}  // namespace webnn::schema
