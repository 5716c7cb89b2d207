// Names used by other tools and by earlier versions of the specification: tables of alternative spellings, which are
// read but never written.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/frontend/json/json_document.hpp"
#include "schema/operators/operator_call.hpp"

namespace webnn::compiler {

/// "new_shape" -> "newShape"; every option may be written in either style.
std::string camel_case(std::string_view spelling);

/// The attribute of `op` that `spelling` names, or -1; `old` tells whether the spelling deserves a warning.
struct MeantAttribute {
  int index = -1;
  bool old = false;
};
MeantAttribute find_attribute(const Operator& op, std::string_view spelling);
/// The option key that writers use for an attribute (for example "to" for the data type of cast).
std::string_view option_key(const Operator& op, const AttributeRow& attribute);

/// The state of a translation: operands and attributes read so far, and the node's options. It sets attributes; a
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

/// Options that are converted to others: ONNX's pads, autoPad, slices by their ends. `keys` are the options it
/// converts; it runs when at least one of them is given.
struct OptionTranslation {
  std::vector<std::string_view> ops;
  std::vector<std::string_view> keys;
  void (*translate)(Translation&);
};
std::span<const OptionTranslation> option_translations();

/// Unspecified operators that are read as specified ones. `keys` are options that only the old operator has;
/// `translate` (may be null) always runs.
struct OperatorAlias {
  std::string_view name;
  std::string_view op;
  std::vector<std::string_view> keys;
  void (*translate)(Translation&);
};
const OperatorAlias* find_operator_alias(std::string_view name);

}  // namespace webnn::compiler
