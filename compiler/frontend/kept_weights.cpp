#include "compiler/frontend/kept_weights.hpp"

#include "compiler/frontend/json_document.hpp"
#include "compiler/frontend/text_reader.hpp"

namespace webnn::compiler {
namespace {

/// The reader has seen to it that members are of the right types; a wrong one gives an empty handle here.
std::string_view key_of(JsonValue init) {
  const JsonValue kind = init.find("kind"), ref = init.find("ref");
  const bool by_key = kind.is(JsonValue::Kind::text) && kind.text() == "weights" && ref.is(JsonValue::Kind::text);
  return by_key ? ref.text() : std::string_view();
}

}  // namespace

WeightsKeys kept_weights(std::string_view content, const LoadOptions& options, const Graph& graph) {
  WeightsKeys keys(graph.value_count());
  Diagnostics ignored;  // reported when the graph was read
  const auto document =
      detect(content) == FileKind::graph_text
          ? parse_text_graph(content, options, ignored)
          : JsonDocument::parse(content, options.file_name, {.max_depth = options.max_depth}, ignored);
  if (!document) return keys;
  const auto keep = [&](std::string_view name, JsonValue init) {
    const ValueId id = graph.find_value(name);
    if (graph.is_constant(id)) keys[id.index] = key_of(init);
  };
  for (const JsonValue constant : document->root().find("consts")) keep(constant.key(), constant.find("init"));
  for (const JsonValue node : document->root().find("nodes")) {
    const JsonValue op = node.find("op"), outputs = node.find("outputs");
    if (!op.is(JsonValue::Kind::text) || op.text() != "constant") continue;
    const JsonValue name = outputs.size() == 1 ? outputs.element(0) : node.find("id");
    if (name.is(JsonValue::Kind::text)) keep(name.text(), node.find("options").find("init"));
  }
  return keys;
}

}  // namespace webnn::compiler
