// Builds the tree of json_document.hpp from nlohmann's SAX events over an iterator that counts.
#include "compiler/frontend/json_document.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <nlohmann/json.hpp>

#include "schema/text.hpp"

namespace webnn::compiler {
namespace {

/// Walks over the text and leaves in `*position` how far the parser has read.
class CountingIterator {
 public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator() = default;
  CountingIterator(const char* at, const char** position) : at_(at), position_(position) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    *position_ = ++at_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator old = *this;
    ++*this;
    return old;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_ = nullptr;
  const char** position_ = nullptr;
};

/// nlohmann's "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error while parsing value -
/// invalid literal; last read: 'x'" without what we say ourselves and without bytes of the file.
std::string reason(std::string_view what) {
  if (const auto end = what.find("; last read:"); end != what.npos) {
    const auto expected = what.rfind("; expected");
    std::string text(what.substr(0, end));
    if (expected != what.npos && expected > end) text += what.substr(expected);
    return reason(text);
  }
  for (std::string_view prefix : {"syntax error ", "] "})
    if (const auto at = what.find(prefix); at != what.npos) return std::string(what.substr(at + prefix.size()));
  return std::string(what);
}

}  // namespace

/// Takes the parser's events. Every `false` ends the parse.
class JsonBuilder {
 public:
  JsonBuilder(JsonDocument& document, const JsonLimits& limits, Diagnostics& diagnostics)
      : document_(document),
        limits_(limits),
        diagnostics_(diagnostics),
        start_(document.text_.data()),
        end_of_token_(start_),
        position_(start_) {}

  bool run() {
    const char* last = start_ + document_.text_.size();
    const bool done =
        nlohmann::json::sax_parse(CountingIterator(start_, &position_), CountingIterator(last, &position_), this,
                                  nlohmann::json::input_format_t::json);
    document_.nodes_.shrink_to_fit();
    return done && !document_.nodes_.empty();
  }

  bool null() { return scalar(JsonDocument::Form::null) != nullptr; }
  bool boolean(bool value) {
    auto* node = scalar(JsonDocument::Form::boolean);
    if (node) node->unsigned_integer = value;
    return node;
  }
  bool number_integer(std::int64_t value) {
    auto* node = scalar(JsonDocument::Form::signed_integer);
    if (node) node->signed_integer = value;
    return node;
  }
  bool number_unsigned(std::uint64_t value) {
    if (value <= 255 && pack(std::uint8_t(value))) return true;
    auto* node = scalar(JsonDocument::Form::unsigned_integer);
    if (node) node->unsigned_integer = value;
    return node;
  }
  bool number_float(double value, const std::string&) {
    auto* node = scalar(JsonDocument::Form::real);
    if (node) node->real = value;
    return node;
  }
  bool string(std::string& value) {
    auto* node = scalar(JsonDocument::Form::text);
    if (node) node->extent.start = store(value);
    return node;
  }
  bool binary(std::vector<std::uint8_t>&) { return false; }  // never in JSON text

  bool start_object(std::size_t) { return open(JsonDocument::Form::object); }
  bool start_array(std::size_t) { return open(JsonDocument::Form::array); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string& value) {
    key_offset_ = begin_of_token();
    key_ = store(value);
    end_of_token_ = position_;
    return true;
  }

  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& error) {
    const std::string_view what = error.what();
    const std::size_t last = position_ > start_ ? std::size_t(position_ - start_ - 1) : 0;
    // A token in the wrong place is shown at its begin, a malformed one where it goes wrong.
    const bool misplaced = what.find("unexpected") != what.npos;
    const std::size_t offset = misplaced ? std::min<std::size_t>(begin_of_token(), last) : last;
    if (what.find("ill-formed UTF-8") != what.npos)
      diagnostics_.error(Code::bad_utf8, document_.location(offset), "the text is not valid UTF-8 here")
          .hints.push_back("save the file as UTF-8");
    else if (what.find("number overflow") != what.npos)
      diagnostics_.error(Code::not_json, document_.location(offset), "the number is too large")
          .hints.push_back("write an infinity as the string \"Infinity\"");
    else
      diagnostics_.error(Code::not_json, document_.location(offset),
                         "this is not valid JSON: " + escaped(reason(what)));
    return false;
  }

 private:
  using Node = JsonDocument::Node;
  using Form = JsonDocument::Form;

  /// The parser stands behind the token it reports (one byte further for numbers); between two tokens there are only
  /// blanks, commas and colons.
  std::uint32_t begin_of_token() const {
    const char* at = end_of_token_;
    while (at < position_ && std::memchr(" \t\r\n,:", *at, 6)) ++at;
    if (at == start_ && document_.text_.starts_with("\xef\xbb\xbf")) at += 3;
    return std::uint32_t(at - start_);
  }

  std::uint32_t store(const std::string& value) {
    const auto start = std::uint32_t(document_.texts_.size());
    const auto size = std::uint32_t(value.size());
    document_.texts_.append(reinterpret_cast<const char*>(&size), sizeof size).append(value);
    return start;
  }

  Node* scalar(Form form) {
    Node* node = add(form, begin_of_token());
    end_of_token_ = position_;
    return node;
  }

