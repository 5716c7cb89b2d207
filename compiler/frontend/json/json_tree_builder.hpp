// Builds a JsonDocument value by value, in the order of the text: for the JSON parser, and for readers of other formats
// with the same content.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "compiler/frontend/json/json_document.hpp"

namespace webnn::compiler {

/// Offsets are the positions in the document's text where a value or key begins. A function that returns false has
/// reported why, and nothing more may be added.
class JsonTreeBuilder {
 public:
  JsonTreeBuilder(JsonDocument& document, const JsonLimits& limits, Diagnostics& diagnostics);

  /// False: the text is too long.
  bool usable() const { return usable_; }
  bool null(std::size_t begin);
  bool boolean(std::size_t begin, bool value);
  bool number(std::size_t begin, const Number& value);
  bool text(std::size_t begin, std::string_view value);
  /// Adds the first elements of the array that was just opened.
  void bytes(std::span<const std::uint8_t> values);
  bool open_object(std::size_t begin) { return open(Form::object, begin); }
  bool open_array(std::size_t begin) { return open(Form::array, begin); }
  void close();
  /// Sets the key of the next value.
  void key(std::size_t begin, std::string_view value);
  /// To be called after the last value: reports duplicate keys.
  void finish();

 private:
  using Node = JsonDocument::Node;
  using Form = JsonDocument::Form;

  bool open(Form form, std::size_t begin);
  Node* add(Form form, std::size_t begin);
  bool pack(std::uint8_t value);
  bool unpack(std::uint32_t list);
  std::uint32_t store(std::string_view value);

  JsonDocument& document_;
  JsonLimits limits_;
  Diagnostics& diagnostics_;
  std::vector<std::uint32_t> open_;
  std::uint32_t key_ = 0, key_offset_ = 0;
  bool usable_ = true;
};

}  // namespace webnn::compiler
