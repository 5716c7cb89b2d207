// Attribute values: all parameters of an operator that are not operands.
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

/// The kind of value that an attribute takes, as declared in its operator's row.
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

/// The name of the kind in messages: "a list of integers".
std::string_view text_of(AttributeKind kind);

using IntegerList = std::vector<std::int64_t>;
using RealList = std::vector<double>;
using TextList = std::vector<std::string>;
using AttributeValue =
    std::variant<bool, std::int64_t, double, Number, DataType, std::string, IntegerList, RealList, TextList>;

/// Same kind and bitwise the same value: -0.0 is not 0.0, and a NaN is equal to itself. The variant's own `==` compares
/// doubles by value, and would treat calls with different results as equal.
bool identical(const AttributeValue& a, const AttributeValue& b);
bool identical(const std::optional<AttributeValue>& a, const std::optional<AttributeValue>& b);

/// Values in the order of the row's attributes; nullopt where the file or caller gave none.
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
