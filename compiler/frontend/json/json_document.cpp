// Builds the tree of json_document.hpp from nlohmann's SAX events over an iterator that shares its position.
#include "compiler/frontend/json/json_document.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <nlohmann/json.hpp>

#include "compiler/frontend/json/json_tree_builder.hpp"
#include "schema/text.hpp"

namespace webnn::compiler {
namespace {

/// Iterates over the text. All copies share one position, so that the handler knows how far the parser has read, and
/// can advance it.
class SharedIterator {
 public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  explicit SharedIterator(const char** position) : shared_(position) {}
  explicit SharedIterator(const char* fixed) : fixed_(fixed) {}  // the end
  reference operator*() const { return **shared_; }
  SharedIterator& operator++() {
    ++*shared_;
    return *this;
  }
  SharedIterator operator++(int) { return ++*this; }  // the old value is never used
  bool operator==(const SharedIterator& other) const { return at() == other.at(); }
  bool operator!=(const SharedIterator& other) const { return at() != other.at(); }

 private:
  const char* at() const { return shared_ ? *shared_ : fixed_; }

  const char** shared_ = nullptr;
  const char* fixed_ = nullptr;
};

const char* skip_blanks(const char* at, const char* last) {
  while (at < last && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t')) ++at;
  return at;
}

/// Reads an integer from 0 to 255 in JSON's spelling; null when there is none.
const char* read_byte(const char* at, const char* last, unsigned& value) {
  const char* first = at;
  value = 0;
  for (; at < last && at - first < 4 && *at >= '0' && *at <= '9'; ++at) value = value * 10 + unsigned(*at - '0');
  const auto digits = at - first;
  return digits == 0 || value > 255 || (digits > 1 && *first == '0') ? nullptr : at;
}

/// Cleans up nlohmann's "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error while parsing
/// value - invalid literal; last read: 'x'": removes what our own message says, and bytes of the file.
std::string reason(std::string_view what) {
  if (const auto end = what.find("; last read:"); end != what.npos) {
    const auto expected = what.rfind("; expected");
    std::string text(what.substr(0, end));
    const bool in_string = what.find("invalid string") != what.npos;  // then alternatives are no help
    if (expected != what.npos && expected > end && !in_string) text += what.substr(expected);
    return reason(text);
  }
  for (std::string_view prefix : {"syntax error ", "] "})
    if (const auto at = what.find(prefix); at != what.npos) return std::string(what.substr(at + prefix.size()));
  return std::string(what);
}

/// The text up to a number of bytes, to a character's boundary.
std::string_view cut_off(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (std::uint8_t(text[most]) & 0xc0u) == 0x80u) --most;
  return text.substr(0, most);
}

/// Handles the parser's events. Returning false ends the parse.
class SaxHandler {
 public:
  SaxHandler(const JsonDocument& document, JsonTreeBuilder& builder, Diagnostics& diagnostics)
      : document_(document),
        builder_(builder),
        diagnostics_(diagnostics),
        start_(document.text().data()),
        last_(start_ + document.text().size()),
        end_of_token_(start_),
        position_(start_) {}

  bool run() {
    return nlohmann::json::sax_parse(SharedIterator(&position_), SharedIterator(last_), this,
                                     nlohmann::json::input_format_t::json);
  }

