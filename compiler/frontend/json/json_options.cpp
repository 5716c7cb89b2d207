// Options of nodes: every attribute of the operator's row, under its name or an old spelling.
#include <algorithm>

#include "compiler/frontend/json/json_access.hpp"
#include "compiler/frontend/json/json_graph_reader.hpp"
#include "schema/text.hpp"

namespace webnn::compiler {
namespace {

using Kind = JsonValue::Kind;

bool contains(std::span<const std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Whether the option is allowed although it is no attribute, such as "has_bias".
bool is_flag_of_operand(const Operator& op, JsonValue option) {
  const std::string key = camel_case(option.key());
  return option.is(Kind::boolean) && std::any_of(op.operands.begin(), op.operands.end(), [&](const OperandRow& row) {
           return key == camel_case("has_" + std::string(row.name));
         });
}

const OptionTranslation* find_translation(const Operator& op, std::string_view key) {
  for (const OptionTranslation& translation : option_translations())
    if (contains(translation.ops, op.name) && contains(translation.keys, key)) return &translation;
  return nullptr;
}

/// Reads each element of an array with `read`; of those that it cannot read, the first few are told to `refuse`, then how
/// many more there are. Nullopt when there is one.
template <typename List, typename Read, typename Refuse, typename RefuseMore>
std::optional<AttributeValue> read_list(JsonValue value, Read read, Refuse refuse, RefuseMore refuse_more) {
  constexpr std::size_t most_told = 8;
  List list;
  list.reserve(value.size());
  std::size_t refused = 0;
  for (const JsonValue element : value) {
    auto item = read(element);
    if (!item && refused++ < most_told) refuse(element);
    if (refused == 0) list.push_back(std::move(*item));
  }
  if (refused > most_told) refuse_more(refused - most_told);
  if (refused > 0) return std::nullopt;
  return list;
}

}  // namespace

void JsonGraphReader::read_options(const NodeText& node, Call& call, const OperatorAlias* alias) {
  const JsonValue label = optional_member(node.node, "label");
  if (label && label.is(Kind::text) && !label.text().empty()) call.label = label.text();
  if (!node.options) return;
  const Operator& op = call.row();
  for (const JsonValue option : node.options) {
    const std::string camel = camel_case(option.key());
    if (option.key() == "label") {
      if (option.is(Kind::text)) {
        if (!option.text().empty()) call.label = option.text();
      } else if (!option.is(Kind::null)) {
        report_wrong_type(diagnostics_, option, "'label'", "a string");
      }
      continue;
    }
    // squeeze has `axes`, but the reshape that it is read as does not.
    if (alias && contains(alias->keys, camel)) continue;
    if (read_plain_option(call, option)) continue;
    if (!op.variadic() && op.operand_index(camel) >= 0) continue;
    if (is_flag_of_operand(op, option)) continue;
    if (find_translation(op, camel)) {
      warn_once(Code::legacy_spelling, option.key_location(), std::string(op.name) + " " + camel,
                "the option " + in_quotes(option.key()) + " of " + std::string(op.name) +
                    " is not in the specification and is translated");
      continue;
    }
    std::vector<std::string_view> names;
    for (const AttributeRow& attribute : op.attributes) names.push_back(option_key(op, attribute));
    for (const OperandRow& operand : op.operands)
      if (operand.arity == Arity::optional) names.push_back(operand.name);
    names.push_back("label");
    Diagnostic& diagnostic = diagnostics_.error(Code::unknown_option, option.key_location(),
                                                std::string(op.name) + " has no option " + in_quotes(option.key()));
    suggest(diagnostic, option.key(), names);
    call.usable = false;
  }
}

/// Reads an option that is an attribute; false when it is not one.
bool JsonGraphReader::read_plain_option(Call& call, JsonValue option) {
  const Operator& op = call.row();
  const MeantAttribute meant = find_attribute(op, option.key());
  if (meant.index < 0) return false;
  const auto index = std::size_t(meant.index);
  const AttributeRow& attribute = op.attributes[index];
  if (option.is(Kind::null)) return true;
  if (meant.old)
    warn_once(Code::legacy_spelling, option.key_location(), std::string(op.name) + " " + std::string(option.key()),
              "the option " + in_quotes(option.key()) + " of " + std::string(op.name) + " is read as '" +
                  std::string(option_key(op, attribute)) + "'");
  if (call.attribute_places[index]) {
    diagnostics_.error(
        Code::duplicate_key, option.key_location(),
        in_quotes(option.key()) + " and " + in_quotes(call.attribute_places[index].key()) + " are the same option");
    call.usable = false;
    return true;
  }
  call.attribute_places[index] = option;
  auto value = read_attribute(attribute, option);
  if (!value)
    call.usable = false;
  else
    call.attributes[index] = std::move(value);
  return true;
}

std::optional<AttributeValue> JsonGraphReader::read_attribute(const AttributeRow& row, JsonValue value) {
  const std::string what = in_quotes(value.key());
  const auto wrong = [&](JsonValue place, std::string_view expected) {
    report_wrong_type(diagnostics_, place, place.key().empty() ? "an element of " + what : what, expected);
    return std::nullopt;
  };
  const auto integer = [](JsonValue place) { return integer_of(place); };
  const auto real = [](JsonValue place) -> std::optional<double> {
    const auto result = number_of(place);
    return result ? std::optional(result->as_double()) : std::nullopt;
  };
  const auto text = [](JsonValue place) {
    return place.is(Kind::text) ? std::optional<std::string>(place.text()) : std::nullopt;
  };
  const auto one = [&](const auto& read, std::string_view expected) -> std::optional<AttributeValue> {
    if (auto result = read(value)) return AttributeValue(std::move(*result));
    return wrong(value, expected);
  };
  const auto list = [&]<typename List>(List, const auto& read, std::string_view expected) {
    return read_list<List>(
        value, read, [&](JsonValue element) { wrong(element, expected); },
        [&](std::size_t more) {
          error(Code::wrong_json_type, value,
                counted(more, "more element") + " of " + what + " must be " + std::string(expected));
        });
  };

  switch (row.kind) {
    case AttributeKind::boolean:
      if (value.is(Kind::boolean)) return AttributeValue(value.boolean());
      return wrong(value, "a boolean");
    case AttributeKind::u32:
    case AttributeKind::i32:
      return one(integer, "an integer");
    case AttributeKind::real:
      return one(real, "a number");
    case AttributeKind::number:
      if (const auto number = number_of(value)) return AttributeValue(*number);
      return wrong(value, "a number");
    case AttributeKind::u32_or_list:
      if (value.is(Kind::number)) return one(integer, "an integer");
      [[fallthrough]];
    case AttributeKind::u32_list:
      if (value.is(Kind::array)) return list(IntegerList(), integer, "an integer");
      return wrong(value,
                   row.kind == AttributeKind::u32_list ? "an array of integers" : "an integer or an array of integers");
    case AttributeKind::real_list:
      if (value.is(Kind::array)) return list(RealList(), real, "a number");
      return wrong(value, "an array of numbers");
    case AttributeKind::text:
      return one(text, "a string");
    case AttributeKind::text_list:
      if (value.is(Kind::array)) return list(TextList(), text, "a string");
      return wrong(value, "an array of strings");
    case AttributeKind::data_type:
      if (const auto type = read_data_type(value, diagnostics_)) return AttributeValue(*type);
      return std::nullopt;
  }
  return std::nullopt;
}

void JsonGraphReader::translate_options(const NodeText& node, Call& call, const OperatorAlias* alias) {
  const auto operands = descriptors(call);
  const auto run = [&](void (*translate)(Translation&)) {
    Translation translation{call.row(), operands, node.options, call.attributes, {}, {}};
    translate(translation);
    if (translation.error.empty()) return;
    error(Code::bad_option, translation.place ? translation.place : node.node, std::move(translation.error));
    call.usable = false;
  };
  if (alias && alias->translate) run(alias->translate);
  if (!node.options) return;
  std::vector<const OptionTranslation*> wanted;
  for (const JsonValue option : node.options) {
    const std::string camel = camel_case(option.key());
    if (option.is(Kind::null) || (alias && contains(alias->keys, camel))) continue;
    const OptionTranslation* translation = find_translation(call.row(), camel);
    if (translation && find_attribute(call.row(), option.key()).index < 0) wanted.push_back(translation);
  }
  std::sort(wanted.begin(), wanted.end());  // in the table's order
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  for (const OptionTranslation* translation : wanted) run(translation->translate);
}

}  // namespace webnn::compiler
