// Attribute values of an operator: everything of a call that is not an operand.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "schema/elements/number.hpp"
#include "schema/elements/types.hpp"

namespace webnn::schema {

/// What kind of value an attribute takes, as the row of its operator declares it.
enum class AttributeKind : std::uint8_t {
  boolean,      // bool
  u32,          // int64 holding 0..2^32-1
  i32,          // int64 holding -2^31..2^31-1
  real,         // finite double
  number,       // Number (MLNumber): may be infinite, never NaN
  u32_list,     // list of int64, each 0..2^32-1
  u32_or_list,  // one u32 or a list of them (split)
  real_list,    // list of finite doubles
  text,         // one of the row's words
  text_list,    // list of the row's words
  data_type,    // DataType
};

/// What a value of this kind is called in messages: "a list of integers".
std::string_view text_of(AttributeKind kind);

using IntegerList = std::vector<std::int64_t>;
using RealList = std::vector<double>;
using TextList = std::vector<std::string>;
using AttributeValue =
    std::variant<bool, std::int64_t, double, Number, DataType, std::string, IntegerList, RealList, TextList>;

/// Same kind and same value bit for bit: -0.0 is not 0.0, a NaN is itself. What the variant's own `==` says of doubles
/// would let two calls with different results pass for one.
bool identical(const AttributeValue& a, const AttributeValue& b);
bool identical(const std::optional<AttributeValue>& a, const std::optional<AttributeValue>& b);

/// Values in the order of the operator row's attributes; nullopt where a file or caller gave none.
class Attributes {
 public:
  Attributes() = default;
  explicit Attributes(std::size_t count) : values_(count) {}

  std::size_t size() const { return values_.size(); }
  const std::optional<AttributeValue>& operator[](std::size_t index) const { return values_[index]; }
  std::optional<AttributeValue>& operator[](std::size_t index) { return values_[index]; }
  /// All values are `identical`.
  bool operator==(const Attributes& other) const;

 private:
  std::vector<std::optional<AttributeValue>> values_;
};

}  // namespace webnn::schema
