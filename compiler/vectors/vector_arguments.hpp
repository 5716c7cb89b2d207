// Arguments of builder methods as conformance and validation vectors write them in JSON, mapped to operands and
// attributes by the operator's row.
//
// The builder method of a row takes its required operands in order, then its required attributes in order, then one
// dictionary whose members are the optional operands and optional attributes by name. `null` is an absent value. A
// number that JSON cannot hold is {"number": "NaN" | "Infinity" | "-Infinity"}, a 64-bit integer {"bigint": "..."}.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "schema/operators/operator_call.hpp"

namespace webnn::compiler {

using namespace webnn::schema;

/// Operands in the row's order, pointing into the arguments: a string that names a tensor or {"operand": descriptor};
/// null for an absent one. Values that the row does not take are in `errors`, each one plain lower-case sentence.
struct VectorCall {
  std::vector<const nlohmann::json*> operands;
  Attributes attributes;
  std::vector<std::string> errors;
};

/// Maps positional arguments. Complaints are about what JavaScript could not pass: wrong kinds of values, too many of
/// them, unknown options. Ranges, shapes and missing values are check_operator's affair.
VectorCall read_vector_call(const Operator& row, const std::vector<const nlohmann::json*>& arguments);

/// The values of [{"input": "x"}, {"newShape": [2, 3]}, ...] in order; conformance vectors name each argument.
std::vector<const nlohmann::json*> positional_arguments(const nlohmann::json& named_arguments);

/// One attribute; on failure nullopt and a sentence in `error`.
std::optional<AttributeValue> read_vector_attribute(const AttributeRow& row, const nlohmann::json& value,
                                                    std::string& error);

/// A number in any of the forms above; nullopt when it is none or an integer beyond 64 bits.
std::optional<Number> read_vector_number(const nlohmann::json& value);

/// {"dataType": "float32", "shape": [2, 3]}, checked like an input's descriptor; on failure nullopt and a sentence in
/// `error`.
std::optional<OperandDescriptor> read_vector_descriptor(const nlohmann::json& value, std::string& error);

}  // namespace webnn::compiler
