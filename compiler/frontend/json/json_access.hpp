// Typed access to JSON values; reports a diagnostic when a value has another type.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/frontend/json/json_document.hpp"
#include "schema/elements/types.hpp"

namespace webnn::compiler {

/// The value of a JSON number, or of a string that contains one: "NaN", "Infinity", "-Infinity", "9007199254740993".
std::optional<Number> number_of(JsonValue value);
/// A 64-bit integer, including one written like 2.0.
std::optional<std::int64_t> integer_of(JsonValue value);
/// The same for unsigned integers up to 2^64 - 1.
std::optional<std::uint64_t> unsigned_of(JsonValue value);

/// An optional member; null counts as absent.
JsonValue optional_member(JsonValue object, std::string_view key);

/// "'padding' must be an array, found a number"
void report_wrong_type(Diagnostics& diagnostics, JsonValue value, std::string_view what, std::string_view expected);

/// A required member. When it is absent, reports that and gives an empty handle.
JsonValue required_member(JsonValue object, std::string_view key, Diagnostics& diagnostics);

/// Reports members of `object` that are not in `known`: an error when one is similar enough to be a typing error,
/// otherwise a warning, because other tools add their own members. Nothing is said of those that `is_reported` takes.
void report_unknown_members(JsonValue object, std::initializer_list<std::string_view> known, Diagnostics& diagnostics,
                            const std::function<bool(JsonValue)>& is_reported = {});

/// Adds "did you mean 'conv2d'?" when a candidate is similar enough.
void suggest(Diagnostic& diagnostic, std::string_view word, const std::vector<std::string_view>& candidates);

/// A data type by its name. Reports anything else and gives nullopt.
std::optional<DataType> read_data_type(JsonValue value, Diagnostics& diagnostics);

}  // namespace webnn::compiler
