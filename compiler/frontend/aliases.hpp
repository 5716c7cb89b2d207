// What other tools and earlier versions of the specification call things: tables of old spellings, read and never
// written.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/frontend/json/json_document.hpp"
#include "schema/operators/operator_call.hpp"

namespace webnn::compiler {

/// An option under another name with the same values. `op` empty: every operator that has the attribute.
struct OptionAlias {
  std::string_view op;
  std::string_view spelling;
  std::string_view attribute;
  bool old;  // false: both spellings are current
};
std::span<const OptionAlias> option_aliases();

/// "new_shape" -> "newShape"; every option may be written so.
std::string camel_case(std::string_view spelling);

/// The attribute that `spelling` means for `op`, or -1; `old` says whether it is worth a warning.
struct MeantAttribute {
  int index = -1;
  bool old = false;
};
MeantAttribute find_attribute(const Operator& op, std::string_view spelling);
/// The option key that writers use for an attribute ("to" for the data type of cast).
std::string_view option_key(const Operator& op, const AttributeRow& attribute);

/// What a translation sees: operands and attributes read so far, and the node's options. It sets attributes; a
/// non-empty `error` says what is wrong with the option at `place`.
struct Translation {
  const Operator& op;
  std::span<const OperandDescriptor* const> operands;
  JsonValue options;
  Attributes& attributes;
  std::string error;
  JsonValue place;

  JsonValue option(std::string_view spelling) const;  // in either case style; empty when absent or null
  void set(std::string_view attribute, AttributeValue value);
  const AttributeValue* get(std::string_view attribute) const;
};

/// Options that are computed into others: ONNX's pads, autoPad, slices by ends. `keys` are the options it takes; it
/// runs when at least one of them is given.
struct OptionTranslation {
  std::vector<std::string_view> ops;
  std::vector<std::string_view> keys;
  void (*translate)(Translation&);
};
std::span<const OptionTranslation> option_translations();

/// Operators that are not specified, read as specified ones. `keys` are options of the old operator alone; `translate`
/// (may be null) always runs.
struct OperatorAlias {
  std::string_view name;
  std::string_view op;
  std::vector<std::string_view> keys;
  void (*translate)(Translation&);
};
const OperatorAlias* find_operator_alias(std::string_view name);

}  // namespace webnn::compiler
