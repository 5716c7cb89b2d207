#include "cli/json/json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "schema/printable.hpp"

namespace webnn::cli {

using nlohmann::ordered_json;

/// Converts to nlohmann's values and back.
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

  static Json from(ordered_json&& json) {
    switch (json.type()) {
      case ordered_json::value_t::boolean:
        return json.get<bool>();
      case ordered_json::value_t::number_integer:
        return json.get<std::int64_t>();
      case ordered_json::value_t::number_unsigned:
        return json.get<std::uint64_t>();
      case ordered_json::value_t::number_float:
        return json.get<double>();
      case ordered_json::value_t::string:
        return std::move(json.get_ref<std::string&>());
      case ordered_json::value_t::array: {
        std::vector<Json> items;
        for (ordered_json& item : json) items.push_back(from(std::move(item)));
        return Json(std::move(items));
      }
      case ordered_json::value_t::object: {
        Json::Members members;
        for (auto& [name, value] : json.items()) members.emplace_back(name, from(std::move(value)));
        return Json(std::move(members));
      }
      default:
        return {};
    }
  }
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
  constexpr int most_levels = 100;  // the conversion is recursive
  bool is_too_deep = false;
  const auto watch = [&](int level, ordered_json::parse_event_t, ordered_json&) {
    is_too_deep |= level > most_levels;
    return !is_too_deep;
  };
  ordered_json document = ordered_json::parse(text, watch, false);
  if (document.is_discarded() || is_too_deep) return std::nullopt;
  return JsonConversion::from(std::move(document));
}

std::string Json::dump(int indentation) const {
  return schema::printable_json(
      JsonConversion::to(*this).dump(indentation, ' ', false, ordered_json::error_handler_t::replace));
}

}  // namespace webnn::cli
