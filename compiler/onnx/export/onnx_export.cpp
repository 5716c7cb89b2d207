#include "compiler/onnx/export/onnx_export.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "compiler/onnx/export/onnx_call.hpp"
#include "schema/error.hpp"
#include "schema/text.hpp"

namespace webnn::compiler {
namespace {

/// By operator; null when no table has it.
using RowIndex = std::array<const OnnxRow*, operator_count>;

const RowIndex& row_index() {
  static const RowIndex index = [] {
    RowIndex rows{};
    for (const std::span<const OnnxRow> table : onnx_row_tables())
      for (const OnnxRow& row : table) rows[find_operator(row.op)->index] = &row;
    return rows;
  }();
  return index;
}

OnnxValue value_of(const std::string& name, const OperandDescriptor& descriptor) {
  return {name, onnx_type(descriptor.type), {descriptor.shape.begin(), descriptor.shape.end()}};
}

class Exporter {
 public:
  explicit Exporter(const Graph& graph) : graph_(graph), builder_(graph.name), operands_(graph.value_count()) {}

  OnnxModel run() {
    builder_.need_opset(has_4bit_values() ? onnx_opset_of_blocks : onnx_opset);
    if (!graph_.named_dimensions().empty()) {
      const NamedDimension& dimension = graph_.named_dimensions()[0];
      throw Error(ExitCode::unsupported,
                  "the dimension " + in_quotes(dimension.name) + " of the input " +
                      in_quotes(graph_.value(dimension.input).name) + " has no size",
                  "ONNX files are written for fixed sizes: give each with --dim NAME=SIZE");
    }
    name_inputs_and_outputs();
    for (const NodeId id : graph_.order()) write_node(id);
    for (const auto& [name, value] : copies_) builder_.add_node({"Identity", name, {operand(value).name}, {name}, {}});
    remove_dead();
    name_nodes();
    return std::move(builder_.model());
  }

 private:
  bool has_4bit_values() const {
    for (std::uint32_t i = 0; i < graph_.value_count(); ++i)
      if (bits_of(graph_.value({i}).descriptor.type) == 4) return true;
    return false;
  }

  static OnnxOperand computed(std::string name, const OperandDescriptor& descriptor) {
    return {std::move(name), descriptor.type, descriptor.shape, nullptr};
  }

  /// In ONNX an output is a value and has its name. An output that is not a result, or is one for the second time,
  /// becomes a copy.
  void name_inputs_and_outputs() {
    for (const ValueId id : graph_.inputs()) {
      const Value& value = graph_.value(id);
      operands_[id.index] = computed(builder_.take_name(value.name), value.descriptor);
      builder_.model().inputs.push_back(value_of(value.name, value.descriptor));
    }
    for (const GraphOutput& output : graph_.outputs()) {
      const Value& value = graph_.value(output.value);
      const std::string name = builder_.take_name(output.name);
      if (name != output.name)
        throw Error(ExitCode::unsupported,
                    "in ONNX an output cannot have the name of an input, " + in_quotes(output.name));
      builder_.model().outputs.push_back(value_of(name, value.descriptor));
      OnnxOperand& operand = operands_[output.value.index];
      if (value.kind == Value::Kind::result && operand.name.empty())
        operand = computed(name, value.descriptor);
      else
        copies_.emplace_back(name, output.value);
    }
  }

  const OnnxOperand& operand(ValueId id) {
    static const OnnxOperand absent;
    if (!id.valid()) return absent;
    OnnxOperand& known = operands_[id.index];
    if (!known.name.empty()) return known;
    const Value& value = graph_.value(id);
    if (value.kind == Value::Kind::constant)
      known = builder_.constant(value.name, value.descriptor.type, value.descriptor.shape, value.data);
    else
      known = computed(builder_.take_name(value.name), value.descriptor);
    return known;
  }

  void write_node(NodeId id) {
    const Node& node = graph_.node(id);
    const auto descriptors = graph_.operands(id);
    const OperatorCall call(node.op, descriptors, node.attributes);
    std::vector<OnnxOperand> inputs, outputs;
    for (const ValueId input : node.inputs) inputs.push_back(operand(input));
    for (const ValueId output : node.outputs) outputs.push_back(operand(output));
    OnnxCall onnx(builder_, call, node, std::move(inputs), std::move(outputs));
    const OnnxRow* row = node.op.index < operator_count ? row_index()[node.op.index] : nullptr;
    if (!row || !node.post_ops.empty()) onnx.refuse("it has no such operator");
    if (call.has_operand(0) && !row->types.empty() && !row->types.contains(call.operand(0).type))
      onnx.refuse(std::string(row->onnx) + " does not take " + std::string(name_of(call.operand(0).type)));
    row->write(onnx, row->onnx);
  }

  /// Removes unused nodes and constants: the uint8 version of a value that is only used as a boolean, constants that
  /// were transposed or reshaped.
  void remove_dead() {
    OnnxModel& model = builder_.model();
    std::set<std::string> needed;
    for (const OnnxValue& output : model.outputs) needed.insert(output.name);
    std::vector<OnnxNode> live;
    std::ranges::reverse(model.nodes);  // consumers first
    for (OnnxNode& node : model.nodes) {
      const auto is_needed = [&](const std::string& output) { return needed.contains(output); };
      if (std::ranges::none_of(node.outputs, is_needed)) continue;
      if (node.op_type == "LSTM" || node.op_type == "GRU") leave_out(node.outputs, is_needed);
      needed.insert(node.inputs.begin(), node.inputs.end());
      live.push_back(std::move(node));
    }
    std::ranges::reverse(live);
    model.nodes = std::move(live);
    std::erase_if(model.initializers, [&](const OnnxTensor& tensor) { return !needed.contains(tensor.name); });
  }

  /// The nodes of one call have its label, and calls may share one, but runtimes refuse two nodes with one name: the last
  /// keeps it.
  void name_nodes() {
    UniqueNames names;
    std::vector<OnnxNode>& nodes = builder_.model().nodes;
    for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
      if (node->name.empty()) continue;
      if (names.contains(node->name)) node->name += "." + node->op_type;
      node->name = names.take(node->name);
    }
  }

  /// Results of recurrent networks are optional: unused ones have no name.
  template <class Predicate>
  static void leave_out(std::vector<std::string>& outputs, const Predicate& is_needed) {
    for (std::string& output : outputs)
      if (!is_needed(output)) output.clear();
    while (outputs.back().empty()) outputs.pop_back();
  }

  const Graph& graph_;
  OnnxBuilder builder_;
  std::vector<OnnxOperand> operands_;                    // by value; without a name until it is needed
  std::vector<std::pair<std::string, ValueId>> copies_;  // outputs that need a node of their own
};

}  // namespace

std::vector<std::span<const OnnxRow>> onnx_row_tables() {
  return {onnx_elementwise_rows(), onnx_movement_rows(),     onnx_reduction_rows(), onnx_normalization_rows(),
          onnx_window_rows(),      onnx_quantization_rows(), onnx_recurrent_rows()};
}

OnnxModel export_onnx(const Graph& graph) { return Exporter(graph).run(); }

}  // namespace webnn::compiler
