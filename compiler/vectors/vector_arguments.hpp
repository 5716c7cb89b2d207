// Maps arguments of builder methods, as conformance and validation vectors write them in JSON, to operands and
// attributes of the operator's row.
//
// The builder method of a row takes its required operands in order, then its required attributes in order, then a
// dictionary whose members are the optional operands and optional attributes by name. `null` is an absent value. A
// number that JSON cannot hold is {"number": "NaN" | "Infinity" | "-Infinity"}, a 64-bit integer is {"bigint": "..."}.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "schema/operators/operator_call.hpp"

namespace webnn::compiler {

using namespace webnn::schema;

/// Operands in the row's order, pointing into the arguments: a string that names a tensor, or {"operand": descriptor};
/// null for an absent one. `errors` lists values that the row does not take, each as one plain lower-case sentence.
struct VectorCall {
  std::vector<const nlohmann::json*> operands;
  Attributes attributes;
  std::vector<std::string> errors;
};

/// Maps positional arguments. Reports what JavaScript could not pass: values of the wrong kind, too many values,
/// unknown options. check_operator checks ranges, shapes and missing values.
VectorCall read_vector_call(const Operator& row, const std::vector<const nlohmann::json*>& arguments);

/// The values of [{"input": "x"}, {"newShape": [2, 3]}, ...] in order; conformance vectors name each argument.
std::vector<const nlohmann::json*> positional_arguments(const nlohmann::json& named_arguments);

/// One attribute; on failure nullopt, and a sentence in `error`.
std::optional<AttributeValue> read_vector_attribute(const AttributeRow& row, const nlohmann::json& value,
                                                    std::string& error);

/// A number in any of these notations; nullopt when it is none, or an integer beyond 64 bits.
std::optional<Number> read_vector_number(const nlohmann::json& value);

/// {"dataType": "float32", "shape": [2, 3]}, checked like an input's descriptor; on failure nullopt, and a sentence in
/// `error`.
std::optional<OperandDescriptor> read_vector_descriptor(const nlohmann::json& value, std::string& error);

}  // namespace webnn::compiler
