#include "cli/json/json.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "schema/printable.hpp"

namespace webnn::cli {

using nlohmann::ordered_json;

/// Converts to nlohmann's values.
struct JsonConversion {
  ordered_json operator()(std::monostate) const { return nullptr; }
  template <typename T>
  ordered_json operator()(const T& value) const {
    return value;
  }
  ordered_json operator()(const std::vector<Json>& items) const {
    ordered_json list = ordered_json::array();
    for (const Json& item : items) list.push_back(to(item));
    return list;
  }
  ordered_json operator()(const Json::Members& members) const {
    ordered_json object = ordered_json::object();
    for (const auto& [name, value] : members) object[name] = to(value);
    return object;
  }

  static ordered_json to(const Json& json) { return std::visit(JsonConversion(), json.value_); }
};

/// Makes the value of a text, piece by piece as it is read: nlohmann's own objects look through all their members for
/// each that is added.
class JsonReader {
 public:
  Json take() { return std::move(document_); }

  bool null() { return add({}); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(std::int64_t value) { return add(value); }
  bool number_unsigned(std::uint64_t value) { return add(value); }
  bool number_float(double value, const std::string&) { return add(value); }
  bool string(std::string& text) { return add(std::move(text)); }
  bool binary(ordered_json::binary_t&) { return false; }
  bool start_object(std::size_t) { return open(Json::object()); }
  bool start_array(std::size_t) { return open(Json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool parse_error(std::size_t, const std::string&, const ordered_json::exception&) { return false; }

  /// Of members with the same name the last counts, at the place of the first.
  bool key(std::string& name) {
    Open& object = open_.back();
    auto& members = std::get<Json::Members>(object.json->value_);
    auto& added = members.emplace_back(std::move(name), Json());
    const auto [known, is_new] = object.members.emplace(added.first, &added.second);
    if (!is_new) members.pop_back();
    next_ = known->second;
    return true;
  }

 private:
  static constexpr std::size_t most_levels = 100;  // what walks through a value is recursive

  struct Open {
    Json* json;
    std::map<std::string_view, Json*> members{};  // of an object; no hash, which names could be made to share
  };

  /// The value's place in what is open; null when it is too deep.
  Json* place(Json value) {
    if (open_.size() > most_levels) return nullptr;
    if (open_.empty()) return &(document_ = std::move(value));
    if (auto* items = std::get_if<std::vector<Json>>(&open_.back().json->value_))
      return &items->emplace_back(std::move(value));
    return &(*next_ = std::move(value));
  }
  bool add(Json value) { return place(std::move(value)) != nullptr; }
  bool open(Json value) {
    Json* json = place(std::move(value));
    if (json) open_.push_back({json});
    return json != nullptr;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  Json document_;
  std::vector<Open> open_;  // each within the one before, so that its place stays
  Json* next_ = nullptr;    // the member whose name was read
};

Json::Json(std::initializer_list<Json> items) {
  const auto is_member = [](const Json& item) {
    const std::vector<Json>* pair = item.items();
    return pair && pair->size() == 2 && pair->front().text();
  };
  if (!std::ranges::all_of(items, is_member)) {
    value_ = std::vector<Json>(items);
    return;
  }
  Members members;
  for (const Json& item : items) members.emplace_back(*item.items()->front().text(), item.items()->back());
  value_ = std::move(members);
}

Json& Json::operator[](std::string_view name) {
  if (std::holds_alternative<std::monostate>(value_)) value_ = Members();
  auto& members = std::get<Members>(value_);
  const auto found = std::ranges::find(members, name, &std::pair<std::string, Json>::first);
  if (found != members.end()) return found->second;
  return members.emplace_back(std::string(name), Json()).second;
}

void Json::push_back(Json item) {
  if (std::holds_alternative<std::monostate>(value_)) value_ = std::vector<Json>();
  std::get<std::vector<Json>>(value_).push_back(std::move(item));
}

void Json::update(Json other) {
  for (auto& [name, value] : std::get<Members>(other.value_)) (*this)[name] = std::move(value);
}

std::size_t Json::size() const {
  if (const auto* list = items()) return list->size();
  return members() ? members()->size() : 0;
}

const Json* Json::find(std::string_view name) const {
  if (!members()) return nullptr;
  const auto found = std::ranges::find(*members(), name, &std::pair<std::string, Json>::first);
  return found == members()->end() ? nullptr : &found->second;
}

std::optional<double> Json::number() const {
  if (const auto* value = std::get_if<std::int64_t>(&value_)) return double(*value);
  if (const auto* value = std::get_if<std::uint64_t>(&value_)) return double(*value);
  if (const auto* value = std::get_if<double>(&value_)) return *value;
  return std::nullopt;
}

std::optional<Json> Json::parse(std::string_view text) {
  JsonReader reader;
  if (!ordered_json::sax_parse(text, &reader)) return std::nullopt;
  return reader.take();
}

std::string Json::dump(int indentation) const {
  return schema::printable_json(
      JsonConversion::to(*this).dump(indentation, ' ', false, ordered_json::error_handler_t::replace));
}

}  // namespace webnn::cli