  bool null() { return builder_.null(take()); }
  bool boolean(bool value) { return builder_.boolean(take(), value); }
  bool number_integer(std::int64_t value) { return builder_.number(take(), Number(value)); }
  bool number_unsigned(std::uint64_t value) { return builder_.number(take(), Number(value)); }
  bool number_float(double value, const std::string&) { return builder_.number(take(), Number(value)); }
  bool string(std::string& value) { return builder_.text(take(), value); }
  bool binary(std::vector<std::uint8_t>&) { return false; }  // never called for JSON text
  bool start_object(std::size_t) { return builder_.open_object(take()); }
  bool start_array(std::size_t) {
    if (!builder_.open_array(take())) return false;
    read_bytes();
    return true;
  }
  bool end_object() { return end(); }
  bool end_array() { return end(); }
  bool key(std::string& value) {
    builder_.key(take(), value);
    return true;
  }

  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& error) {
    const std::string_view what = error.what();
    const std::size_t last = position_ > start_ ? std::size_t(position_ - start_ - 1) : 0;
    // A misplaced token is reported where it begins, a malformed one where it goes wrong.
    const bool misplaced = what.find("unexpected") != what.npos;
    const std::size_t offset = misplaced ? std::min(begin_of_token(), last) : last;
    if (what.find("ill-formed UTF-8") != what.npos)
      diagnostics_.error(Code::bad_utf8, document_.location(offset), "the text is not valid UTF-8 here")
          .hints.push_back("save the file as UTF-8");
    else if (what.find("number overflow") != what.npos)
      diagnostics_.error(Code::not_json, document_.location(offset), "the number is too large")
          .hints.push_back("write an infinity as the string \"Infinity\"");
    else
      report(offset, escaped(reason(what)));
    return false;
  }

 private:
  void report(std::size_t offset, const std::string& reason) {
    const auto says = [&](std::string_view words) { return reason.find(words) != reason.npos; };
    std::string_view before = document_.text().substr(0, offset);
    before = before.substr(0, before.find_last_not_of(" \t\r\n") + 1);
    const char found = offset < document_.text().size() ? document_.text()[offset] : '\0';
    Diagnostic& diagnostic =
        diagnostics_.error(Code::not_json, document_.location(offset), "this is not valid JSON: " + reason);
    std::string_view hint;
    if (says("unexpected end of input") || (says("missing closing quote") && offset + 1 >= document_.text().size()))
      hint = "the file may be cut off";
    else if (says("expected end of input"))
      hint = "a file holds one value; put a second graph into a file of its own";
    else if ((found == '}' || found == ']') && before.ends_with(','))
      hint = "remove the comma before it";
    else if (found == '/' || found == '#')
      hint = "JSON has no comments";
    else if (found == '\'')
      hint = "strings are written in double quotes";
    else if (says("unexpected string literal; expected ']'") || says("unexpected string literal; expected '}'"))
      hint = "a comma may be missing before it";
    if (!hint.empty()) diagnostic.hints.emplace_back(hint);
  }

  /// The parser has read up to the end of the token that it reports (one byte further for numbers). Between two tokens
  /// there are only blanks, commas and colons.
  std::size_t begin_of_token() const {
    const char* at = end_of_token_;
    while (at < position_ && std::memchr(" \t\r\n,:", *at, 6)) ++at;
    if (at == start_ && document_.text().starts_with("\xef\xbb\xbf")) at += 3;
    return std::size_t(at - start_);
  }
  /// The position where the token that was just read begins.
  std::size_t take() {
    const std::size_t begin = begin_of_token();
    end_of_token_ = position_;
    return begin;
  }
  /// Reads the bytes at the beginning of an array, many times faster than the parser would. The parser then continues
  /// at the first element that is not a byte, or at the end of the array. A comma is consumed only if an element
  /// follows.
  void read_bytes() {
    std::vector<std::uint8_t> bytes;
    const char* at = skip_blanks(position_, last_);
    unsigned value = 0;
    while (const char* behind = read_byte(at, last_, value)) {
      const char* next = skip_blanks(behind, last_);
      const bool ends = next < last_ && *next == ']';
      if (!ends && (next == last_ || *next != ',')) break;
      if (!ends) next = skip_blanks(next + 1, last_);
      if (!ends && (next == last_ || *next == ']')) break;
      bytes.push_back(std::uint8_t(value));
      at = next;
      if (ends) break;
    }
    if (bytes.empty()) return;
    position_ = end_of_token_ = at;
    builder_.bytes(bytes);
  }
  bool end() {
    end_of_token_ = position_;
    builder_.close();
    return true;
  }

