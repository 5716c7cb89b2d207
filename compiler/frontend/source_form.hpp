// Shared by the JSON writer and the text writer: a node's operands and options as files write them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/ir/graph.hpp"

namespace webnn::compiler {

/// An option of a node: an optional operand if `operand` is valid, otherwise an attribute.
struct SourceOption {
  std::string_view key;
  AttributeValue value;
  ValueId operand;
};

struct SourceNode {
  std::string id;  // name of the first result
  std::string_view op;
  std::vector<ValueId> inputs;
  std::vector<SourceOption> options;
};

/// Throws Error (internal) when a file cannot hold the node.
SourceNode source_node(const Graph& graph, NodeId id);

/// The names of a graph's named dimensions, by input and axis. The graph must outlive it.
class DimensionNames {
 public:
  explicit DimensionNames(const Graph& graph);
  /// Empty when the dimension has no name.
  std::string_view find(ValueId input, unsigned axis) const;

 private:
  std::map<std::pair<std::uint32_t, unsigned>, std::string_view> names_;
};

/// Whether a result is an output and an identity of another output, with no other user. The text format writes a second
/// output of one value in this way.
bool is_second_name(const Graph& graph, ValueId result);

/// All constants, used or not, in the order of their ids.
std::vector<ValueId> constants_of(const Graph& graph);

/// Where the bytes of constants are: by value id, the key in a weights file; empty when they are in the graph file
/// itself.
using WeightsKeys = std::vector<std::string>;

enum class WeightsStyle : std::uint8_t {
  inline_bytes,  // in the graph file itself
  by_reference,  // under the constant's own name; the bytes are written by weights_writer.hpp
};
WeightsKeys weights_keys(const Graph& graph, WeightsStyle form);

/// The constants that a file writes as a single number, whatever their shape: by value id. Ids beyond the end are not
/// among them.
using FilledConstants = std::vector<bool>;
inline bool is_filled(const FilledConstants& filled, ValueId id) {
  return id.index < filled.size() && filled[id.index];
}
/// All constants except these.
std::vector<ValueId> stored_constants(const Graph& graph, const FilledConstants& filled);
/// The type through which readers of a format convert numbers.
enum class NumberPath : std::uint8_t { float32, float64 };
/// The number that reproduces every element of a constant; nullopt if there is none. It is in quotes when some readers
/// would get it wrong: readers that do not expect quotes refuse it.
std::optional<std::string> filling_number(const Value& constant, NumberPath path);

/// A number as JSON and the text format write it. Real numbers are never written as integers, so that -0.0 survives;
/// NaN and infinities become strings.
std::string number_text(const Number& number);

/// An attribute as JSON, in the way both formats write it.
std::string attribute_json(const AttributeValue& attribute);

}  // namespace webnn::compiler
