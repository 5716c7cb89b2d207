#include "compiler/ir/defaults.hpp"

namespace webnn::compiler {

std::optional<AttributeValue> default_attribute(const OperatorCall& call, std::size_t index) {
  const AttributeRow& row = call.op().attributes[index];
  switch (row.default_kind) {
    case AttributeRow::Default::required:
    case AttributeRow::Default::absent:
      return std::nullopt;
    case AttributeRow::Default::boolean:
      return AttributeValue(row.default_integer != 0);
    case AttributeRow::Default::integer:
      if (row.kind == AttributeKind::data_type) return AttributeValue(DataType(row.default_integer));
      return AttributeValue(row.default_integer);
    case AttributeRow::Default::real:
      return AttributeValue(row.default_real);
    case AttributeRow::Default::word:
      return AttributeValue(std::string(row.words[0]));
    case AttributeRow::Default::integers:
      return AttributeValue(IntegerList(row.default_list.begin(), row.default_list.end()));
    case AttributeRow::Default::reals:
      return AttributeValue(RealList(row.default_list.begin(), row.default_list.end()));
    case AttributeRow::Default::words:
      return AttributeValue(TextList(row.default_words.begin(), row.default_words.end()));
    case AttributeRow::Default::computed:
      return AttributeValue(row.compute(call));
  }
  return std::nullopt;
}

std::optional<AttributeValue> effective_attribute(const OperatorCall& call, std::size_t index) {
  if (const auto& given = call.attributes()[index]) return given;
  return default_attribute(call, index);
}

}  // namespace webnn::compiler
