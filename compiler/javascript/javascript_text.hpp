// Strings, numbers and names in the syntax of JavaScript. Everything is ASCII, and text from a graph stays within its
// quotes in a script of a page too.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "compiler/frontend/weights_writer.hpp"
#include "compiler/ir/graph.hpp"

namespace webnn::compiler {

/// A string literal. What is not printable ASCII is escaped, and so is '<', which could end a script or begin a comment
/// in a page. Invalid UTF-8 becomes U+FFFD.
std::string javascript_string(std::string_view text);

/// The key of a property in an object literal. It is always a property of the object's own, even if its name is
/// "__proto__".
std::string javascript_key(std::string_view name);

/// An attribute as an argument or option of the builder's methods: strings, numbers, BigInt for integers that a number
/// does not hold, and arrays of these.
std::string javascript_value(const AttributeValue& attribute);

/// "[1, 28, 28]"
std::string javascript_shape(const Shape& shape);

/// The text with everything but letters, digits and "-._" as %XX: one name in a URL.
std::string url_name(std::string_view text);

/// Writes the bytes as base64 without quotes.
void write_base64(std::span<const std::byte> bytes, const ByteSink& sink);

/// Turns names into identifiers that differ from each other, from the words of the language and from `taken`.
class JavascriptNames {
 public:
  explicit JavascriptNames(std::span<const std::string_view> taken);
  std::string take(std::string_view name);

 private:
  std::set<std::string, std::less<>> taken_;
  std::map<std::string, std::size_t> last_numbers_;  // that were put behind a word
};

}  // namespace webnn::compiler
