#include "compiler/frontend/json/json_writer.hpp"

#include <array>
#include <charconv>

#include "schema/printable.hpp"

namespace webnn::compiler {
namespace {

class JsonGraphWriter {
 public:
  JsonGraphWriter(const Graph& graph, const WeightsKeys& keys, const FilledConstants& filled)
      : graph_(graph), keys_(keys), filled_(filled) {}

  std::string write() {
    text_ = "{\n  \"format\": \"webnn-graph-json\",\n  \"version\": 2,\n";
    if (!graph_.name.empty()) text_ += "  \"name\": " + json_string(graph_.name) + ",\n";
    if (graph_.quantized) text_ += "  \"quantized\": true,\n";
    section("inputs", '{', '}', graph_.inputs(), [this](ValueId id) { input(id); });
    text_ += ",\n";
    if (const auto constants = constants_of(graph_); !constants.empty()) {
      section("consts", '{', '}', constants, [this](ValueId id) { constant(id); });
      text_ += ",\n";
    }
    section("nodes", '[', ']', graph_.order(), [this](NodeId id) { node(id); });
    text_ += ",\n";
    section("outputs", '{', '}', graph_.outputs(), [this](const GraphOutput& output) {
      text_ += json_string(output.name) + ": " + json_string(graph_.value(output.value).name);
    });
    text_ += "\n}\n";
    return std::move(text_);
  }

 private:
  template <typename List, typename Write>
  void section(std::string_view key, char open, char close, const List& list, Write write) {
    ((text_ += "  \"") += key) += "\": ";
    text_ += open;
    bool first = true;
    for (const auto& item : list) {
      text_ += first ? "\n    " : ",\n    ";
      first = false;
      write(item);
    }
    if (!first) text_ += "\n  ";
    text_ += close;
  }

  void descriptor(const OperandDescriptor& value, ValueId id) {
    ((text_ += "{\"dataType\": \"") += name_of(value.type)) += "\", \"shape\": [";
    for (unsigned axis = 0; axis < value.shape.rank(); ++axis) {
      if (axis > 0) text_ += ", ";
      const std::string size = std::to_string(value.shape[axis]);
      const std::string_view name = dimensions_.find(id, axis);
      text_ += name.empty() ? size : "{\"name\": " + json_string(name) + ", \"maxSize\": " + size + "}";
    }
    text_ += ']';
  }

  void input(ValueId id) {
    const Value& value = graph_.value(id);
    text_ += json_string(value.name) + ": ";
    descriptor(value.descriptor, id);
    text_ += '}';
  }

  void constant(ValueId id) {
    const Value& value = graph_.value(id);
    text_ += json_string(value.name) + ": ";
    descriptor(value.descriptor, id);
    if (is_filled(filled_, id)) {
      if (const auto number = filling_number(value, NumberPath::float64)) {
        text_ += ", \"init\": {\"kind\": \"scalar\", \"value\": " + *number + "}}";
        return;
      }
    }
    if (const std::string& key = keys_[id.index]; !key.empty()) {
      text_ += ", \"init\": {\"kind\": \"weights\", \"ref\": " + json_string(key) + "}}";
      return;
    }
    text_ += ", \"init\": {\"kind\": \"inlineBytes\", \"bytes\": [";
    std::array<char, 4> digits{};
    for (const std::byte byte : value.data.view()) {
      const auto end = std::to_chars(digits.data(), digits.data() + 3, unsigned(byte)).ptr;
      *end = ',';
      text_.append(digits.data(), end + 1);
    }
    text_.back() = ']';  // a tensor has at least one byte
    text_ += "}}";
  }

  void names(std::span<const ValueId> ids) {
    text_ += '[';
    for (std::size_t i = 0; i < ids.size(); ++i) (text_ += i ? ", " : "") += json_string(graph_.value(ids[i]).name);
    text_ += ']';
  }

  void node(NodeId id) {
    const SourceNode source = source_node(graph_, id);
    text_ += "{\"id\": " + json_string(source.id) + ", \"op\": " + json_string(source.op) + ", \"inputs\": ";
    names(source.inputs);
    text_ += ", \"options\": {";
    bool first = true;
    for (const SourceOption& option : source.options) {
      (text_ += first ? "" : ", ") += json_string(option.key) + ": ";
      first = false;
      if (option.operand.valid())
        write(option.operand);
      else
        write(option.value);
    }
    text_ += "}, \"outputs\": ";
    names(graph_.node(id).outputs);
    text_ += '}';
  }

  void write(ValueId id) { text_ += json_string(graph_.value(id).name); }
  void write(const AttributeValue& attribute) { text_ += attribute_json(attribute); }

  const Graph& graph_;
  const DimensionNames dimensions_{graph_};
  const WeightsKeys& keys_;
  const FilledConstants& filled_;
  std::string text_;
};

}  // namespace

std::string json_string(std::string_view text) {
  constexpr char digits[] = "0123456789abcdef";
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      (result += '\\') += c;
    else if (c == '\n')
      result += "\\n";
    else if (c == '\t')
      result += "\\t";
    else if (std::uint8_t(c) < 0x20)
      ((result += "\\u00") += digits[std::uint8_t(c) >> 4]) += digits[std::uint8_t(c) & 15u];
    else
      result += c;
  }
  return printable_json(result += '"');
}

std::string write_json_graph(const Graph& graph, const WeightsKeys& keys, const FilledConstants& filled) {
  return JsonGraphWriter(graph, keys, filled).write();
}

}  // namespace webnn::compiler