  const JsonDocument& document_;
  JsonTreeBuilder& builder_;
  Diagnostics& diagnostics_;
  const char* start_;
  const char* last_;
  const char* end_of_token_;
  const char* position_;
};

}  // namespace

std::optional<JsonDocument> JsonDocument::parse(std::string_view text, std::string file_name, const JsonLimits& limits,
                                                Diagnostics& diagnostics) {
  JsonDocument document(text, std::move(file_name));
  // The parser would treat a NUL as the end of the text.
  if (const auto nul = text.find('\0'); nul != text.npos) {
    diagnostics.error(Code::not_json, document.location(nul), "this is not valid JSON: the text holds a NUL byte");
    return std::nullopt;
  }
  JsonTreeBuilder builder(document, limits, diagnostics);
  if (!builder.usable() || !SaxHandler(document, builder, diagnostics).run()) return std::nullopt;
  builder.finish();
  return document;
}

std::string_view JsonDocument::stored_text(std::uint32_t start) const {
  std::uint32_t size;
  std::memcpy(&size, texts_.data() + start, sizeof size);
  return std::string_view(texts_).substr(start + sizeof size, size);
}

/// The `.webnn` text format has comments, from '#' to the end of the line. In JSON there is no '#' between the bytes of
/// a list.
std::size_t JsonDocument::find_outside_comments(std::string_view characters, std::size_t from) const {
  const std::string wanted = std::string(characters) + '#';
  auto at = text_.find_first_of(wanted, from);
  while (at != text_.npos && text_[at] == '#') at = text_.find_first_of(wanted, text_.find('\n', at));
  return std::min(at, text_.size());
}

/// The positions of bytes in a list are not stored; between them there are only commas, blanks and comments. The walk
/// goes on from the element before.
std::size_t JsonDocument::packed_offset(const Node& list, std::uint32_t index) const {
  PackedPlace& place = last_packed_;
  if (place.list_begin != list.begin || place.index > index)
    place = {list.begin, 0, find_outside_comments("0123456789", list.begin)};
  for (; place.index < index; ++place.index) place.offset = next_packed_offset(place.offset);
  return place.offset;
}

std::size_t JsonDocument::next_packed_offset(std::size_t offset) const {
  return find_outside_comments("0123456789", find_outside_comments(",", offset));
}

Location JsonDocument::location(std::size_t offset) const {
  offset = std::min(offset, text_.size());
  if (line_starts_.empty()) {
    line_starts_.push_back(0);
    for (auto at = text_.find('\n'); at != text_.npos; at = text_.find('\n', at + 1))
      line_starts_.push_back(std::uint32_t(at + 1));
  }
  const auto line = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset) - 1;
  return {file_name_, std::uint32_t(line - line_starts_.begin()) + 1, std::uint32_t(offset - *line) + 1, {}};
}

std::string JsonDocument::path(std::uint32_t node, std::uint32_t packed) const {
  std::vector<std::string> steps;
  if (packed != JsonValue::whole) steps.push_back(std::to_string(packed));
  for (; nodes_[node].parent != node; node = nodes_[node].parent) {
    if (nodes_[nodes_[node].parent].form != Form::object) {
      steps.push_back(std::to_string(nodes_[node].place));
      continue;
    }
    std::string step;
    // Each of many mistakes below a key of a million characters would take as many bytes.
    constexpr std::size_t longest_step = 200;
    const std::string_view key = stored_text(nodes_[node].key), shown = cut_off(key, longest_step);
    for (const char c : shown) {
      if (c == '~')
        step += "~0";
      else if (c == '/')
        step += "~1";
      else
        step += c;
    }
    if (shown.size() < key.size()) step += "...";
    steps.push_back(std::move(step));
  }
  std::string result;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) (result += '/') += *step;
  return result;
}

