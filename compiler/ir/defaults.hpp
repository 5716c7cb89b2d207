// Attributes as an operator uses them: the value of the call, or the row's default.
#pragma once

#include <optional>

#include "schema/operators/operator_call.hpp"

namespace webnn::compiler {

using namespace webnn::schema;

/// The row's default, including computed ones; nullopt if the attribute has none.
std::optional<AttributeValue> default_attribute(const OperatorCall& call, std::size_t index);
/// The given value, otherwise the default.
std::optional<AttributeValue> effective_attribute(const OperatorCall& call, std::size_t index);

}  // namespace webnn::compiler
