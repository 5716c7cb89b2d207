// Builds messages: sentence("filter has ", 3, " channels, input has ", shape).
#pragma once

#include <concepts>
#include <span>
#include <string>
#include <string_view>

#include "schema/elements/types.hpp"

namespace webnn::schema {

inline void append_word(std::string& text, std::string_view word) { text += word; }
inline void append_word(std::string& text, std::integral auto value) { text += std::to_string(value); }
inline void append_word(std::string& text, DataType type) { text += name_of(type); }
inline void append_word(std::string& text, const DataTypes& types) { text += types.text(); }
inline void append_word(std::string& text, const Shape& shape) { text += shape.text(); }

/// Concatenates the parts, without blanks between them.
template <typename... Parts>
std::string sentence(const Parts&... parts) {
  std::string text;
  (append_word(text, parts), ...);
  return text;
}

/// "1 element", "2 elements"
inline std::string counted(std::integral auto count, std::string_view noun) {
  return sentence(count, " ", noun, count == 1 ? "" : "s");
}

/// "a, b or c"
std::string alternatives(std::span<const std::string_view> words);

}  // namespace webnn::schema
