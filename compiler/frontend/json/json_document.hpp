// JSON text as a compact tree that knows the position of every value in the text.
//
// All readers of JSON (graphs, weights manifests, safetensors headers) use this tree, so that every mistake is reported
// with file, line, column and JSON pointer. Lists of bytes (inlineBytes) take one byte per element.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schema/diagnostics.hpp"
#include "schema/elements/number.hpp"

namespace webnn::compiler {

using namespace webnn::schema;

class JsonDocument;

/// A value of a document: a handle that is valid as long as the document stays in place. An empty handle stands for a
/// missing value; it is null and has no members.
class JsonValue {
 public:
  enum class Kind : std::uint8_t { null, boolean, number, text, array, object };

  JsonValue() = default;
  explicit operator bool() const { return document_ != nullptr; }

  Kind kind() const;
  bool is(Kind kind_) const { return kind() == kind_; }
  /// "a number", "an array", ..., for messages.
  std::string_view kind_name() const;

  bool boolean() const;           // for a boolean
  Number number() const;          // for a number; exact for integers of up to 64 bits
  std::string_view text() const;  // for a text; decoded UTF-8

  /// The key of an object member; empty for other values.
  std::string_view key() const;
  /// The number of array elements or object members; 0 for other values.
  std::size_t size() const;
  /// The member with this key, or an empty handle.
  JsonValue find(std::string_view member) const;
  /// The elements of an array that contains only integers from 0 to 255.
  std::optional<std::span<const std::uint8_t>> bytes() const;
  /// Element `index` of an array; constant time for lists of bytes, otherwise linear.
  JsonValue element(std::size_t index) const;

  /// Iterates over elements or members in the order of the text.
  class Iterator;
  Iterator begin() const;
  Iterator end() const;

  /// The position of the value. Asking for elements of one list in their order takes linear time in all. Long keys are cut
  /// off in the path.
  Location location() const;
  /// The position of a member's key; the path is that of the member.
  Location key_location() const;

 private:
  friend class JsonDocument;
  friend class JsonTreeBuilder;
  static constexpr std::uint32_t whole = 0xffffffffu;
  JsonValue(const JsonDocument* document, std::uint32_t node, std::uint32_t packed = whole)
      : document_(document), node_(node), packed_(packed) {}

  const JsonDocument* document_ = nullptr;
  std::uint32_t node_ = 0;
  std::uint32_t packed_ = whole;  // element within a list of bytes
};

class JsonValue::Iterator {
 public:
  JsonValue operator*() const { return value_; }
  Iterator& operator++();
  bool operator==(const Iterator& other) const {
    return value_.node_ == other.value_.node_ && value_.packed_ == other.value_.packed_;
  }

 private:
  friend class JsonValue;
  explicit Iterator(JsonValue value) : value_(value) {}
  JsonValue value_;
};

struct JsonLimits {
  std::uint32_t max_depth = 64;         // of nested arrays and objects
  std::uint32_t max_values = 1u << 25;  // not counting elements of lists of bytes
};

class JsonDocument {
 public:
  /// Parses `text`, which must outlive the document. Syntax errors, invalid UTF-8 and exceeded limits are reported and
  /// give nullopt. Duplicate keys are reported, and the first one is kept.
  static std::optional<JsonDocument> parse(std::string_view text, std::string file_name, const JsonLimits& limits,
                                           Diagnostics& diagnostics);

  /// An empty document for a JsonTreeBuilder; offsets refer to `text`.
  JsonDocument(std::string_view text, std::string file_name) : text_(text), file_name_(std::move(file_name)) {}

  JsonValue root() const { return JsonValue(this, 0); }
  std::string_view text() const { return text_; }
  const std::string& file_name() const { return file_name_; }
  /// Line and column of a byte of the text; the path is left empty.
  Location location(std::size_t offset) const;

 private:
  friend class JsonValue;
  friend class JsonTreeBuilder;

  enum class Form : std::uint8_t { null, boolean, signed_integer, unsigned_integer, real, text, array, bytes, object };

  struct Extent {
    std::uint32_t start;  // index into texts_ or bytes_
    std::uint32_t count;  // of elements or members
  };

  /// Values in the order of the text. The descendants of a value follow it; `next` skips them.
  struct Node {
    Form form = Form::null;
    std::uint32_t begin = 0;   // offset of the value in the text
    std::uint32_t parent = 0;  // the root is its own parent
    std::uint32_t next = 0;    // the value after this one and all its descendants
    std::uint32_t key = 0;     // of a member: index into texts_
    std::uint32_t place = 0;   // in an array: the index; in an object: the offset of the key in the text
    union {
      std::uint64_t unsigned_integer = 0;
      std::int64_t signed_integer;
      double real;
      Extent extent;
    };
  };

  std::string_view stored_text(std::uint32_t start) const;
  std::size_t packed_offset(const Node& list, std::uint32_t index) const;
  std::size_t next_packed_offset(std::size_t offset) const;
  std::size_t find_outside_comments(std::string_view characters, std::size_t from) const;
  std::string path(std::uint32_t node, std::uint32_t packed) const;

  std::string_view text_;
  std::string file_name_;
  std::vector<Node> nodes_;
  std::string texts_;  // each preceded by its length
  std::vector<std::uint8_t> bytes_;
  mutable std::vector<std::uint32_t> line_starts_;  // computed on first use
  /// The element of a list of bytes whose position was asked for last.
  struct PackedPlace {
    std::uint32_t list_begin = 0xffffffffu, index = 0;
    std::size_t offset = 0;
  };
  mutable PackedPlace last_packed_;
};

}  // namespace webnn::compiler
