// Attributes as an operator works with them: what a call gives, or what its row says for a call that gives nothing.
#pragma once

#include <optional>

#include "schema/operators/operator_call.hpp"

namespace webnn::compiler {

using namespace webnn::schema;

/// The row's default, computed ones too; nullopt for an attribute that has none.
std::optional<AttributeValue> default_attribute(const OperatorCall& call, std::size_t index);
/// The given value, else the default.
std::optional<AttributeValue> effective_attribute(const OperatorCall& call, std::size_t index);

}  // namespace webnn::compiler
