// Converts the C++ types of options to attribute values, for the methods in operator_methods.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "api/operand.hpp"
#include "schema/operators/attribute.hpp"

namespace webnn {

inline schema::AttributeValue attribute_value(bool value) { return value; }
inline schema::AttributeValue attribute_value(std::uint32_t value) { return std::int64_t{value}; }
inline schema::AttributeValue attribute_value(std::int32_t value) { return std::int64_t{value}; }
inline schema::AttributeValue attribute_value(double value) { return value; }
inline schema::AttributeValue attribute_value(schema::Number value) { return value; }
inline schema::AttributeValue attribute_value(schema::DataType value) { return value; }
inline schema::AttributeValue attribute_value(const std::string& value) { return value; }
inline schema::AttributeValue attribute_value(const std::vector<std::uint32_t>& values) {
  return schema::IntegerList(values.begin(), values.end());
}
inline schema::AttributeValue attribute_value(const std::vector<double>& values) { return values; }
inline schema::AttributeValue attribute_value(const std::vector<std::string>& values) { return values; }
inline schema::AttributeValue attribute_value(const Splits& splits) {
  return std::visit([](const auto& held) { return attribute_value(held); }, splits.value());
}

/// The attribute values of a call in the row's order: plain arguments, and options that may be absent.
template <class... Values>
schema::Attributes attribute_values(const Values&... values) {
  schema::Attributes attributes(sizeof...(values));
  [[maybe_unused]] std::size_t next = 0;
  [[maybe_unused]] const auto set = [&]<class Value>(const Value& value) {
    if constexpr (requires { value.has_value(); }) {
      if (value) attributes[next] = attribute_value(*value);
    } else {
      attributes[next] = attribute_value(value);
    }
    ++next;
  };
  (set(values), ...);
  return attributes;
}

}  // namespace webnn
