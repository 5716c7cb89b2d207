#include "compiler/frontend/value_places.hpp"

#include "compiler/frontend/json/json_document.hpp"

namespace webnn::compiler {

ValuePlaces::ValuePlaces(std::string_view content, const LoadOptions& options) {
  file_.file = options.file_name;
  const Format* format = chosen_format(content, options);
  if (!format || !format->tree) return;
  Diagnostics ignored;  // reported when the graph was read
  const auto document = format->tree(content, options, ignored);
  if (!document) return;
  for (const std::string_view section : {"inputs", "consts"})
    for (const JsonValue value : document->root().find(section)) places_.emplace(value.key(), value.key_location());
  for (const JsonValue node : document->root().find("nodes")) {
    const JsonValue id = node.find("id"), outputs = node.find("outputs");
    if (outputs.size() == 0 && id.is(JsonValue::Kind::text)) places_.emplace(id.text(), node.location());
    for (const JsonValue output : outputs)
      if (output.is(JsonValue::Kind::text)) places_.emplace(output.text(), node.location());
  }
}

const Location& ValuePlaces::place_of(std::string_view value_name) const {
  const auto found = places_.find(value_name);
  return found == places_.end() ? file_ : found->second;
}

}  // namespace webnn::compiler
