#include "compiler/frontend/text/text_writer.hpp"

#include <set>
#include <unordered_map>

#include "compiler/frontend/json/json_writer.hpp"
#include "compiler/frontend/text/text_lexer.hpp"
#include "schema/elements/elements.hpp"
#include "schema/error.hpp"
#include "schema/text.hpp"

namespace webnn::compiler {
namespace {

/// Names that the text format would read as something else.
bool is_writable(std::string_view name) {
  return is_text_name(name) && name != "true" && name != "false" && name != "null" && name != "dyn";
}

/// The number that a scalar can be written as. Not for 4-bit types, which some readers refuse to fill.
std::optional<Number> scalar(const Value& constant) {
  const auto& [type, shape] = constant.descriptor;
  if (shape.rank() != 0 || bits_of(type) == 4) return std::nullopt;
  const Number number = load_element(type, constant.data.data(), 0);
  const bool exact = number.is_finite() && Number(double(float(number.as_double()))) == Number(number.as_double()) &&
                     Number::compare(number, Number(number.as_double())) == 0;
  return exact ? std::optional(number) : std::nullopt;
}

/// Gives every value and every output a unique name that the text format can write.
class Names {
 public:
  Names(const Graph& graph, bool rename) : graph_(graph), rename_(rename), names_(graph.value_count()) {
    // Inputs and outputs are visible to users, so they choose first.
    for (const GraphOutput& output : graph.outputs()) wanted_.insert(output.name);
    for (const ValueId input : graph.inputs()) name_value(input, graph.value(input).name);
    for (const GraphOutput& output : graph.outputs()) name_output(output);
    for (const ValueId constant : constants_of(graph)) name_value(constant, graph.value(constant).name);
    for (const NodeId node : graph.order())
      for (const ValueId result : graph.node(node).outputs)
        if (names_[result.index].empty()) name_value(result, graph.value(result).name);
    if (!unwritable_.empty()) refuse();
  }

  const std::string& of(ValueId id) const { return names_[id.index]; }
  const std::string& of_output(std::size_t index) const { return output_names_[index]; }
  /// The outputs that need an identity operator, by index.
  const std::vector<std::size_t>& identities() const { return identities_; }
  /// From old to new. A value that became an output is none: only the name of the output counts.
  std::vector<std::pair<std::string, std::string>> renamed;

 private:
  void name_value(ValueId id, const std::string& name) { names_[id.index] = writable(name); }

  /// A result takes the name of the first output that it is.
  void name_output(const GraphOutput& output) {
    std::string& value = names_[output.value.index];
    // Callers know outputs by their names, so none changes silently. Inputs keep theirs.
    if (!rename_ && taken_.contains(output.name)) unwritable_.push_back(in_quotes(output.name) + " (an input has it)");
    output_names_.push_back(writable(output.name));
    if (graph_.value(output.value).kind == Value::Kind::result && value.empty())
      value = output_names_.back();
    else
      identities_.push_back(output_names_.size() - 1);
  }

  std::string writable(const std::string& name) {
    std::string result = name;
    if (!is_writable(name)) {
      if (!rename_) unwritable_.push_back(in_quotes(name));
      do result = "v" + std::to_string(next_++);
      while (is_anyones(result));
    } else if (taken_.contains(name)) {
      for (std::size_t i = 1; is_anyones(result); ++i) result = name + "_" + std::to_string(i);
    }
    taken_.insert(result);
    if (result != name) renamed.emplace_back(name, result);
    return result;
  }
  bool is_anyones(const std::string& name) const {
    return taken_.contains(name) || wanted_.contains(name) || graph_.find_value(name).valid();
  }

  [[noreturn]] void refuse() const {
    constexpr std::size_t shown = 10;
    std::string list;
    for (std::size_t i = 0; i < std::min(shown, unwritable_.size()); ++i) list += (i ? ", " : "") + unwritable_[i];
    if (unwritable_.size() > shown) list += " and " + std::to_string(unwritable_.size() - shown) + " more";
    throw Error(ExitCode::invalid_input, "the text form cannot write these names: " + list,
                "use --rename, or write webnn-graph-json, which takes any name");
  }

  const Graph& graph_;
  bool rename_;
  std::vector<std::string> names_;  // by value
  std::vector<std::string> output_names_;
  std::vector<std::size_t> identities_;
  std::set<std::string> wanted_;  // the outputs' names
  std::set<std::string> taken_;
  std::vector<std::string> unwritable_;
  std::size_t next_ = 0;
};

class TextGraphWriter {
 public:
  TextGraphWriter(const Graph& graph, const WeightsKeys& keys, bool rename, const FilledConstants& filled)
      : graph_(graph), keys_(keys), filled_(filled), names_(graph, rename) {}

