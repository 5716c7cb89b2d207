// Words for attribute kinds in messages.
#include "schema/attribute.hpp"

namespace webnn::schema {

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

}  // namespace webnn::schema
