// The functions that the addon gives to the JavaScript in ../lib, in groups.
#pragma once

#include "bindings/node/native/values.hpp"
#include "schema/elements/data_type.hpp"

namespace webnn::node {

std::span<const NamedFunction> builder_functions();
std::span<const NamedFunction> context_functions();
std::span<const NamedFunction> load_functions();
std::span<const NamedFunction> table_functions();
std::span<const NamedFunction> tools_functions();

/// From its specification's name. Throws Error (usage).
schema::DataType data_type(napi_env env, napi_value value);

}  // namespace webnn::node
