#include "schema/file/attributes.hpp"

#include <utility>

#include "schema/file/checksum.hpp"
#include "schema/program.hpp"

namespace webnn::schema {
namespace {

// Alternatives of AttributeValue by index, as stored in `Attribute.kind`.
enum Kind : std::uint8_t { boolean, integer, real, number, data_type, word, integer_list, real_list, text_list, kinds };
static_assert(std::variant_size_v<AttributeValue> == kinds);

flatbuffers::Offset<file::Attribute> write_attribute(flatbuffers::FlatBufferBuilder& builder, std::string_view name,
                                                     const AttributeValue& value) {
  std::int64_t as_integer = 0;
  double as_real = 0;
  std::uint8_t number_kind = 0;
  flatbuffers::Offset<flatbuffers::String> text;
  flatbuffers::Offset<flatbuffers::Vector<std::int64_t>> integers;
  flatbuffers::Offset<flatbuffers::Vector<double>> reals;
  flatbuffers::Offset<flatbuffers::Vector<std::uint32_t>> texts;
  switch (value.index()) {
    case boolean:
      as_integer = std::get<bool>(value);
      break;
    case integer:
      as_integer = std::get<std::int64_t>(value);
      break;
    case real:
      as_real = std::get<double>(value);
      break;
    case number: {
      const auto& exact = std::get<Number>(value);
      number_kind = std::uint8_t(exact.kind());
      if (exact.kind() == Number::Kind::real) as_real = exact.as_double();
      if (exact.kind() == Number::Kind::signed_integer) as_integer = exact.as_int64();
      if (exact.kind() == Number::Kind::unsigned_integer) as_integer = std::int64_t(exact.as_uint64());
      break;
    }
    case data_type:
      as_integer = std::int64_t(std::get<DataType>(value));
      break;
    case word:
      text = builder.CreateString(std::get<std::string>(value));
      break;
    case integer_list:
      integers = builder.CreateVector(std::get<IntegerList>(value));
      break;
    case real_list:
      reals = builder.CreateVector(std::get<RealList>(value));
      break;
    case text_list:
      texts = builder.CreateVectorOfStrings(std::get<TextList>(value)).o;
      break;
    default:
      break;
  }
  const auto name_text = builder.CreateString(name.data(), name.size());
  return file::CreateAttribute(builder, name_text, std::uint8_t(value.index()), as_integer, as_real, number_kind, text,
                               integers, reals, texts);
}

std::optional<Number> read_number(const file::Attribute& attribute) {
  switch (Number::Kind(attribute.number_kind())) {
    case Number::Kind::real:
      return Number(attribute.real());
    case Number::Kind::signed_integer:
      return Number(attribute.integer());
    case Number::Kind::unsigned_integer:
      return Number(std::uint64_t(attribute.integer()));
  }
  return std::nullopt;
}

bool read_attribute(const file::Attribute& attribute, MetadataReader& metadata, std::optional<AttributeValue>& value) {
  switch (attribute.kind()) {
    case boolean:
      value.emplace(std::in_place_type<bool>, attribute.integer() != 0);
      return true;
    case integer:
      value.emplace(std::in_place_type<std::int64_t>, attribute.integer());
      return true;
    case real:
      value.emplace(std::in_place_type<double>, attribute.real());
      return true;
    case number:
      if (const auto exact = read_number(attribute)) value.emplace(std::in_place_type<Number>, *exact);
      return value.has_value();
    case data_type:
      if (attribute.integer() < 0 || attribute.integer() >= std::int64_t(data_type_count)) return false;
      value.emplace(std::in_place_type<DataType>, DataType(attribute.integer()));
      return true;
    case word:
      value.emplace(std::in_place_type<std::string>, metadata.text(attribute.text()));
      return true;
    case integer_list:
      value.emplace(std::in_place_type<IntegerList>, metadata.list(attribute.integers()));
      return true;
    case real_list:
      value.emplace(std::in_place_type<RealList>, metadata.list(attribute.reals()));
      return true;
    case text_list:
      value.emplace(std::in_place_type<TextList>, metadata.texts(attribute.texts()));
      return true;
    default:
      return false;
  }
}

}  // namespace

flatbuffers::Offset<FileAttributes> write_attributes(flatbuffers::FlatBufferBuilder& builder, const Operator& op,
                                                     const Attributes& attributes) {
  std::vector<flatbuffers::Offset<file::Attribute>> list;
  for (std::size_t i = 0; i < attributes.size(); ++i)
    if (attributes[i]) list.push_back(write_attribute(builder, op.attributes[i].name, *attributes[i]));
  return builder.CreateVector(list);
}

std::optional<Attributes> read_attributes(const Operator& op, const FileAttributes* list, MetadataReader& metadata) {
  Attributes attributes(op.attributes.size());
  if (!list) return attributes;
  for (const file::Attribute* attribute : *list) {
    const int index = op.attribute_index(std::string_view(attribute->name()->c_str(), attribute->name()->size()));
    if (index < 0 || attributes[std::size_t(index)]) return std::nullopt;
    if (!read_attribute(*attribute, metadata, attributes[std::size_t(index)])) return std::nullopt;
  }
  return attributes;
}

std::uint64_t hash_of_tables() {
  std::string text;
  const auto add = [&](std::string_view word) { (text += word) += '\n'; };
  for (const Operator& op : all_operators()) {
    add(op.name);
    for (const OperandRow& operand : op.operands) add(operand.name);
    for (const AttributeRow& attribute : op.attributes) {
      add(attribute.name);
      add(text_of(attribute.kind));
    }
  }
  for (std::size_t i = 0; i < data_type_count; ++i) add(name_of(DataType(i)));
  for (const Layout layout : {Layout::row_major, Layout::channels_last, Layout::private_form}) add(name_of(layout));
  add(text_of(Feature(~0u)));
  return checksum_of(text);
}

}  // namespace webnn::schema
