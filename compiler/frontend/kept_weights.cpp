#include "compiler/frontend/kept_weights.hpp"

#include "compiler/frontend/json/json_document.hpp"

namespace webnn::compiler {
namespace {

/// The reader has checked the types of members; a wrong one gives an empty handle here.
std::string_view key_of(JsonValue init) {
  const JsonValue kind = init.find("kind"), ref = init.find("ref");
  const bool by_key = kind.is(JsonValue::Kind::text) && kind.text() == "weights" && ref.is(JsonValue::Kind::text);
  return by_key ? ref.text() : std::string_view();
}

/// Calls `tell` with each constant that the file names and how it is given: `init`, and for nodes `constant` also the
/// options.
template <typename Tell>
void for_each_constant(std::string_view content, const LoadOptions& options, const Graph& graph, Tell tell) {
  const Format* format = chosen_format(content, options);
  if (!format || !format->tree) return;
  Diagnostics ignored;  // reported when the graph was read
  const auto document = format->tree(content, options, ignored);
  if (!document) return;
  const auto found = [&](std::string_view name, JsonValue init, JsonValue node_options) {
    const ValueId id = graph.find_value(name);
    if (graph.is_constant(id)) tell(id, init, node_options);
  };
  for (const JsonValue constant : document->root().find("consts")) found(constant.key(), constant.find("init"), {});
  for (const JsonValue node : document->root().find("nodes")) {
    const JsonValue op = node.find("op"), outputs = node.find("outputs");
    if (!op.is(JsonValue::Kind::text) || op.text() != "constant") continue;
    const JsonValue name = outputs.size() == 1 ? outputs.element(0) : node.find("id");
    const JsonValue node_options = node.find("options");
    if (name.is(JsonValue::Kind::text)) found(name.text(), node_options.find("init"), node_options);
  }
}

}  // namespace

WeightsKeys kept_weights(std::string_view content, const LoadOptions& options, const Graph& graph) {
  WeightsKeys keys(graph.value_count());
  for_each_constant(content, options, graph,
                    [&](ValueId id, JsonValue init, JsonValue) { keys[id.index] = key_of(init); });
  return keys;
}

FilledConstants filled_constants(std::string_view content, const LoadOptions& options, const Graph& graph) {
  FilledConstants filled(graph.value_count());
  for_each_constant(content, options, graph, [&](ValueId id, JsonValue init, JsonValue node_options) {
    const JsonValue kind = init.find("kind");
    filled[id.index] = (kind.is(JsonValue::Kind::text) && kind.text() == "scalar") ||
                       node_options.find("data").is(JsonValue::Kind::number);
  });
  return filled;
}

}  // namespace webnn::compiler
