#include "compiler/frontend/source_form.hpp"

#include <algorithm>
#include <charconv>

#include "compiler/frontend/aliases.hpp"
#include "compiler/frontend/json/json_writer.hpp"
#include "schema/elements/elements.hpp"
#include "schema/error.hpp"

namespace webnn::compiler {
namespace {

/// Operators whose optional operands all readers take by position.
constexpr std::string_view positional_operators[] = {"conv2d", "convTranspose2d", "layerNormalization"};
/// Attributes whose defaults differ between readers.
constexpr std::string_view spelt_out[] = {"resetAfter", "axis", "epsilon", "direction", "layout"};

bool contains(std::span<const std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::optional<AttributeValue> default_value(const AttributeRow& row) {
  switch (row.default_kind) {
    case AttributeRow::Default::boolean:
      return AttributeValue(row.default_integer != 0);
    case AttributeRow::Default::integer:
      return AttributeValue(row.default_integer);
    case AttributeRow::Default::real:
      return AttributeValue(row.default_real);
    case AttributeRow::Default::word:
      return AttributeValue(std::string(row.words[0]));
    default:
      return std::nullopt;
  }
}

}  // namespace

SourceNode source_node(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  const Operator& op = row(node.op);
  if (op.internal() || !node.post_ops.empty())
    throw Error(ExitCode::internal, "a graph with fused or internal operators cannot be written as a graph file");
  SourceNode source;
  source.id = graph.value(node.outputs[0]).name;
  source.op = op.name;

  std::vector<std::size_t> by_name;
  if (op.variadic()) {
    source.inputs = node.inputs;
  } else {
    bool positional = contains(positional_operators, op.name);
    for (std::size_t i = 0; i < op.operands.size(); ++i) {
      const bool optional = op.operands[i].arity == Arity::optional;
      if (!node.inputs[i].valid()) {
        positional = false;  // operands behind a gap have no position
        continue;
      }
      if (!optional || positional)
        source.inputs.push_back(node.inputs[i]);
      else
        by_name.push_back(i);
    }
  }
  for (std::size_t i = 0; i < op.attributes.size(); ++i) {
    const AttributeRow& attribute = op.attributes[i];
    std::optional<AttributeValue> value = node.attributes[i];
    if (!value && contains(spelt_out, attribute.name)) value = default_value(attribute);
    if (value) source.options.push_back({option_key(op, attribute), std::move(*value), {}});
  }
  for (const std::size_t i : by_name) source.options.push_back({op.operands[i].name, {}, node.inputs[i]});
  if (!node.label.empty() && node.label != source.id)
    source.options.push_back({"label", AttributeValue(node.label), {}});
  return source;
}

DimensionNames::DimensionNames(const Graph& graph) {
  for (const NamedDimension& dimension : graph.named_dimensions())
    names_.emplace(std::pair(dimension.input.index, dimension.axis), dimension.name);
}

std::string_view DimensionNames::find(ValueId input, unsigned axis) const {
  const auto found = names_.find({input.index, axis});
  return found == names_.end() ? std::string_view() : found->second;
}

bool is_second_name(const Graph& graph, ValueId result) {
  const Value& value = graph.value(result);
  if (value.kind != Value::Kind::result || !graph.is_output(result) || graph.use_count(result) != 1) return false;
  const Node& node = graph.node(value.producer);
  return node.op == "identity"_op && graph.value(node.inputs[0]).kind == Value::Kind::result &&
         graph.is_output(node.inputs[0]);
}

std::vector<ValueId> constants_of(const Graph& graph) {
  std::vector<ValueId> result;
  for (std::uint32_t i = 0; i < graph.value_count(); ++i)
    if (graph.is_constant({i})) result.push_back({i});
  return result;
}

WeightsKeys weights_keys(const Graph& graph, WeightsStyle form) {
  WeightsKeys keys(graph.value_count());
  if (form == WeightsStyle::by_reference)
    for (const ValueId id : constants_of(graph)) keys[id.index] = graph.value(id).name;
  return keys;
}

std::vector<ValueId> stored_constants(const Graph& graph, const FilledConstants& filled) {
  std::vector<ValueId> result = constants_of(graph);
  std::erase_if(result, [&](ValueId id) { return is_filled(filled, id); });
  return result;
}

std::optional<std::string> filling_number(const Value& constant, NumberPath path) {
  const DataType type = constant.descriptor.type;
  const std::byte* data = constant.data.data();
  const auto same = [&](const Number& a, const Number& b) {
    std::byte first[8] = {}, second[8] = {};
    store(a, type, first);
    store(b, type, second);
    return std::ranges::equal(first, second);
  };
  const Number number = load_element(type, data, 0);
  const std::size_t count = element_count(constant.descriptor.shape), bytes = bits_of(type) / 8;
  if (bytes != 0) {  // distinguishes the bits of a NaN too
    std::byte stored[8] = {};
    store(number, type, stored);
    for (std::size_t i = 0; i < count; ++i)
      if (!std::equal(stored, stored + bytes, data + i * bytes)) return std::nullopt;
  }
  for (std::size_t i = 1; bytes == 0 && i < count; ++i)
    if (!same(load_element(type, data, i), number)) return std::nullopt;
  if (is_float(type) && number.is_finite()) {  // 0.1 rather than 0.10000000149011612
    char text[32];
    char* const end = std::to_chars(text, text + sizeof text, float(number.as_double())).ptr;
    double read = 0;
    std::from_chars(text, end, read);
    if (same(Number(read), number)) {
      std::string result(text, end);
      return result.find_first_of(".eE") == result.npos ? result + ".0" : result;
    }
  }
  const double real = number.as_double();
  const double taken = path == NumberPath::float32 ? double(float(real)) : real;
  const bool exact = !number.is_finite() || Number::compare(number, Number(taken)) == 0;
  return exact ? number_text(number) : '"' + number.text() + '"';
}

std::string number_text(const Number& number) {
  std::string text = number.text();
  if (!number.is_finite()) return '"' + text + '"';
  if (number.kind() == Number::Kind::real && text.find_first_of(".eE") == text.npos) text += ".0";
  return text;
}

namespace {

std::string json_of(bool value) { return value ? "true" : "false"; }
std::string json_of(std::int64_t value) { return std::to_string(value); }
std::string json_of(double value) { return number_text(Number(value)); }
std::string json_of(const Number& value) { return number_text(value); }
std::string json_of(DataType type) { return json_string(name_of(type)); }
std::string json_of(const std::string& text) { return json_string(text); }
template <typename T>
std::string json_of(const std::vector<T>& list) {
  std::string text = "[";
  for (std::size_t i = 0; i < list.size(); ++i) text += (i > 0 ? ", " : "") + json_of(list[i]);
  return text + ']';
}

}  // namespace

std::string attribute_json(const AttributeValue& attribute) {
  return std::visit([](const auto& value) { return json_of(value); }, attribute);
}

}  // namespace webnn::compiler
