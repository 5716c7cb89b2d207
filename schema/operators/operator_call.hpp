// A call of an operator with its operands and attributes, as seen by shape rules, rewrite guards and kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schema/elements/types.hpp"
#include "schema/operators/attribute.hpp"
#include "schema/operators/operator_table.hpp"

namespace webnn::schema {

/// "valid tensor count" of the specification.
inline constexpr std::size_t largest_operand_list = 8192;

/// A view of the operator's row, the operands' descriptors (null for an absent optional operand) and the attributes.
/// The accessors give the caller's value, else the row's default, else the row's computed default, so readers never see
/// a missing value. They accept only names and kinds that are in the row.
class OperatorCall {
 public:
  OperatorCall(OperatorId id, std::span<const OperandDescriptor* const> operands, const Attributes& attributes)
      : id_(id), operands_(operands), attributes_(&attributes) {}

  OperatorId id() const { return id_; }
  const Operator& op() const { return row(id_); }
  std::span<const OperandDescriptor* const> operands() const { return operands_; }
  bool has_operand(std::size_t index) const { return index < operands_.size() && operands_[index] != nullptr; }
  const OperandDescriptor& operand(std::size_t index) const {
    assert(has_operand(index));
    return *operands_[index];
  }
  const Shape& shape(std::size_t index) const { return operand(index).shape; }
  const Attributes& attributes() const { return *attributes_; }

  /// Whether the caller gave a value.
  bool has(std::string_view attribute) const;
  bool boolean(std::string_view attribute) const;
  std::uint32_t u32(std::string_view attribute) const;
  std::int32_t i32(std::string_view attribute) const;
  double real(std::string_view attribute) const;
  Number number(std::string_view attribute, Number when_absent) const;
  DataType data_type(std::string_view attribute) const;
  std::string_view text(std::string_view attribute) const;
  std::vector<std::uint32_t> u32_list(std::string_view attribute) const;
  std::vector<double> real_list(std::string_view attribute) const;
  std::vector<std::string_view> text_list(std::string_view attribute) const;

 private:
  const AttributeRow& find(std::string_view attribute, const AttributeValue** value) const;

  OperatorId id_;
  std::span<const OperandDescriptor* const> operands_;
  const Attributes* attributes_;
};

/// The part of a call that a problem concerns; readers turn it into a file position.
struct Subject {
  enum class Kind : std::uint8_t { call, operand, attribute };
  Kind kind = Kind::call;
  std::uint16_t index = 0;    // of the operand or the attribute
  std::int32_t element = -1;  // of a list attribute
};

struct CallError {
  Subject subject;
  std::string message;  // one plain lower-case sentence without a full stop
  std::string hint;     // may be empty
};

/// The result of checking a call: the outputs' descriptors, or what is wrong.
class Inference {
 public:
  explicit Inference(const OperatorCall& call) : call_(&call) {}

  /// Has no effect after an error.
  void output(DataType type, const Shape& shape) {
    if (ok()) outputs_.push_back({type, shape});
  }
  void fail(std::string message, std::string hint = {});
  void fail_operand(std::size_t operand, std::string message, std::string hint = {});
  void fail_attribute(std::string_view attribute, std::string message, std::string hint = {}, int element = -1);

  bool ok() const { return errors_.empty(); }
  const std::vector<OperandDescriptor>& outputs() const { return outputs_; }
  const std::vector<CallError>& errors() const { return errors_; }

 private:
  void add(Subject subject, std::string message, std::string hint);

  const OperatorCall* call_;
  std::vector<OperandDescriptor> outputs_;
  std::vector<CallError> errors_;
};

/// Checks a call completely: presence, types and ranks of operands; kinds, words, ranges and lengths of attributes; the
/// row's shape rule; and that every output is a valid descriptor. `outputs()` is empty unless `ok()`.
Inference check_operator(const OperatorCall& call);

}  // namespace webnn::schema
