// Names of attribute kinds for messages; equality of values.
#include "schema/operators/attribute.hpp"

#include <algorithm>
#include <bit>

namespace webnn::schema {
namespace {

template <typename T>
bool same(const T& a, const T& b) {
  return a == b;
}
bool same(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }
bool same(const Number& a, const Number& b) {
  if (a.kind() == Number::Kind::real && b.kind() == Number::Kind::real) return same(a.as_double(), b.as_double());
  return a == b;
}
bool same(const RealList& a, const RealList& b) {
  return std::ranges::equal(a, b, [](double x, double y) { return same(x, y); });
}

}  // namespace

std::string_view text_of(AttributeKind kind) {
  switch (kind) {
    case AttributeKind::boolean:
      return "true or false";
    case AttributeKind::u32:
    case AttributeKind::i32:
      return "an integer";
    case AttributeKind::real:
    case AttributeKind::number:
      return "a number";
    case AttributeKind::u32_list:
      return "a list of integers";
    case AttributeKind::u32_or_list:
      return "an integer or a list of integers";
    case AttributeKind::real_list:
      return "a list of numbers";
    case AttributeKind::text:
      return "a word";
    case AttributeKind::text_list:
      return "a list of words";
    case AttributeKind::data_type:
      return "a data type";
  }
  return {};
}

bool identical(const AttributeValue& a, const AttributeValue& b) {
  return a.index() == b.index() &&
         std::visit([&b]<typename T>(const T& value) { return same(value, std::get<T>(b)); }, a);
}

bool identical(const std::optional<AttributeValue>& a, const std::optional<AttributeValue>& b) {
  return a && b ? identical(*a, *b) : a.has_value() == b.has_value();
}

bool Attributes::operator==(const Attributes& other) const {
  return std::ranges::equal(values_, other.values_,
                            [](const auto& mine, const auto& theirs) { return identical(mine, theirs); });
}

}  // namespace webnn::schema
