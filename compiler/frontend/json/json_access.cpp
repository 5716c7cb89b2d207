#include "compiler/frontend/json/json_access.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "schema/text.hpp"

namespace webnn::compiler {
namespace {

template <typename T>
std::optional<T> parse_whole(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<Number> number_of(JsonValue value) {
  if (value.is(JsonValue::Kind::number)) return value.number();
  if (!value.is(JsonValue::Kind::text)) return std::nullopt;
  const std::string_view text = value.text();
  if (text == "NaN") return Number(std::numeric_limits<double>::quiet_NaN());
  if (text == "Infinity" || text == "+Infinity") return Number(std::numeric_limits<double>::infinity());
  if (text == "-Infinity") return Number(-std::numeric_limits<double>::infinity());
  if (text.find_first_not_of("0123456789+-.eE") != text.npos) return std::nullopt;
  if (text != "-0") {  // an integer cannot hold the sign of -0
    if (const auto integer = parse_whole<std::int64_t>(text)) return Number(*integer);
    if (const auto integer = parse_whole<std::uint64_t>(text)) return Number(*integer);
  }
  if (const auto real = parse_whole<double>(text)) return Number(*real);
  return std::nullopt;
}

std::optional<std::int64_t> integer_of(JsonValue value) {
  if (!value.is(JsonValue::Kind::number)) return std::nullopt;
  const Number number = value.number();
  if (number.kind() == Number::Kind::signed_integer) return number.as_int64();
  if (number.kind() == Number::Kind::unsigned_integer) return std::nullopt;
  const double real = number.as_double();
  if (!(std::fabs(real) <= 9007199254740992.0) || real != std::trunc(real)) return std::nullopt;
  return std::int64_t(real);
}

std::optional<std::uint64_t> unsigned_of(JsonValue value) {
  if (const auto integer = integer_of(value))
    return *integer >= 0 ? std::optional(std::uint64_t(*integer)) : std::nullopt;
  if (value.is(JsonValue::Kind::number) && value.number().kind() == Number::Kind::unsigned_integer)
    return value.number().as_uint64();
  return std::nullopt;
}

JsonValue optional_member(JsonValue object, std::string_view key) {
  const JsonValue value = object.find(key);
  return value && value.is(JsonValue::Kind::null) ? JsonValue() : value;
}

void report_wrong_type(Diagnostics& diagnostics, JsonValue value, std::string_view what, std::string_view expected) {
  const bool scalar = value.is(JsonValue::Kind::number) && expected.find("integer") != expected.npos;
  diagnostics.error(Code::wrong_json_type, value.location(),
                    std::string(what) + " must be " + std::string(expected) + ", found " +
                        (scalar ? value.number().text() : std::string(value.kind_name())));
}

JsonValue required_member(JsonValue object, std::string_view key, Diagnostics& diagnostics) {
  const JsonValue value = object.find(key);
  if (!value)
    diagnostics.error(Code::missing_member, object.location(), "the member " + in_quotes(key) + " is missing");
  return value;
}

void report_unknown_members(JsonValue object, std::initializer_list<std::string_view> known, Diagnostics& diagnostics,
                            const std::function<bool(JsonValue)>& is_reported) {
  for (const JsonValue member : object) {
    const std::string_view key = member.key();
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    if (is_reported && is_reported(member)) continue;
    const std::string_view near = nearest(key, known);
    const Severity severity = near.empty() ? Severity::warning : Severity::error;
    Diagnostic& diagnostic = diagnostics.add(severity, Code::unknown_member, member.key_location(),
                                             "unknown member " + in_quotes(key) + (near.empty() ? " is ignored" : ""));
    if (!near.empty()) diagnostic.hints.push_back("did you mean " + in_quotes(near) + "?");
  }
}

void suggest(Diagnostic& diagnostic, std::string_view word, const std::vector<std::string_view>& candidates) {
  if (const std::string_view near = nearest(word, candidates); !near.empty())
    diagnostic.hints.push_back("did you mean " + in_quotes(near) + "?");
}

std::optional<DataType> read_data_type(JsonValue value, Diagnostics& diagnostics) {
  if (!value.is(JsonValue::Kind::text)) {
    report_wrong_type(diagnostics, value, "a data type", "a string");
    return std::nullopt;
  }
  const std::optional<DataType> type = parse_data_type(value.text());
  if (!type) {
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < data_type_count; ++i) names.push_back(name_of(DataType(i)));
    suggest(
        diagnostics.error(Code::unknown_data_type, value.location(), "unknown data type " + in_quotes(value.text())),
        value.text(), names);
  }
  return type;
}

}  // namespace webnn::compiler
