// The checks that every operator shares, read from its row; then the row's own shape rule; then the outputs.
#include <algorithm>
#include <cmath>

#include "schema/diagnostics.hpp"
#include "schema/operators/operator_call.hpp"
#include "schema/sentence.hpp"
#include "schema/text.hpp"

namespace webnn::schema {
namespace {

constexpr std::int64_t largest_u32 = 0xffffffffll;
constexpr std::int64_t largest_i32 = 0x7fffffffll;
/// A list may have millions of elements: of those that are wrong the first few are told, and how many there are more.
constexpr std::size_t most_told = 8;

/// The row of an operand; all operands of a list share one.
const OperandRow& operand_row(const Operator& op, std::size_t place) { return op.operands[op.variadic() ? 0 : place]; }

std::string operand_name(const Operator& op, std::size_t place) {
  const OperandRow& row = operand_row(op, place);
  return op.variadic() ? sentence(row.name, "[", place, "]") : std::string(row.name);
}

std::string rank_range(const OperandRow& row) {
  if (row.min_rank == row.max_rank) return std::to_string(row.min_rank);
  return sentence(row.min_rank, " to ", row.max_rank);
}

/// Whether every required operand is present and there are not too many.
void check_presence(const OperatorCall& call, Inference& result) {
  const Operator& op = call.op();
  const std::size_t count = call.operands().size();
  if (op.variadic()) {
    if (count == 0) result.fail(sentence(op.name, " takes at least one operand"));
    if (count > largest_operand_list) {
      result.fail(sentence(op.name, " has ", counted(count, "operand"), ", but takes at most ", largest_operand_list));
      return;
    }
  } else if (count > op.operands.size()) {
    result.fail(sentence(op.name, " has ", counted(count, "operand"), ", but takes at most ", op.operands.size()));
    return;
  }
  for (std::size_t place = 0; place < std::max(count, op.variadic() ? 0 : op.operands.size()); ++place)
    if (!call.has_operand(place) && operand_row(op, place).arity != Arity::optional)
      result.fail_operand(place, sentence("operand '", operand_name(op, place), "' is missing"));
}

void check_types_and_ranks(const OperatorCall& call, Inference& result) {
  const Operator& op = call.op();
  std::size_t refused = 0;
  const auto refuse = [&](std::size_t place, std::string message) {
    if (++refused <= most_told) result.fail_operand(place, std::move(message));
  };
  for (std::size_t place = 0; place < call.operands().size(); ++place) {
    if (!call.has_operand(place)) continue;
    const OperandRow& row = operand_row(op, place);
    const OperandDescriptor& operand = call.operand(place);
    const std::string name = operand_name(op, place);
    if (!row.types.contains(operand.type)) {
      refuse(place, sentence("'", name, "' is ", operand.type, ", but ", op.name, " takes ", row.types));
    } else if (row.variable != 0) {
      // The first operand with the same variable decides the type; if it is itself wrong, that was reported above.
      for (std::size_t other = 0; other < place; ++other) {
        if (!call.has_operand(other) || operand_row(op, other).variable != row.variable) continue;
        if (call.operand(other).type != operand.type)
          refuse(place, sentence("'", name, "' is ", operand.type, ", but '", operand_name(op, other), "' is ",
                                 call.operand(other).type, " and both need the same type"));
        break;
      }
    }
    const unsigned rank = operand.shape.rank();
    if (rank < row.min_rank || rank > row.max_rank)
      refuse(place, sentence("'", name, "' has rank ", rank, ", but ", op.name, " takes rank ", rank_range(row)));
  }
  if (refused > most_told)
    result.fail(sentence(op.name, " has ", counted(refused - most_told, "more operand"), " like these"));
}

/// Checks one attribute's value against its row.
class AttributeCheck {
 public:
  AttributeCheck(const AttributeRow& row, Inference& result) : row_(row), result_(result) {}

