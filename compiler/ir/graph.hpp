// The graph that every pass works on: values and nodes in vectors, addressed by 32-bit ids.
//
// A value has one producer, or is an input or a constant. Ids stay valid while other things are added or erased. What
// passes find out about values and nodes (kernel, layout, slot) lives in side tables of the Plan, never here.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schema/bytes.hpp"
#include "schema/kernel_table.hpp"
#include "schema/operator_call.hpp"

namespace webnn::compiler {

using namespace webnn::schema;

struct ValueId {
  std::uint32_t index = 0xffffffffu;
  constexpr bool valid() const { return index != 0xffffffffu; }
  constexpr auto operator<=>(const ValueId&) const = default;
};

struct NodeId {
  std::uint32_t index = 0xffffffffu;
  constexpr bool valid() const { return index != 0xffffffffu; }
  constexpr auto operator<=>(const NodeId&) const = default;
};

struct Value {
  enum class Kind : std::uint8_t { input, constant, result };
  Kind kind = Kind::result;
  std::string name;  // unique in the graph; any Unicode text
  OperandDescriptor descriptor;
  NodeId producer;  // of a result
  Bytes data;       // of a constant: exactly byte_length(descriptor) bytes, row-major
};

struct Node {
  OperatorId op;
  std::vector<ValueId> inputs;  // by the row's operands; an invalid id stands for an absent optional operand;
                                // then the post-ops' other operands, in order
  std::vector<ValueId> outputs;
  Attributes attributes;
  std::vector<PostOp> post_ops;
  std::string label;  // of the source operator; defaults to its id in the file
  bool alive = true;
};

/// A dimension of an input that is fixed only when the graph is compiled. Until then the shape holds its maximum.
struct NamedDimension {
  ValueId input;
  std::uint32_t axis = 0;
  std::string name;
};

struct GraphOutput {
  std::string name;
  ValueId value;
};

class Graph {
 public:
  std::string name;
  bool quantized = false;  // a hint of the file, kept for writers

  // ---- building
  // ------------------------------------------------------------------------------------------------------
  ValueId add_input(std::string value_name, const OperandDescriptor& descriptor);
  ValueId add_constant(std::string value_name, const OperandDescriptor& descriptor, Bytes data);
  /// Checks the call with `check_operator` and adds a node with one value for each inferred output. On errors nothing
  /// is added and the returned id is invalid; `errors` (may be null) takes what is wrong. `output_names` may be shorter
  /// than the outputs; the rest get unique names.
  NodeId add_node(OperatorId op, std::vector<ValueId> inputs, Attributes attributes,
                  std::span<const std::string> output_names, std::string label = {},
                  std::vector<CallError>* errors = nullptr);
  void add_output(std::string output_name, ValueId value) { outputs_.push_back({std::move(output_name), value}); }
  void add_named_dimension(NamedDimension dimension) { named_dimensions_.push_back(std::move(dimension)); }

  // ---- reading
  // -------------------------------------------------------------------------------------------------------
  const Value& value(ValueId id) const { return values_[id.index]; }
  const Node& node(NodeId id) const { return nodes_[id.index]; }
  std::size_t value_count() const { return values_.size(); }  // dead ones included: the size of a side table
  std::size_t node_count() const { return nodes_.size(); }
  std::span<const ValueId> inputs() const { return inputs_; }
  std::span<const GraphOutput> outputs() const { return outputs_; }
  std::span<const NamedDimension> named_dimensions() const { return named_dimensions_; }
  ValueId find_value(std::string_view value_name) const;  // linear
  bool is_constant(ValueId id) const { return id.valid() && value(id).kind == Value::Kind::constant; }
  /// Live nodes, producers before consumers, stable in the order of creation. Empty when the graph has a cycle.
  std::vector<NodeId> order() const;
  /// How many live nodes' inputs and graph outputs use each value.
  std::vector<std::uint32_t> use_counts() const;
  /// The root operator's operands as check_operator takes them (post-ops' operands left out). Points into this graph.
  std::vector<const OperandDescriptor*> operands(NodeId id) const;
  KernelSpec spec(NodeId id) const;
  std::string unique_name(std::string_view stem) const;

  // ---- the five mutations of passes (and add_node above)
  // -------------------------------------------------------------
  void replace_uses(ValueId from, ValueId to);  // in nodes' inputs and graph outputs
  void erase(NodeId id);                        // its results must be unused
  void set_attribute(NodeId id, std::string_view attribute, AttributeValue value);
  void set_input(NodeId id, std::size_t place, ValueId value);
  /// Appends a post-op to a single-output node; `other` are the operator's remaining operands. The node's output value
  /// takes the descriptor of `result`.
  void attach_post_op(NodeId id, PostOp post_op, std::span<const ValueId> other, const OperandDescriptor& result);

  /// Fixes every named dimension and infers all descriptors again. Errors of a call are returned with their node.
  struct BindError {
    NodeId node;  // invalid: the binding itself is wrong
    std::string message;
  };
  std::vector<BindError> bind_dimensions(std::span<const std::pair<std::string, std::uint32_t>> sizes);

 private:
  std::vector<Value> values_;
  std::vector<Node> nodes_;
  std::vector<ValueId> inputs_;
  std::vector<GraphOutput> outputs_;
  std::vector<NamedDimension> named_dimensions_;
};

}  // namespace webnn::compiler