  TextGraph write() {
    text_ = "webnn_graph " + json_string(graph_.name) + " v2" + (graph_.quantized ? " @quantized" : "") + " {\n";
    text_ += "  inputs {\n";
    for (const ValueId input : graph_.inputs()) {
      declaration(input);
      text_ += ";\n";
    }
    text_ += "  }\n";
    if (const auto constants = constants_of(graph_); !constants.empty()) {
      text_ += "  consts {\n";
      for (const ValueId constant : constants) {
        declaration(constant);
        data(constant);
        text_ += ";\n";
      }
      text_ += "  }\n";
    }
    text_ += "  nodes {\n";
    for (const NodeId id : graph_.order()) node(id);
    for (const std::size_t output : names_.identities())
      text_ += "    " + names_.of_output(output) + " = identity(" + names_.of(graph_.outputs()[output].value) + ");\n";
    text_ += "  }\n  outputs {\n";
    for (std::size_t i = 0; i < graph_.outputs().size(); ++i) text_ += "    " + names_.of_output(i) + ";\n";
    text_ += "  }\n}\n";
    return {std::move(text_), std::move(names_.renamed)};
  }

 private:
  void declaration(ValueId id) {
    const OperandDescriptor& descriptor = graph_.value(id).descriptor;
    text_ += "    " + names_.of(id) + ": " + std::string(short_name_of(descriptor.type)) + "[";
    for (unsigned axis = 0; axis < descriptor.shape.rank(); ++axis) {
      if (axis > 0) text_ += ", ";
      const std::string size = std::to_string(descriptor.shape[axis]);
      const std::string_view name = dimensions_.find(id, axis);
      text_ += name.empty() ? size : "dyn(" + json_string(name) + ", " + size + ")";
    }
    text_ += "]";
  }

  void data(ValueId id) {
    const Value& constant = graph_.value(id);
    if (is_filled(filled_, id)) {
      if (const auto number = filling_number(constant, NumberPath::float32)) {
        text_ += " @scalar(" + *number + ")";
        return;
      }
    }
    if (const std::string& key = keys_[id.index]; !key.empty()) {
      text_ += " @weights(" + json_string(key) + ")";
      return;
    }
    if (const auto number = scalar(constant)) {
      text_ += " @scalar(" + number_text(*number) + ")";
      return;
    }
    text_ += " @bytes([";
    for (const std::byte byte : constant.data.view()) (text_ += std::to_string(unsigned(byte))) += ',';
    text_.back() = ']';
    text_ += ')';
  }

  void node(NodeId id) {
    const SourceNode source = source_node(graph_, id);
    const auto& results = graph_.node(id).outputs;
    text_ += results.size() == 1 ? "    " : "    [";
    for (std::size_t i = 0; i < results.size(); ++i) text_ += (i ? ", " : "") + names_.of(results[i]);
    ((text_ += results.size() == 1 ? " = " : "] = ") += source.op) += '(';
    bool first = true;
    for (const ValueId input : source.inputs) {
      (text_ += first ? "" : ", ") += names_.of(input);
      first = false;
    }
    for (const SourceOption& option : source.options) {
      ((text_ += first ? "" : ", ") += option.key) += '=';
      first = false;
      if (option.operand.valid())
        text_ += names_.of(option.operand);
      else
        write(option.value);
    }
    if (looks_like_second_name(id, source)) text_ += ", label=" + json_string(names_.of(results[0]));
    text_ += ");\n";
  }

  /// Whether the reader would take the node for a second output of its operand.
  bool looks_like_second_name(NodeId id, const SourceNode& source) const {
    const Node& node = graph_.node(id);
    return node.op == "identity"_op && source.options.empty() && is_second_name(graph_, node.outputs[0]);
  }

  void write(const AttributeValue& attribute) { text_ += attribute_json(attribute); }

  const Graph& graph_;
  const DimensionNames dimensions_{graph_};
  const WeightsKeys& keys_;
  const FilledConstants& filled_;
  Names names_;
  std::string text_;
};

}  // namespace

TextGraph write_text_graph(const Graph& graph, const WeightsKeys& keys, bool rename, const FilledConstants& filled) {
  return TextGraphWriter(graph, keys, rename, filled).write();
}

}  // namespace webnn::compiler
