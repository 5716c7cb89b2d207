// The reader of webnn-graph-json, in parts: json_reader.cpp (top level, outputs), json_descriptors.cpp,
// json_constants.cpp, json_nodes.cpp, json_operands.cpp and json_options.cpp.
//
// Every mistake is reported at its position, and reading continues. What could not be made counts as failed, and its
// users are silently skipped, so that one mistake gives one message.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/frontend/aliases.hpp"
#include "compiler/frontend/json/json_document.hpp"
#include "compiler/frontend/load.hpp"
#include "compiler/frontend/weights.hpp"
#include "compiler/ir/graph.hpp"
#include "schema/name_hash.hpp"

namespace webnn::compiler {

class JsonGraphReader {
 public:
  JsonGraphReader(const JsonDocument& document, const LoadOptions& options, Diagnostics& diagnostics)
      : root_(document.root()),
        options_(options),
        diagnostics_(diagnostics),
        errors_before_(diagnostics.error_count()) {}

  /// The graph; it is incomplete when an error was reported.
  std::optional<Graph> read();

 private:
  /// The meaning of a name. An invalid id: its definition failed.
  struct NamedValue {
    ValueId id;
    JsonValue place;
  };

  /// A node as in the file; its members have the right JSON types.
  struct NodeText {
    std::uint32_t index = 0;
    JsonValue node;             // the object
    JsonValue op;               // its text is the operator's name; empty when missing
    JsonValue inputs, options;  // may be empty handles
    std::string id;
    std::vector<JsonValue> outputs;  // positions of the names; the node's id when there is no list
    bool lists_outputs = false;
    bool usable = true;  // false: a mistake was reported, and its results have failed
  };

  /// A call under construction; positions are for messages.
  struct Call {
    OperatorId op;
    std::vector<ValueId> operands;
    std::vector<JsonValue> operand_places;
    Attributes attributes;
    std::vector<JsonValue> attribute_places;
    std::string label;
    bool usable = true;
    const Operator& row() const { return schema::row(op); }
  };

  // ---- json_reader.cpp
  bool read_header();
  void read_inputs();
  void read_outputs();
  void warn_of_unused_inputs();
  /// Adds a name; reports an empty or duplicate name and gives false.
  bool define(std::string_view name, JsonValue place, ValueId id);
  bool is_name_free(std::string_view name) const;
  /// Whether a suggestion may look at so many names; after many names, none is made.
  bool may_compare(std::size_t names);
  /// A name that neither the file nor the graph uses, for a value without a name in the file.
  std::string fresh_name(std::string_view wanted) const;
  JsonValue object_member(std::string_view key, bool required);
  Diagnostic& error(Code code, JsonValue value, std::string message) {
    return diagnostics_.error(code, value.location(), std::move(message));
  }
  /// Warns once for each `subject`, at its first position.
  void warn_once(Code code, Location place, const std::string& subject, std::string message, std::string hint = {});

  // ---- json_descriptors.cpp
  struct Dimension {
    unsigned axis = 0;
    std::string name;
  };
  /// Reads dataType and shape; named dimensions are allowed when `named` is not null.
  std::optional<OperandDescriptor> read_descriptor(JsonValue value, std::vector<Dimension>* named);
  std::optional<std::uint32_t> read_size(JsonValue value, std::string_view what);
  /// Reports at `place` and gives false when a tensor exceeds the limit of the options.
  bool is_within_limit(const OperandDescriptor& descriptor, JsonValue place);
  std::optional<std::uint32_t> read_named_dimension(JsonValue value, unsigned axis, std::vector<Dimension>* named);

