// The graph that every pass works on: values and nodes in vectors, addressed by 32-bit ids.
//
// A value is the result of one producer, an input or a constant. Ids stay valid while other things are added or erased.
// What passes find out about values and nodes (kernel, layout, slot) is in side tables of the Plan, never here.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/ir/name_index.hpp"
#include "schema/elements/bytes.hpp"
#include "schema/elements/memory_account.hpp"
#include "schema/kernels/kernel_table.hpp"
#include "schema/operators/check_spec.hpp"
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
  std::string name;  // unique within the graph; any Unicode text
  OperandDescriptor descriptor;
  NodeId producer;  // for a result
  Bytes data;       // for a constant: exactly byte_length(descriptor) bytes, row-major; none once they were let go
  /// For a constant that has not been read yet: the value that `checksum_of(data)` must have according to its file.
  std::optional<std::uint64_t> checksum{};
};

struct Node {
  OperatorId op;
  std::vector<ValueId> inputs;  // operands in row order, invalid for an absent optional one;
                                // then the outside operands of the post-ops, in order
  std::vector<ValueId> outputs;
  Attributes attributes;
  std::vector<PostOp> post_ops;
  std::string label;  // of the source operator; its id in the file by default
  bool alive = true;
};

/// A dimension of an input whose size is fixed when the graph is compiled. Until then the shape holds its maximum.
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
  bool quantized = false;  // a hint from the file, kept for writers

  // ---- building; a name that is empty or taken is replaced by `unique_name`, so names of values are always unique
  ValueId add_input(std::string value_name, const OperandDescriptor& descriptor);
  /// `data` must hold byte_length(descriptor) bytes; readers check that, and so does `verify`.
  ValueId add_constant(std::string value_name, const OperandDescriptor& descriptor, Bytes data,
                       std::optional<std::uint64_t> checksum = {});
  /// Checks the call with `check_operator` and adds a node with one value for each inferred output. After an error
  /// nothing is added and the returned id is invalid; `errors` (may be null) receives what is wrong. `inputs` may leave
  /// out trailing optional operands, `attributes` may be empty if none is given, `output_names` may be shorter than the
  /// outputs; the rest get unique names.
  NodeId add_node(OperatorId op, std::vector<ValueId> inputs, Attributes attributes,
                  std::span<const std::string> output_names, std::string label = {},
                  std::vector<CallError>* errors = nullptr);
  void add_output(std::string output_name, ValueId value);
  /// Counts memory of values that a file makes without words for them, in the account of the calling thread, as long as
  /// this graph or a copy of it lives. Throws Error (resource) beyond that account's limit.
  void charge(std::uint64_t bytes);
  void add_named_dimension(NamedDimension dimension) { named_dimensions_.push_back(std::move(dimension)); }

  // ---- reading
  /// Grows with every change that `verify` could find wrong; equal numbers mean an unchanged graph.
  std::uint64_t revision() const { return revision_; }
  const Value& value(ValueId id) const { return values_[id.index]; }
  const Node& node(NodeId id) const { return nodes_[id.index]; }
  std::size_t value_count() const { return values_.size(); }  // size of a side table: includes dead values
  std::size_t node_count() const { return nodes_.size(); }
  std::span<const ValueId> inputs() const { return inputs_; }
  std::span<const GraphOutput> outputs() const { return outputs_; }
  std::span<const NamedDimension> named_dimensions() const { return named_dimensions_; }
  /// Invalid when no input, constant or result of a live node has this name.
  ValueId find_value(std::string_view value_name) const;
  bool is_constant(ValueId id) const { return id.valid() && value(id).kind == Value::Kind::constant; }
  bool is_output(ValueId id) const { return output_counts_[id.index] != 0; }
  /// Live nodes, producers before consumers, otherwise in the order of creation. Empty when the graph has a cycle.
  std::vector<NodeId> order() const;
  /// The number of uses of each value in the inputs of live nodes and as graph outputs.
  std::vector<std::uint32_t> use_counts() const { return uses_; }
  std::uint32_t use_count(ValueId id) const { return uses_[id.index]; }
  /// The live nodes that use a value, each once, in the order of their ids.
  std::vector<NodeId> users(ValueId id) const;
  /// The root operator's operands as check_operator takes them, without those of the post-ops. Points into this graph.
  std::vector<const OperandDescriptor*> operands(NodeId id) const;
  KernelSpec spec(NodeId id) const { return spec_of(node(id)); }
  /// What the steps of a node give, inferred from its operands, attributes and post-ops.
  InferredSteps infer(NodeId id) const { return steps_of(node(id)); }
  /// The same for a node that `extend` may put into the graph.
  KernelSpec spec_of(const Node& node) const;
  InferredSteps steps_of(const Node& node) const;
  /// `stem` if no value has this name, otherwise `stem` with the next free number.
  std::string unique_name(std::string_view stem) const;

  // ---- the mutations for passes (and add_node above); they do not infer again: the caller must keep descriptors equal
  void replace_uses(ValueId from, ValueId to);  // in the inputs of nodes and in graph outputs
  void erase(NodeId id);                        // its results must be unused; their names become available
  void set_attribute(NodeId id, std::string_view attribute, std::optional<AttributeValue> value);  // nullopt: not given
  void set_input(NodeId id, std::size_t place, ValueId value);
  void set_output(std::size_t index, ValueId value);  // index into `outputs()`
  /// Replaces a node with one output by itself with more post-ops (`append_post_op`). The output gets the descriptor
  /// `result`.
  void extend(NodeId id, Node longer, const OperandDescriptor& result);
  /// The same by what it has more: post-ops, whose operands count its inputs and then `inputs`.
  void extend(NodeId id, std::span<const PostOp> post_ops, std::span<const ValueId> inputs,
              const OperandDescriptor& result);
  /// Called when the constant's bytes have been compared with their checksum, or need not be.
  void forget_checksum(ValueId id) { values_[id.index].checksum.reset(); }
  /// Called when another constant stands for this one: if nothing uses it any more, its bytes need no memory.
  void let_go(ValueId constant) {
    if (uses_[constant.index] == 0) values_[constant.index].data = {};
  }
  /// Gives a value another name; a name that is taken is made unique.
  void rename(ValueId id, std::string_view value_name);

  /// Fixes every named dimension and infers all descriptors again. Errors of calls are returned with their node; nodes
  /// that depend on a failed one are left out. A wrong binding (a name that is unknown, missing or given twice, or a
  /// size outside 1..maximum) changes nothing.
  struct BindError {
    NodeId node;  // invalid: the binding itself is wrong
    std::string message;
    std::string hint;  // may be empty
  };
  std::vector<BindError> bind_dimensions(std::span<const std::pair<std::string, std::uint32_t>> sizes);

 private:
  friend struct GraphDamage;  // for tests of `verify`

  ValueId add_value(Value value);
  /// Whether the order of creation is one of execution.
  bool is_in_order() const;
  /// Null for an absent operand.
  const OperandDescriptor* descriptor_of_input(const Node& node, std::size_t i) const {
    return node.inputs[i].valid() ? &values_[node.inputs[i].index].descriptor : nullptr;
  }
  /// One operand of a node: the node and the place of the operand in its list.
  struct Use {
    NodeId node;
    std::uint32_t place = 0;
  };
  bool is_current(const Use& use, ValueId used) const {
    const Node& node = nodes_[use.node.index];
    return node.alive && use.place < node.inputs.size() && node.inputs[use.place] == used;
  }
  void link(NodeId user, std::size_t place, ValueId used);
  void unlink(ValueId used);
  void move_output(std::uint32_t place, ValueId to);

  std::uint64_t revision_ = 0;
  std::vector<Value> values_;
  std::vector<Node> nodes_;
  std::vector<ValueId> inputs_;
  std::vector<GraphOutput> outputs_;
  std::vector<NamedDimension> named_dimensions_;
  std::shared_ptr<MemoryCharge> charge_;  // null: none

  // Updated by every mutation, so that replacing and erasing need not walk over the graph.
  NameIndex names_;                           // of the values that find_value finds
  std::vector<std::uint32_t> uses_;           // by value
  std::vector<std::uint32_t> output_counts_;  // by value: how often it is in outputs_
  // By value: where it is in outputs_ and in the inputs of nodes, plus places where it was.
  std::vector<std::vector<std::uint32_t>> output_places_;
  std::vector<std::vector<Use>> users_;
};

}  // namespace webnn::compiler