  void check(const AttributeValue& value) {
    switch (row_.kind) {
      case AttributeKind::boolean:
        as<bool>(value);
        return;
      case AttributeKind::u32:
        if (const auto* integer = as<std::int64_t>(value)) check_integer(*integer, -1);
        return;
      case AttributeKind::i32:
        if (const auto* integer = as<std::int64_t>(value)) check_integer(*integer, -1);
        return;
      case AttributeKind::real:
        if (const auto* real = as<double>(value)) check_real(*real, -1);
        return;
      case AttributeKind::number:
        if (const auto* number = as<Number>(value); number && number->is_nan()) fail("is NaN");
        return;
      case AttributeKind::u32_or_list:
        if (const auto* integer = std::get_if<std::int64_t>(&value)) return check_integer(*integer, -1);
        [[fallthrough]];
      case AttributeKind::u32_list:
        check_each<IntegerList>(value, [this](std::int64_t integer, int i) { check_integer(integer, i); });
        return;
      case AttributeKind::real_list:
        check_each<RealList>(value, [this](double real, int i) { check_real(real, i); });
        return;
      case AttributeKind::text:
        if (const auto* word = as<std::string>(value)) check_word(*word, -1);
        return;
      case AttributeKind::text_list:
        check_each<TextList>(value, [this](const std::string& word, int i) { check_word(word, i); });
        return;
      case AttributeKind::data_type:
        if (const auto* type = as<DataType>(value); type && !row_.types.empty() && !row_.types.contains(*type))
          fail(sentence("is ", *type, ", but must be ", row_.types));
        return;
    }
  }

 private:
  void fail(std::string_view what, int element = -1, std::string hint = {}) {
    if (element >= 0 && ++wrong_elements_ > most_told) return;
    const std::string place = element < 0 ? std::string(row_.name) : sentence(row_.name, "[", element, "]");
    result_.fail_attribute(row_.name, sentence("'", place, "' ", what), std::move(hint), element);
  }

  template <typename T>
  const T* as(const AttributeValue& value) {
    const T* typed = std::get_if<T>(&value);
    if (!typed) fail(sentence("must be ", text_of(row_.kind)));
    return typed;
  }

  template <typename List, typename Check>
  void check_each(const AttributeValue& value, Check check) {
    const auto* list = as<List>(value);
    if (!list) return;
    if (row_.length != 0 && list->size() != row_.length)
      return fail(sentence("has ", counted(list->size(), "element"), ", but needs ", row_.length));
    for (std::size_t i = 0; i < list->size(); ++i) check((*list)[i], int(i));
    if (wrong_elements_ > most_told)
      fail(sentence("has ", counted(wrong_elements_ - most_told, "more element"), " like these"));
  }

  void check_integer(std::int64_t value, int element) {
    const std::int64_t largest = row_.kind == AttributeKind::i32 ? largest_i32 : largest_u32;
    if (value < row_.minimum)
      fail(sentence("is ", value, ", but must be at least ", row_.minimum), element,
           value < 0 ? "nothing is counted from the end or inferred: write the number itself" : "");
    else if (value > largest)
      fail(sentence("is ", value, ", but must be at most ", largest), element);
  }

  void check_real(double value, int element) {
    if (!std::isfinite(value)) fail(sentence("is ", Number(value).text(), ", but must be finite"), element);
  }

  void check_word(const std::string& word, int element) {
    if (std::ranges::find(row_.words, word) != row_.words.end()) return;
    const std::vector<std::string_view> words(row_.words.begin(), row_.words.end());
    const std::string_view near = nearest(word, words);
    fail(sentence("is ", in_quotes(word), ", but must be ", alternatives(words)), element,
         near.empty() ? std::string() : sentence("did you mean '", near, "'?"));
  }

  const AttributeRow& row_;
  Inference& result_;
  std::size_t wrong_elements_ = 0;
};

void check_attributes(const OperatorCall& call, Inference& result) {
  const Operator& op = call.op();
  const Attributes& attributes = call.attributes();
  for (std::size_t i = 0; i < op.attributes.size(); ++i) {
    const AttributeRow& row = op.attributes[i];
    if (i < attributes.size() && attributes[i])
      AttributeCheck(row, result).check(*attributes[i]);
    else if (row.required())
      result.fail_attribute(row.name, sentence("'", row.name, "' is missing"));
  }
}

void check_outputs(const OperatorCall& call, Inference& result) {
  const std::vector<OperandDescriptor> outputs = result.outputs();  // a failure clears the original
  for (const OperandDescriptor& output : outputs)
    if (const std::string error = descriptor_error(output); !error.empty())
      result.fail(sentence("the output of ", call.op().name, " cannot exist: ", error));
}

}  // namespace

Inference check_operator(const OperatorCall& call) {
  Inference result(call);
  check_presence(call, result);
  if (result.ok()) check_types_and_ranks(call, result);
  check_attributes(call, result);
  if (result.ok()) call.op().infer(call, result);
  if (result.ok()) check_outputs(call, result);
  return result;
}

}  // namespace webnn::schema