  // ---- json_constants.cpp
  void read_constants();
  std::optional<Bytes> read_init(JsonValue init, const OperandDescriptor& descriptor);
  std::optional<Bytes> read_weights_init(JsonValue init, const OperandDescriptor& descriptor);
  /// Counts memory that the graph takes beyond its files: repeated numbers, copies of weights (of which `extra` more
  /// are allowed). Reports at `place` and gives false beyond the limit.
  bool claim_memory(std::uint64_t bytes, std::uint64_t extra, JsonValue place);
  std::optional<Bytes> read_scalar(JsonValue value, const OperandDescriptor& descriptor);
  std::optional<Bytes> read_byte_list(JsonValue list, const OperandDescriptor& descriptor);
  /// Checks the length, packs 4-bit types given as one byte per element, and copies misaligned data.
  std::optional<Bytes> fit_bytes(Bytes data, const OperandDescriptor& descriptor, JsonValue place,
                                 const std::string& what);
  const WeightsSource* weights(JsonValue use);
  /// The bytes of a constant whose weights file is missing, if the options allow that.
  std::optional<Bytes> absent_weights(const OperandDescriptor& descriptor);
  bool read_constant_node(const NodeText& node);

  // ---- json_nodes.cpp
  bool read_nodes();  // false: there is no usable list of nodes
  NodeText read_node_text(JsonValue node, std::uint32_t index);
  void declare_outputs(NodeText& node);
  void read_node(const NodeText& node);
  bool add_call(const NodeText& node, Call& call);
  std::optional<OperatorId> read_operator(const NodeText& node, const OperatorAlias*& alias);
  void report_call_errors(const NodeText& node, const Call& call, std::span<const CallError> errors);
  std::vector<std::string> output_names(const NodeText& node, std::size_t count) const;
  /// Counts results that the file does not name, which take memory without taking text. Reports and gives false beyond
  /// the limit. Throws Error (resource) when the account of memory has not that much.
  bool claim_unnamed(const NodeText& node, std::size_t count);
  void fail_outputs(const NodeText& node);

  // ---- json_operands.cpp
  void read_operands(const NodeText& node, Call& call);
  void place_positional(const NodeText& node, Call& call, const std::vector<JsonValue>& given);
  void add_missing_zero_point(const NodeText& node, Call& call);
  /// The value with this name, or with this operand number in an option. Invalid when it is unknown, failed or defined
  /// later.
  ValueId resolve(std::string_view name, JsonValue place, std::uint32_t node);
  ValueId resolve_option(JsonValue option, std::uint32_t node);
  void report_later_definition(std::string_view name, JsonValue place, std::uint32_t user, std::uint32_t definer);
  std::string find_cycle(std::uint32_t user, std::uint32_t definer) const;
  const std::vector<std::string_view>& numbered_names();

  // ---- json_options.cpp
  void read_options(const NodeText& node, Call& call, const OperatorAlias* alias);
  void translate_options(const NodeText& node, Call& call, const OperatorAlias* alias);
  bool read_plain_option(Call& call, JsonValue option);
  std::optional<AttributeValue> read_attribute(const AttributeRow& row, JsonValue value);
  std::vector<const OperandDescriptor*> descriptors(const Call& call) const;

  JsonValue root_;
  const LoadOptions& options_;
  Diagnostics& diagnostics_;
  std::size_t errors_before_;  // from other files
  Graph graph_;
  ByName<NamedValue> names_;           // inputs, constants and results so far
  ByName<std::uint32_t> definitions_;  // name of each result -> its node in the file
  ByName<std::uint32_t> dimensions_;   // each named dimension -> its maximum
  std::set<std::string> ids_;          // of nodes that also name their results
  std::vector<NodeText> nodes_;
  std::vector<std::string_view> numbered_names_;  // by rustnn's operand number; made on first use
  std::set<std::string> warned_;
  std::optional<WeightsSource> weights_;
  bool looked_for_weights_ = false;
  std::optional<Bytes> zeros_;  // in place of missing weights
  std::uint64_t filled_bytes_ = 0, unnamed_results_ = 0;
  std::size_t comparisons_left_ = 1u << 17;  // of names, for suggestions
  mutable unsigned cycle_steps_left_ = 1u << 20;
};

}  // namespace webnn::compiler
