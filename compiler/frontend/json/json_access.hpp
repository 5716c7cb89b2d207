// Reading typed things out of a JSON value, with a diagnostic where the value is something else.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/frontend/json/json_document.hpp"
#include "schema/elements/types.hpp"

namespace webnn::compiler {

/// The number of a JSON number, or of a string that holds one: "NaN", "Infinity", "-Infinity", "9007199254740993".
std::optional<Number> number_of(JsonValue value);
/// An integer of 64 bits, also when it is written like 2.0.
std::optional<std::int64_t> integer_of(JsonValue value);
/// The same, not negative and up to 2^64 - 1.
std::optional<std::uint64_t> unsigned_of(JsonValue value);

/// A member that may be absent; null counts as absent.
JsonValue optional_member(JsonValue object, std::string_view key);

/// "'padding' must be an array, found a number"
void report_wrong_type(Diagnostics& diagnostics, JsonValue value, std::string_view what, std::string_view expected);

/// A member that must be there. Reports and gives an empty handle when it is absent.
JsonValue required_member(JsonValue object, std::string_view key, Diagnostics& diagnostics);

/// Reports members of `object` that are none of `known`: an error when one is near enough to be a slip of the pen,
/// otherwise a warning, because other tools add members of their own.
void report_unknown_members(JsonValue object, std::initializer_list<std::string_view> known, Diagnostics& diagnostics);

/// "did you mean 'conv2d'?", when something is near.
void suggest(Diagnostic& diagnostic, std::string_view word, const std::vector<std::string_view>& candidates);

/// A data type by its name. Reports and gives nullopt on anything else.
std::optional<DataType> read_data_type(JsonValue value, Diagnostics& diagnostics);

}  // namespace webnn::compiler
