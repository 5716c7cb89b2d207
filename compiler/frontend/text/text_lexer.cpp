#include "compiler/frontend/text/text_lexer.hpp"

#include <charconv>
#include <cmath>

#include "schema/text.hpp"

namespace webnn::compiler {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool begins_name(char c) { return is_letter(c) || c == '_' || c == '/' || c == '$'; }
bool within_name(char c) { return begins_name(c) || is_digit(c) || c == '.'; }

void append_utf8(std::string& text, std::uint32_t code) {
  if (code < 0x80) {
    text += char(code);
  } else if (code < 0x800) {
    (text += char(0xc0u | code >> 6)) += char(0x80u | (code & 0x3fu));
  } else {
    ((text += char(0xe0u | code >> 12)) += char(0x80u | (code >> 6 & 0x3fu))) += char(0x80u | (code & 0x3fu));
  }
}

}  // namespace

bool is_text_name(std::string_view name) {
  if (name.empty() || !(begins_name(name[0]))) return false;
  for (const char c : name)
    if (!within_name(c)) return false;
  return true;
}

void TextLexer::fail(std::string why) {
  token_.kind = TextToken::Kind::bad;
  token_.text = std::move(why);
}

void TextLexer::advance() {
  if (at_ == 0 && text_.starts_with("\xef\xbb\xbf")) at_ = 3;
  for (;;) {
    at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
    if (at_ == text_.size() || text_[at_] != '#') break;
    at_ = std::min(text_.find('\n', at_), text_.size());
  }
  token_ = TextToken{};
  token_.begin = at_;
  if (at_ < text_.size()) {
    const char c = text_[at_];
    const bool signed_number =
        c == '-' && at_ + 1 < text_.size() && (is_digit(text_[at_ + 1]) || text_[at_ + 1] == '.');
    // "%name" is a name too: some writers mark references this way.
    if (begins_name(c) || (c == '%' && at_ + 1 < text_.size() && begins_name(text_[at_ + 1]))) {
      read_name();
    } else if (c == '"') {
      read_text();
    } else if (is_digit(c) || signed_number) {
      read_number();
    } else {
      ++at_;
      token_.kind = TextToken::Kind::symbol;
      token_.text = c;
      if (std::uint8_t(c) < 0x20 || std::uint8_t(c) >= 0x7f) fail("unexpected character " + in_quotes({&c, 1}));
    }
  }
  token_.end = at_;
}

/// Reads "::" within a name, as some writers have it; it is never written.
void TextLexer::read_name() {
  if (text_[at_] == '%') ++at_;
  const std::size_t begin = at_;
  while (at_ < text_.size()) {
    const bool colons = text_.substr(at_, 2) == "::" && at_ + 2 < text_.size() && within_name(text_[at_ + 2]);
    if (!colons && !within_name(text_[at_])) break;
    at_ += colons ? 2 : 1;
  }
  token_.kind = TextToken::Kind::name;
  token_.text = text_.substr(begin, at_ - begin);
}

void TextLexer::read_text() {
  token_.kind = TextToken::Kind::text;
  for (++at_; at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n';) {
    const char c = text_[at_];
    if (c != '\\') {
      const std::size_t length = utf8_sequence(text_.substr(at_));
      if (length == 0) return fail("the text is not valid UTF-8");
      token_.text += text_.substr(at_, length);
      at_ += length;
      continue;
    }
    constexpr std::string_view escapes = "\"\\/nrtbf", meant = "\"\\/\n\r\t\b\f";
    const char escape = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    at_ += 2;
    if (const auto which = escapes.find(escape); which != escapes.npos) {
      token_.text += meant[which];
      continue;
    }
    std::uint32_t code = 0;
    const char* first = text_.data() + std::min(at_, text_.size());
    const char* last = text_.data() + std::min(at_ + 4, text_.size());
    if (escape != 'u' || std::from_chars(first, last, code, 16).ptr != last || last - first != 4 ||
        (code >= 0xd800 && code < 0xe000)) {
      at_ = std::min(at_, text_.size());
      return fail("unknown escape in a string");
    }
    at_ += 4;
    append_utf8(token_.text, code);
  }
  if (at_ >= text_.size() || text_[at_] != '"') return fail("the string has no end");
  ++at_;
}

void TextLexer::read_number() {
  std::size_t end = at_ + 1;
  const auto exponent_sign = [&](std::size_t i) {
    return (text_[i] == '+' || text_[i] == '-') && (text_[i - 1] == 'e' || text_[i - 1] == 'E');
  };
  while (end < text_.size() && (within_name(text_[end]) || exponent_sign(end)) && text_[end] != '/' &&
         text_[end] != '$')
    ++end;
  const std::string_view digits = text_.substr(at_, end - at_);
  at_ = end;
  token_.kind = TextToken::Kind::number;
  const char *first = digits.data(), *last = first + digits.size();
  std::int64_t integer = 0;
  if (const auto [stop, error] = std::from_chars(first, last, integer);
      error == std::errc{} && stop == last && digits != "-0") {
    token_.number = Number(integer);
    return;
  }
  std::uint64_t large = 0;
  if (const auto [stop, error] = std::from_chars(first, last, large); error == std::errc{} && stop == last) {
    token_.number = Number(large);
    return;
  }
  double real = 0;
  const auto [stop, error] = std::from_chars(first, last, real);
  if (error != std::errc{} || stop != last || !std::isfinite(real))
    return fail("malformed number " + in_quotes(digits));
  token_.number = Number(real);
}

}  // namespace webnn::compiler
