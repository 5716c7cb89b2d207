#include "compiler/frontend/json/json_reader.hpp"

#include "compiler/frontend/json/json_access.hpp"
#include "compiler/frontend/json/json_graph_reader.hpp"
#include "compiler/ir/free_name.hpp"
#include "schema/error.hpp"
#include "schema/text.hpp"

namespace webnn::compiler {

using Kind = JsonValue::Kind;

std::optional<Graph> read_json_graph(std::string_view text, const LoadOptions& options, Diagnostics& diagnostics) {
  const std::size_t errors_before = diagnostics.error_count();  // from other files
  const auto document = JsonDocument::parse(text, options.file_name, {.max_depth = options.max_depth}, diagnostics);
  if (!document) return std::nullopt;
  auto graph = JsonGraphReader(*document, options, diagnostics).read();
  return diagnostics.error_count() == errors_before ? std::move(graph) : std::nullopt;
}

std::optional<Graph> JsonGraphReader::read() {
  if (!read_header()) return std::nullopt;
  read_inputs();
  read_constants();
  // Without nodes, every output would be reported as unknown.
  if (read_nodes()) read_outputs();
  if (diagnostics_.error_count() == errors_before_) {
    warn_of_unused_inputs();
    if (!options_.weights_file.empty() && !looked_for_weights_)
      throw Error(ExitCode::usage, "a weights file is given, but no constant of " + in_quotes(options_.file_name) +
                                       " has its data in one");
  }
  return std::move(graph_);
}

bool JsonGraphReader::read_header() {
  if (!root_.is(Kind::object)) {
    error(Code::bad_format, root_, "a graph file must be an object, found " + std::string(root_.kind_name()));
    return false;
  }
  if (!root_.find("format") && !root_.find("nodes")) {  // another kind of file: its missing members do not matter
    error(Code::bad_format, root_, "this is no graph file: it has neither 'format' nor 'nodes'")
        .hints.push_back("a graph file begins with {\"format\": \"webnn-graph-json\", \"version\": 2, ...");
    return false;
  }
  const JsonValue format = required_member(root_, "format", diagnostics_);
  if (format && (!format.is(Kind::text) || format.text() != "webnn-graph-json")) {
    const bool manifest = format.is(Kind::text) && format.text() == "wg-weights-manifest";
    Diagnostic& diagnostic = error(
        Code::bad_format, format,
        manifest ? "this is the manifest of a weights file, not a graph" : "the format must be 'webnn-graph-json'");
    if (manifest) diagnostic.hints.push_back("name the graph file that lies beside it");
    return false;
  }
  if (const JsonValue version = required_member(root_, "version", diagnostics_)) {
    const auto number = integer_of(version);
    if (!number)
      report_wrong_type(diagnostics_, version, "the version", "an integer");
    else if (*number != 1 && *number != 2)
      error(Code::bad_version, version,
            "version " + std::to_string(*number) + " of the format is unknown; 1 and 2 are read");
  }
  if (const JsonValue name = optional_member(root_, "name")) {
    if (name.is(Kind::text))
      graph_.name = name.text();
    else
      report_wrong_type(diagnostics_, name, "the graph's name", "a string");
  }
  if (const JsonValue quantized = optional_member(root_, "quantized")) {
    if (quantized.is(Kind::boolean))
      graph_.quantized = quantized.boolean();
    else
      report_wrong_type(diagnostics_, quantized, "'quantized'", "a boolean");
  }
  report_unknown_members(root_, {"format", "version", "name", "quantized", "inputs", "consts", "nodes", "outputs"},
                         diagnostics_);
  return true;
}

JsonValue JsonGraphReader::object_member(std::string_view key, bool required) {
  const JsonValue value = required ? required_member(root_, key, diagnostics_) : optional_member(root_, key);
  if (!value || value.is(Kind::object)) return value;
  report_wrong_type(diagnostics_, value, in_quotes(key), "an object");
  return {};
}

void JsonGraphReader::read_inputs() {
  const JsonValue inputs = object_member("inputs", true);
  if (!inputs) return;
  for (const JsonValue input : inputs) {
    std::vector<Dimension> named;
    const auto descriptor = read_descriptor(input, &named);
    ValueId id;
    if (is_name_free(input.key()) && descriptor) {
      id = graph_.add_input(std::string(input.key()), *descriptor);
      for (Dimension& dimension : named) graph_.add_named_dimension({id, dimension.axis, std::move(dimension.name)});
    }
    define(input.key(), input, id);
    if (input.is(Kind::object)) report_unknown_members(input, {"dataType", "shape"}, diagnostics_);
  }
}

bool JsonGraphReader::is_name_free(std::string_view name) const {
  return !name.empty() && names_.find(name) == names_.end() && definitions_.find(name) == definitions_.end();
}

bool JsonGraphReader::define(std::string_view name, JsonValue place, ValueId id) {
  if (name.empty()) {
    diagnostics_.error(Code::empty_name, place.key_location(), "a name must not be empty");
    return false;
  }
  const auto [entry, is_new] = names_.emplace(name, NamedValue{id, place});
  if (is_new) return true;
  // The same key twice in one object has been reported already.
  const JsonValue first = entry->second.place;
  const Location here = place.key_location(), there = first.key_location();
  if (here.path != there.path)
    diagnostics_.error(Code::duplicate_name, here, "the name " + in_quotes(name) + " is taken")
        .hints.push_back("it is defined first at " + there.path + ", line " + std::to_string(there.line));
  return false;
}

bool JsonGraphReader::may_compare(std::size_t names) {
  if (names > comparisons_left_) return false;
  comparisons_left_ -= names;
  return true;
}

std::string JsonGraphReader::fresh_name(std::string_view wanted) const {
  constexpr std::size_t first = 1;
  const auto is_taken = [&](std::string_view name) { return !is_name_free(name) || graph_.find_value(name).valid(); };
  return free_name(wanted, is_taken, graph_.value_count(), first);
}

void JsonGraphReader::read_outputs() {
  const JsonValue outputs = object_member("outputs", true);
  if (!outputs) return;
  if (outputs.size() == 0) error(Code::no_outputs, outputs, "the graph has no outputs");
  for (const JsonValue output : outputs) {
    if (output.key().empty()) {
      diagnostics_.error(Code::empty_name, output.key_location(), "an output's name must not be empty");
      continue;
    }
    if (!output.is(Kind::text)) {
      report_wrong_type(diagnostics_, output, "an output", "the name of a value (a string)");
      continue;
    }
    ValueId id = resolve(output.text(), output, std::uint32_t(nodes_.size()));
    if (!id.valid()) continue;
    if (const Value& value = graph_.value(id); value.kind != Value::Kind::result) {
      const bool input = value.kind == Value::Kind::input;
      diagnostics_.warning(Code::output_is_input, output.location(),
                           "the output " + in_quotes(output.key()) + " is the " + (input ? "input " : "constant ") +
                               in_quotes(output.text()) + " itself and is read as identity of it");
      const std::string name = fresh_name(output.key());
      const NodeId identity = graph_.add_node("identity"_op, {id}, {}, std::span(&name, 1), name);
      id = graph_.node(identity).outputs[0];
    }
    graph_.add_output(std::string(output.key()), id);
  }
}

void JsonGraphReader::warn_of_unused_inputs() {
  for (const ValueId input : graph_.inputs()) {
    if (graph_.use_count(input) != 0) continue;
    const auto& name = graph_.value(input).name;
    diagnostics_.warning(Code::unused_input, names_.find(name)->second.place.key_location(),
                         "no node uses the input " + in_quotes(name));
  }
}

void JsonGraphReader::warn_once(Code code, Location place, const std::string& subject, std::string message,
                                std::string hint) {
  if (!warned_.insert(subject).second) return;
  Diagnostic& diagnostic = diagnostics_.warning(code, std::move(place), std::move(message));
  if (!hint.empty()) diagnostic.hints.push_back(std::move(hint));
}

}  // namespace webnn::compiler