JsonValue::Kind JsonValue::kind() const {
  if (!document_) return Kind::null;
  if (packed_ != whole) return Kind::number;
  using Form = JsonDocument::Form;
  switch (document_->nodes_[node_].form) {
    case Form::null:
      return Kind::null;
    case Form::boolean:
      return Kind::boolean;
    case Form::signed_integer:
    case Form::unsigned_integer:
    case Form::real:
      return Kind::number;
    case Form::text:
      return Kind::text;
    case Form::array:
    case Form::bytes:
      return Kind::array;
    case Form::object:
      return Kind::object;
  }
  return Kind::null;
}

std::string_view JsonValue::kind_name() const {
  constexpr std::string_view names[] = {"null", "a boolean", "a number", "a string", "an array", "an object"};
  return names[std::size_t(kind())];
}

bool JsonValue::boolean() const { return document_->nodes_[node_].unsigned_integer != 0; }

Number JsonValue::number() const {
  const auto& node = document_->nodes_[node_];
  if (packed_ != whole) return Number(std::int64_t(document_->bytes_[node.extent.start + packed_]));
  switch (node.form) {
    case JsonDocument::Form::signed_integer:
      return Number(node.signed_integer);
    case JsonDocument::Form::unsigned_integer:
      return node.unsigned_integer >> 63 ? Number(node.unsigned_integer) : Number(std::int64_t(node.unsigned_integer));
    default:
      return Number(node.real);
  }
}

std::string_view JsonValue::text() const { return document_->stored_text(document_->nodes_[node_].extent.start); }

std::string_view JsonValue::key() const {
  if (!document_) return {};
  const auto& node = document_->nodes_[node_];
  if (packed_ != whole || document_->nodes_[node.parent].form != JsonDocument::Form::object || node.parent == node_)
    return {};
  return document_->stored_text(node.key);
}

std::size_t JsonValue::size() const {
  const Kind kind_ = kind();
  return kind_ == Kind::array || kind_ == Kind::object ? document_->nodes_[node_].extent.count : 0;
}

JsonValue JsonValue::find(std::string_view member) const {
  if (kind() == Kind::object)
    for (const JsonValue value : *this)
      if (value.key() == member) return value;
  return {};
}

std::optional<std::span<const std::uint8_t>> JsonValue::bytes() const {
  if (kind() != Kind::array) return std::nullopt;
  const auto& node = document_->nodes_[node_];
  if ((node.form == JsonDocument::Form::array && node.extent.count != 0)) return std::nullopt;
  return std::span(document_->bytes_).subspan(node.extent.count ? node.extent.start : 0, node.extent.count);
}

JsonValue JsonValue::element(std::size_t index) const {
  if (document_->nodes_[node_].form == JsonDocument::Form::bytes)
    return JsonValue(document_, node_, std::uint32_t(index));
  Iterator at = begin();
  while (index-- > 0) ++at;
  return *at;
}

JsonValue::Iterator JsonValue::begin() const {
  if (size() == 0) return end();
  if (document_->nodes_[node_].form == JsonDocument::Form::bytes) return Iterator(JsonValue(document_, node_, 0));
  return Iterator(JsonValue(document_, node_ + 1));
}

JsonValue::Iterator JsonValue::end() const {
  if (!document_) return Iterator({});
  if (size() != 0 && document_->nodes_[node_].form == JsonDocument::Form::bytes)
    return Iterator(JsonValue(document_, node_, document_->nodes_[node_].extent.count));
  return Iterator(JsonValue(document_, document_->nodes_[node_].next));
}

JsonValue::Iterator& JsonValue::Iterator::operator++() {
  if (value_.packed_ != whole)
    ++value_.packed_;
  else
    value_.node_ = value_.document_->nodes_[value_.node_].next;
  return *this;
}

Location JsonValue::location() const {
  if (!document_) return {};
  const auto& node = document_->nodes_[node_];
  Location place = document_->location(packed_ == whole ? node.begin : document_->packed_offset(node, packed_));
  place.path = document_->path(node_, packed_);
  return place;
}

Location JsonValue::key_location() const {
  if (key().data() == nullptr) return location();
  Location place = document_->location(document_->nodes_[node_].place);
  place.path = document_->path(node_, packed_);
  return place;
}

}  // namespace webnn::compiler