  Node* add(Form form, std::uint32_t begin) {
    auto& nodes = document_.nodes_;
    if (nodes.size() >= limits_.max_values) {
      diagnostics_.error(Code::limit_exceeded, document_.location(begin),
                         "the text holds more than " + std::to_string(limits_.max_values) + " values");
      return nullptr;
    }
    const auto index = std::uint32_t(nodes.size());
    Node node;
    node.form = form;
    node.begin = begin;
    node.next = index + 1;
    node.parent = open_.empty() ? index : open_.back();
    if (!open_.empty()) {
      if (nodes[node.parent].form == Form::bytes) {
        if (!unpack(node.parent)) return nullptr;
        return add(form, begin);
      }
      Node& parent = nodes[node.parent];
      node.key = key_;
      node.place = parent.form == Form::object ? key_offset_ : parent.extent.count;
      ++parent.extent.count;
    }
    nodes.push_back(node);
    return &nodes.back();
  }

  /// Stores an element of a list of bytes; false when the innermost open value is none.
  bool pack(std::uint8_t value) {
    if (open_.empty()) return false;
    Node& list = document_.nodes_[open_.back()];
    if (list.form == Form::array && list.extent.count == 0) {
      list.form = Form::bytes;
      list.extent.start = std::uint32_t(document_.bytes_.size());
    }
    if (list.form != Form::bytes) return false;
    document_.bytes_.push_back(value);
    ++list.extent.count;
    end_of_token_ = position_;
    return true;
  }

  /// Turns the list of bytes `index`, the last value so far, into an array of values.
  bool unpack(std::uint32_t index) {
    Node list = document_.nodes_[index];
    document_.nodes_[index].form = Form::array;
    document_.nodes_[index].extent.count = 0;
    std::size_t offset = document_.packed_offset(list, 0);
    for (std::uint32_t i = 0; i < list.extent.count; ++i) {
      Node* node = add(Form::unsigned_integer, std::uint32_t(offset));
      if (!node) return false;
      node->unsigned_integer = document_.bytes_[list.extent.start + i];
      offset = document_.text_.find_first_of("0123456789", document_.text_.find(',', offset));
    }
    document_.bytes_.resize(list.extent.start);
    return true;
  }

  bool open(Form form) {
    const std::uint32_t begin = begin_of_token();
    end_of_token_ = position_;
    if (open_.size() >= limits_.max_depth) {
      diagnostics_.error(Code::nesting_too_deep, document_.location(begin),
                         "arrays and objects are nested more than " + std::to_string(limits_.max_depth) + " deep");
      return false;
    }
    if (!add(form, begin)) return false;
    open_.push_back(std::uint32_t(document_.nodes_.size() - 1));
    return true;
  }

  bool close() {
    document_.nodes_[open_.back()].next = std::uint32_t(document_.nodes_.size());
    open_.pop_back();
    end_of_token_ = position_;
    return true;
  }

  JsonDocument& document_;
  const JsonLimits& limits_;
  Diagnostics& diagnostics_;
  const char* start_;
  const char* end_of_token_;
  const char* position_;
  std::vector<std::uint32_t> open_;
  std::uint32_t key_ = 0, key_offset_ = 0;
};

std::optional<JsonDocument> JsonDocument::parse(std::string_view text, std::string file_name, const JsonLimits& limits,
                                                Diagnostics& diagnostics) {
  JsonDocument document;
  document.text_ = text;
  document.file_name_ = std::move(file_name);
  // Offsets are 32 bits wide, and texts_ is at most five times as long as the text.
  constexpr std::size_t largest = std::size_t{3} << 30;
  if (text.size() > largest) {
    diagnostics.error(Code::limit_exceeded, document.location(0), "a JSON text may have at most 3 GiB");
    return std::nullopt;
  }
  // The parser takes a NUL for the end of the text.
  if (const auto nul = text.find('\0'); nul != text.npos) {
    diagnostics.error(Code::not_json, document.location(nul), "this is not valid JSON: the text holds a NUL byte");
    return std::nullopt;
  }
  if (!JsonBuilder(document, limits, diagnostics).run()) return std::nullopt;
  document.report_duplicate_keys(diagnostics);
  return document;
}

std::string_view JsonDocument::stored_text(std::uint32_t start) const {
  std::uint32_t size;
  std::memcpy(&size, texts_.data() + start, sizeof size);
  return std::string_view(texts_).substr(start + sizeof size, size);
}

/// Bytes in a list are not stored with their places; between them stand commas and blanks only.
std::size_t JsonDocument::packed_offset(const Node& list, std::uint32_t index) const {
  std::size_t offset = list.begin;
  for (std::uint32_t i = 0; i < index; ++i) offset = text_.find(',', offset + 1);
  return text_.find_first_of("0123456789", offset);
}

void JsonDocument::report_duplicate_keys(Diagnostics& diagnostics) const {
  std::vector<std::pair<std::string_view, std::uint32_t>> keys;
  std::vector<std::uint32_t> duplicates;
  for (std::uint32_t index = 0; index < nodes_.size(); ++index) {
    if (nodes_[index].form != Form::object || nodes_[index].extent.count < 2) continue;
    keys.clear();
    for (std::uint32_t child = index + 1; child < nodes_[index].next; child = nodes_[child].next)
      keys.emplace_back(stored_text(nodes_[child].key), child);
    std::sort(keys.begin(), keys.end());
    for (std::size_t i = 1; i < keys.size(); ++i)
      if (keys[i].first == keys[i - 1].first) duplicates.push_back(keys[i].second);
  }
  std::sort(duplicates.begin(), duplicates.end());
  for (const std::uint32_t index : duplicates) {
    const JsonValue value(this, index);
    diagnostics
        .error(Code::duplicate_key, value.key_location(), "the key " + in_quotes(value.key()) + " is given twice")
        .hints.push_back("remove or rename one of the two");
  }
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
    for (const char c : stored_text(nodes_[node].key)) {
      if (c == '~')
        step += "~0";
      else if (c == '/')
        step += "~1";
      else
        step += c;
    }
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
