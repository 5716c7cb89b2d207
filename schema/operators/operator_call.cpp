// Accessors of a call's attributes (the caller's value, else the row's default), and the list of problems.
#include "schema/operators/operator_call.hpp"

#include <algorithm>

namespace webnn::schema {
namespace {

using Default = AttributeRow::Default;

/// The value as alternative T; null when the caller gave none. The kind has been checked before.
template <typename T>
const T* given(const AttributeValue* value) {
  if (value == nullptr) return nullptr;
  const T* typed = std::get_if<T>(value);
  assert(typed != nullptr);
  return typed;
}

std::vector<std::uint32_t> narrowed(const auto& integers) {
  std::vector<std::uint32_t> result;
  result.reserve(integers.size());
  for (std::int64_t integer : integers) result.push_back(std::uint32_t(integer));
  return result;
}

}  // namespace

const AttributeRow& OperatorCall::find(std::string_view attribute, const AttributeValue** value) const {
  const int index = op().attribute_index(attribute);
  assert(index >= 0);
  const auto place = std::size_t(index);
  *value = place < attributes_->size() && (*attributes_)[place] ? &*(*attributes_)[place] : nullptr;
  return op().attributes[place];
}

bool OperatorCall::has(std::string_view attribute) const {
  const AttributeValue* value = nullptr;
  find(attribute, &value);
  return value != nullptr;
}

bool OperatorCall::boolean(std::string_view attribute) const {
  const AttributeValue* value = nullptr;
  const AttributeRow& row = find(attribute, &value);
  const bool* typed = given<bool>(value);
  return typed ? *typed : row.default_integer != 0;
}

std::uint32_t OperatorCall::u32(std::string_view attribute) const {
  const AttributeValue* value = nullptr;
  const AttributeRow& row = find(attribute, &value);
  const std::int64_t* typed = given<std::int64_t>(value);
  return std::uint32_t(typed ? *typed : row.default_integer);
}

std::int32_t OperatorCall::i32(std::string_view attribute) const {
  const AttributeValue* value = nullptr;
  const AttributeRow& row = find(attribute, &value);
  const std::int64_t* typed = given<std::int64_t>(value);
  return std::int32_t(typed ? *typed : row.default_integer);
}

double OperatorCall::real(std::string_view attribute) const {
  const AttributeValue* value = nullptr;
  const AttributeRow& row = find(attribute, &value);
  const double* typed = given<double>(value);
  return typed ? *typed : row.default_real;
}

Number OperatorCall::number(std::string_view attribute, Number when_absent) const {
  const AttributeValue* value = nullptr;
  find(attribute, &value);
  const Number* typed = given<Number>(value);
  return typed ? *typed : when_absent;
}

DataType OperatorCall::data_type(std::string_view attribute) const {
  const AttributeValue* value = nullptr;
  const AttributeRow& row = find(attribute, &value);
  const DataType* typed = given<DataType>(value);
  return typed ? *typed : DataType(row.default_integer);
}

std::string_view OperatorCall::text(std::string_view attribute) const {
  const AttributeValue* value = nullptr;
  const AttributeRow& row = find(attribute, &value);
  const std::string* typed = given<std::string>(value);
  return typed ? std::string_view(*typed) : row.words[0];
}

std::vector<std::uint32_t> OperatorCall::u32_list(std::string_view attribute) const {
  const AttributeValue* value = nullptr;
  const AttributeRow& row = find(attribute, &value);
  if (const IntegerList* typed = given<IntegerList>(value)) return narrowed(*typed);
  if (row.default_kind == Default::computed) return narrowed(row.compute(*this));
  return narrowed(row.default_list);
}

std::vector<double> OperatorCall::real_list(std::string_view attribute) const {
  const AttributeValue* value = nullptr;
  const AttributeRow& row = find(attribute, &value);
  if (const RealList* typed = given<RealList>(value)) return *typed;
  return std::vector<double>(row.default_list.begin(), row.default_list.end());
}

std::vector<std::string_view> OperatorCall::text_list(std::string_view attribute) const {
  const AttributeValue* value = nullptr;
  const AttributeRow& row = find(attribute, &value);
  if (const TextList* typed = given<TextList>(value))
    return std::vector<std::string_view>(typed->begin(), typed->end());
  return std::vector<std::string_view>(row.default_words.begin(), row.default_words.end());
}

void Inference::add(Subject subject, std::string message, std::string hint) {
  outputs_.clear();
  errors_.push_back({subject, std::move(message), std::move(hint)});
}

void Inference::fail(std::string message, std::string hint) { add({}, std::move(message), std::move(hint)); }

void Inference::fail_operand(std::size_t operand, std::string message, std::string hint) {
  add({Subject::Kind::operand, std::uint16_t(operand), -1}, std::move(message), std::move(hint));
}

void Inference::fail_attribute(std::string_view attribute, std::string message, std::string hint, int element) {
  const int index = call_->op().attribute_index(attribute);
  assert(index >= 0);
  add({Subject::Kind::attribute, std::uint16_t(index), element}, std::move(message), std::move(hint));
}

}  // namespace webnn::schema
