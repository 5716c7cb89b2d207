// JSON for writing reports and reading them back. nlohmann/json does the work, but only behind this header, so that
// including it is cheap.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace webnn::cli {

/// A JSON value. Members of objects keep the order in which they were added.
class Json {
 public:
  using Members = std::list<std::pair<std::string, Json>>;  // members stay in place when others are added

  Json() = default;  // null
  Json(std::nullptr_t) {}
  Json(bool value) : value_(value) {}
  template <std::signed_integral T>
  Json(T value) : value_(std::int64_t(value)) {}
  template <std::unsigned_integral T>
  Json(T value) : value_(std::uint64_t(value)) {}
  template <std::floating_point T>
  Json(T value) : value_(double(value)) {}
  Json(std::string value) : value_(std::move(value)) {}
  Json(std::string_view value) : value_(std::string(value)) {}
  Json(const char* value) : value_(std::string(value)) {}
  template <typename T>
  Json(const std::vector<T>& list) : value_(std::vector<Json>(list.begin(), list.end())) {}
  template <typename Name, typename T>
  Json(const std::map<Name, T>& members) : value_(Members()) {
    for (const auto& [name, value] : members) (*this)[name] = Json(value);
  }
  /// {{"name", 1}, {"type", "x"}} is an object, because each item is a list of two that begins with a string. Otherwise
  /// it is a list.
  Json(std::initializer_list<Json> items);

  static Json array(std::initializer_list<Json> items = {}) { return Json(std::vector<Json>(items)); }
  static Json object() { return Json(Members()); }

  /// The member, which is added if necessary. For an object, or null, which becomes one.
  Json& operator[](std::string_view name);
  /// For a list, or null, which becomes one.
  void push_back(Json item);
  /// Adds the members of another object.
  void update(Json other);

  /// The size of a list or object; otherwise 0.
  std::size_t size() const;
  bool empty() const { return size() == 0; }

  // ---- reading; values of other kinds give nothing

  /// The member of an object; null if there is none.
  const Json* find(std::string_view name) const;
  /// The members of an object.
  const Members* members() const { return std::get_if<Members>(&value_); }
  /// The items of a list.
  const std::vector<Json>* items() const { return std::get_if<std::vector<Json>>(&value_); }
  const std::string* text() const { return std::get_if<std::string>(&value_); }
  std::optional<double> number() const;

  /// Nullopt when the text is not JSON, or is nested more than 100 levels deep.
  static std::optional<Json> parse(std::string_view text);

  /// As text, indented by `indentation` for each level; bytes that are not UTF-8 are replaced. There is no line break
  /// at the end.
  std::string dump(int indentation = 2) const;

 private:
  explicit Json(Members members) : value_(std::move(members)) {}
  explicit Json(std::vector<Json>&& items) : value_(std::move(items)) {}
  friend struct JsonConversion;
  friend class JsonReader;

  std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, std::vector<Json>, Members>
      value_;
};

}  // namespace webnn::cli
