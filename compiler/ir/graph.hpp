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
#include <unordered_map>
#include <utility>
#include <vector>

#include "schema/elements/bytes.hpp"
#include "schema/kernels/kernel_table.hpp"
#include "schema/operators/operator_call.hpp"

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
  /// Of a constant that nobody has read yet: what its file says that `checksum_of(data)` is.
  std::optional<std::uint64_t> checksum{};
};

struct Node {
  OperatorId op;
  std::vector<ValueId> inputs;  // by the row's operands; an invalid id stands for an absent optional operand;
                                // then the post-ops' operands from outside, in order
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

  // ---- building. A name that is empty or taken is replaced by `unique_name` of it, so value names never clash.
  ValueId add_input(std::string value_name, const OperandDescriptor& descriptor);
  /// `data` must hold byte_length(descriptor) bytes; readers check, `verify` proves it.
  ValueId add_constant(std::string value_name, const OperandDescriptor& descriptor, Bytes data,
                       std::optional<std::uint64_t> checksum = {});
  /// Checks the call with `check_operator` and adds a node with one value for each inferred output. On errors nothing
  /// is added and the returned id is invalid; `errors` (may be null) takes what is wrong. `inputs` may leave out
  /// trailing optional operands, `attributes` may be empty when none is given, `output_names` may be shorter than the
  /// outputs; the rest get unique names.
  NodeId add_node(OperatorId op, std::vector<ValueId> inputs, Attributes attributes,
                  std::span<const std::string> output_names, std::string label = {},
                  std::vector<CallError>* errors = nullptr);
  void add_output(std::string output_name, ValueId value);
  void add_named_dimension(NamedDimension dimension) { named_dimensions_.push_back(std::move(dimension)); }

  // ---- reading
  const Value& value(ValueId id) const { return values_[id.index]; }
  const Node& node(NodeId id) const { return nodes_[id.index]; }
  std::size_t value_count() const { return values_.size(); }  // dead ones included: the size of a side table
  std::size_t node_count() const { return nodes_.size(); }
  std::span<const ValueId> inputs() const { return inputs_; }
  std::span<const GraphOutput> outputs() const { return outputs_; }
  std::span<const NamedDimension> named_dimensions() const { return named_dimensions_; }
  /// Invalid when no input, constant or result of a live node has this name.
  ValueId find_value(std::string_view value_name) const;
  bool is_constant(ValueId id) const { return id.valid() && value(id).kind == Value::Kind::constant; }
  bool is_output(ValueId id) const { return output_uses_[id.index] != 0; }
  /// Live nodes, producers before consumers, stable in the order of creation. Empty when the graph has a cycle.
  std::vector<NodeId> order() const;
  /// How many places of live nodes' inputs and of graph outputs use each value.
  std::vector<std::uint32_t> use_counts() const { return uses_; }
  std::uint32_t use_count(ValueId id) const { return uses_[id.index]; }
  /// Live nodes that take a value, each once, in the order of their ids.
  std::vector<NodeId> users(ValueId id) const;
  /// The root operator's operands as check_operator takes them (post-ops' operands left out). Points into this graph.
  std::vector<const OperandDescriptor*> operands(NodeId id) const;
  /// How many of a node's inputs belong to its root operator; the rest are operands of the post-ops.
  std::size_t root_input_count(NodeId id) const;
  KernelSpec spec(NodeId id) const;
  /// Descriptors of a node's outputs as its operands, attributes and post-ops give them now.
  struct Inferred {
    std::vector<OperandDescriptor> outputs;  // empty on errors
    std::vector<CallError> errors;
  };
  Inferred infer(NodeId id) const;
  /// `stem` if no value has this name, else `stem` with the next free number.
  std::string unique_name(std::string_view stem) const;

  // ---- the mutations of passes (and add_node above). None infers again: the caller keeps descriptors equal.
  void replace_uses(ValueId from, ValueId to);  // in nodes' inputs and graph outputs
  void erase(NodeId id);                        // its results must be unused; their names become free
  void set_attribute(NodeId id, std::string_view attribute, std::optional<AttributeValue> value);  // nullopt: not given
  void set_input(NodeId id, std::size_t place, ValueId value);
  void set_output(std::size_t index, ValueId value);  // of `outputs()`
  /// Appends a post-op to a single-output node; `other` are its operands from outside the node. The node's output value
  /// takes the descriptor of `result`.
  void attach_post_op(NodeId id, PostOp post_op, std::span<const ValueId> other, const OperandDescriptor& result);
  /// The constant's bytes have been compared with their checksum, or need not be.
  void forget_checksum(ValueId id) { values_[id.index].checksum.reset(); }
  /// Gives a value another name; a taken one is made unique.
  void rename(ValueId id, std::string_view value_name);

  /// Fixes every named dimension and infers all descriptors again. Errors of a call are returned with their node; nodes
  /// that depend on a failed one are left out. A binding that is wrong itself (a name that is unknown, missing, given
  /// twice, or a size outside 1..maximum) changes nothing.
  struct BindError {
    NodeId node;  // invalid: the binding itself is wrong
    std::string message;
    std::string hint;  // may be empty
  };
  std::vector<BindError> bind_dimensions(std::span<const std::pair<std::string, std::uint32_t>> sizes);

 private:
  friend struct GraphDamage;  // tests of `verify`

  struct NameHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };

  ValueId add_value(Value value);
  void link(NodeId user, ValueId used);
  void unlink(ValueId used);

  std::vector<Value> values_;
  std::vector<Node> nodes_;
  std::vector<ValueId> inputs_;
  std::vector<GraphOutput> outputs_;
  std::vector<NamedDimension> named_dimensions_;

  // Kept up to date by every mutation, so that replacing and erasing cost no walk over the graph.
  std::unordered_map<std::string, ValueId, NameHash, std::equal_to<>> names_;
  std::vector<std::uint32_t> uses_;         // by value
  std::vector<std::uint32_t> output_uses_;  // by value: graph outputs alone
  std::vector<std::vector<NodeId>> users_;  // by value: every user, and nodes that were one; cleaned when read
};

}  // namespace webnn::compiler
