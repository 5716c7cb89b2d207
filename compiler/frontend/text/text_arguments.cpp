#include "compiler/frontend/text/text_arguments.hpp"

#include "compiler/frontend/aliases.hpp"
#include "schema/text.hpp"

namespace webnn::compiler {
namespace {

using ValueKind = TextValue::Kind;

/// The options that unnamed arguments may give, in order.
std::vector<std::string_view> positional_options(const Operator& op, const OperatorAlias* alias) {
  if (alias && !alias->keys.empty()) return alias->keys;
  std::vector<std::string_view> keys;
  for (const AttributeRow& attribute : op.attributes)
    if (attribute.required()) keys.push_back(option_key(op, attribute));
  return keys;
}

/// Assigns places to unnamed arguments, one after the other.
class Placer {
 public:
  explicit Placer(std::string_view op) {
    const OperatorAlias* alias = find_operator_alias(op);
    const auto id = find_operator(alias ? alias->op : op);
    if (!id) return;
    row_ = &row(*id);
    options_ = positional_options(*row_, alias);
  }

  std::optional<ArgumentPlace> place(const TextValue& value) {
    const bool name = value.kind == ValueKind::name || value.kind == ValueKind::text;
    if (value.kind == ValueKind::object) return ArgumentPlace{ArgumentPlace::Kind::options, {}};
    if (next_option_ == 0 && may_be_operand(value)) return operand(value);
    if (next_option_ < options_.size()) return ArgumentPlace{ArgumentPlace::Kind::option, options_[next_option_++]};
    // One name too many: the graph reader reports how many operands there are.
    if (name) return ArgumentPlace{ArgumentPlace::Kind::operand, {}};
    // An unknown operator is reported as such; nothing more is reported about its arguments.
    return row_ ? std::nullopt : std::optional(ArgumentPlace());
  }

 private:
  /// Operators with any number of operands, and unknown ones, can always take another operand.
  bool may_be_operand(const TextValue& value) const {
    const bool any_number = !row_ || row_->variadic();
    if (value.kind == ValueKind::list) return any_number;
    return (value.kind == ValueKind::name || value.kind == ValueKind::text || value.kind == ValueKind::null) &&
           (any_number || next_operand_ < row_->operands.size());
  }

  ArgumentPlace operand(const TextValue& value) {
    const std::size_t index = next_operand_++;
    if (value.kind == ValueKind::list) return {ArgumentPlace::Kind::operands, {}};
    if (value.kind == ValueKind::null) {
      gap_ = true;
      return {};
    }
    // Behind a gap, the position no longer determines the operand.
    if (gap_ && row_ && !row_->variadic()) return {ArgumentPlace::Kind::option, row_->operands[index].name};
    return {ArgumentPlace::Kind::operand, {}};
  }

  const Operator* row_ = nullptr;
  std::vector<std::string_view> options_;
  std::size_t next_operand_ = 0, next_option_ = 0;
  bool gap_ = false;
};

}  // namespace

std::optional<std::vector<ArgumentPlace>> argument_places(const TextCall& call, const JsonDocument& document,
                                                          Diagnostics& diagnostics) {
  Placer placer(call.op.text);
  std::vector<ArgumentPlace> places;
  for (const TextArgument& given : call.arguments) {
    if (given.key) {
      places.push_back({ArgumentPlace::Kind::option, given.key->text});
    } else if (const auto place = placer.place(given.value)) {
      places.push_back(*place);
    } else {
      diagnostics.error(Code::bad_text, document.location(given.value.begin),
                        in_quotes(call.op.text) + " takes no such argument by position; write it as NAME=VALUE");
      return std::nullopt;
    }
  }
  return places;
}

}  // namespace webnn::compiler
