// One WebNN operator call being converted to ONNX: what the functions of the operator table read and write.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "compiler/ir/graph.hpp"
#include "compiler/onnx/onnx_model.hpp"
#include "schema/name_hash.hpp"

namespace webnn::compiler {

/// A tensor of the ONNX graph under construction.
struct OnnxOperand {
  std::string name;  // empty: absent
  DataType type = DataType::float32;
  Shape shape;
  const Bytes* data = nullptr;  // for a constant
};

/// Names that are given once.
class UniqueNames {
 public:
  bool contains(const std::string& name) const { return taken_.contains(name); }
  /// Claims `stem`, or `stem` with the next free number.
  std::string take(std::string_view stem);

 private:
  ByName<std::size_t> taken_;  // with the next number to try
};

/// The ONNX graph under construction.
class OnnxBuilder {
 public:
  explicit OnnxBuilder(std::string_view graph_name) { model_.name = graph_name; }

  /// Claims a name for a value.
  std::string take_name(std::string_view stem) { return value_names_.take(stem); }

  void add_node(OnnxNode node) { model_.nodes.push_back(std::move(node)); }
  /// A constant made by the exporter. Equal ones are made once, with the `stem` of the first.
  OnnxOperand constant(std::string_view stem, DataType type, const Shape& shape, std::vector<std::byte> data);
  /// A constant of the graph, possibly with another shape of the same number of elements.
  OnnxOperand constant(std::string_view stem, DataType type, const Shape& shape, Bytes data);
  /// Requires at least this version of the operators.
  void need_opset(std::int64_t opset) { model_.opset = std::max(model_.opset, opset); }

  OnnxModel& model() { return model_; }
  /// ONNX's logical values are booleans, WebNN's are uint8: maps values to their boolean counterpart, if they have one.
  ByName<std::string> booleans;

 private:
  OnnxModel model_;
  UniqueNames value_names_;
  std::map<std::tuple<DataType, std::vector<std::uint32_t>, std::string>, OnnxOperand> made_;
  std::vector<std::unique_ptr<Bytes>> data_;  // owns what OnnxOperand::data points to
};

inline OnnxIntegers integers_of(std::span<const std::uint32_t> values) { return {values.begin(), values.end()}; }

/// The shape after a transposition by `permutation`.
Shape permuted(const Shape& shape, std::span<const unsigned> permutation);

using OnnxInputs = std::vector<std::string>;
using OnnxAttributes = std::vector<OnnxAttribute>;

class OnnxCall {
 public:
  OnnxCall(OnnxBuilder& builder, const OperatorCall& call, const Node& node, std::vector<OnnxOperand> inputs,
           std::vector<OnnxOperand> outputs)
      : call(call), builder_(builder), node_(node), inputs_(std::move(inputs)), outputs_(std::move(outputs)) {}

  const OperatorCall& call;

  // ---- operands and results by index in the operator's row; an absent one has no name
  bool has(std::size_t index) const { return index < inputs_.size() && !inputs_[index].name.empty(); }
  const OnnxOperand& operand(std::size_t index) const { return inputs_[index]; }
  const std::string& input(std::size_t index) const;
  OnnxInputs all_inputs() const;
  const OnnxOperand& result(std::size_t index = 0) const { return outputs_[index]; }
  std::size_t result_count() const { return outputs_.size(); }

  // ---- nodes
  /// Adds a node with one result of its own.
  OnnxOperand add(std::string_view op_type, OnnxInputs inputs, DataType type, const Shape& shape,
                  OnnxAttributes attributes = {});
  /// Adds the node that gives the call's results.
  void finish(std::string_view op_type, OnnxInputs inputs, OnnxAttributes attributes = {});
  /// Adds a node that gives some of the results; the names of unneeded ones are empty.
  void finish_as(std::string_view op_type, OnnxInputs inputs, std::vector<std::string> outputs,
                 OnnxAttributes attributes = {});
  std::string name_for(std::string_view part);

  // ---- constants
  OnnxOperand integers(std::string_view part, const OnnxIntegers& values);  // int64, one axis
  OnnxOperand integer(std::string_view part, std::int64_t value);           // int64 scalar
  OnnxOperand filled(std::string_view part, DataType type, const Shape& shape, Number value);
  OnnxOperand constant(std::string_view name, DataType type, const Shape& shape, std::vector<std::byte> data) {
    return builder_.constant(name, type, shape, std::move(data));
  }

  // ---- conversions of a tensor: done at once for a constant, otherwise by a node
  OnnxOperand reshaped(const OnnxOperand& operand, const Shape& shape);
  OnnxOperand transposed(const OnnxOperand& operand, std::span<const unsigned> permutation);
  OnnxOperand expanded(const OnnxOperand& operand, const Shape& shape);
  OnnxOperand converted(const OnnxOperand& operand, DataType type);
  /// The operand as ONNX's boolean: true where it is not 0.
  std::string as_boolean(const OnnxOperand& operand);
  /// Finishes the call with uint8 results from a node that gives booleans.
  void finish_boolean(std::string_view op_type, OnnxInputs inputs, OnnxAttributes attributes = {});

  [[noreturn]] void refuse(const std::string& why, const std::string& hint = {}) const;
  void need_opset(std::int64_t opset) { builder_.need_opset(opset); }

 private:
  const std::string& node_name() const { return node_.label.empty() ? outputs_[0].name : node_.label; }

  OnnxBuilder& builder_;
  const Node& node_;
  std::vector<OnnxOperand> inputs_, outputs_;
};

/// A row of the table: the ONNX operator for a WebNN operator, and the function that writes it.
struct OnnxRow {
  std::string_view op;
  std::string_view onnx;  // the function's main operator, or for people all of them
  void (*write)(OnnxCall&, std::string_view onnx);
  DataTypes types;  // of the first operand that ONNX takes; empty: all that WebNN allows
};

// One table for each family of operators.
std::span<const OnnxRow> onnx_elementwise_rows();
std::span<const OnnxRow> onnx_movement_rows();
std::span<const OnnxRow> onnx_reduction_rows();
std::span<const OnnxRow> onnx_normalization_rows();
std::span<const OnnxRow> onnx_window_rows();
std::span<const OnnxRow> onnx_quantization_rows();
std::span<const OnnxRow> onnx_recurrent_rows();

/// All of them.
std::vector<std::span<const OnnxRow>> onnx_row_tables();

/// Same operands, no attributes.
void onnx_direct(OnnxCall& call, std::string_view onnx);

}  // namespace webnn::compiler
