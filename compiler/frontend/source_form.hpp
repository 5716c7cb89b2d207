// What the JSON writer and the text writer share: a node's operands and options as files write them.
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

/// An option of a node: an optional operand when `operand` is valid, else an attribute.
struct SourceOption {
  std::string_view key;
  AttributeValue value;
  ValueId operand;
};

struct SourceNode {
  std::string id;  // the first result's name
  std::string_view op;
  std::vector<ValueId> inputs;
  std::vector<SourceOption> options;
};

/// Throws Error (internal) when the node is none that a file can hold.
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

/// Whether a result is an identity of another output of the graph and an output itself, read by nobody else: in the
/// text form a second output of one value is written so.
bool is_second_name(const Graph& graph, ValueId result);

/// All constants, used or not, in the order of their ids.
std::vector<ValueId> constants_of(const Graph& graph);

/// Where the bytes of constants are: by value id, the key of a weights file, or empty when they are in the graph file
/// itself.
using WeightsKeys = std::vector<std::string>;

enum class WeightsForm : std::uint8_t {
  inline_bytes,  // in the graph file itself
  by_reference,  // under the constant's own name; the bytes are written by weights_writer.hpp
};
WeightsKeys weights_keys(const Graph& graph, WeightsForm form);

/// Constants that a file writes as one number, whatever their shape: by value id. Those beyond its end it does not.
using FilledConstants = std::vector<bool>;
inline bool is_filled(const FilledConstants& filled, ValueId id) {
  return id.index < filled.size() && filled[id.index];
}
/// All constants but these.
std::vector<ValueId> stored_constants(const Graph& graph, const FilledConstants& filled);
/// The type through which readers of a form take its numbers.
enum class NumberPath : std::uint8_t { float32, float64 };
/// The number that gives every element of a constant back; nullopt: there is none. In quotes when readers would get it
/// wrong: those that do not know this refuse it.
std::optional<std::string> filling_number(const Value& constant, NumberPath path);

/// A number as JSON and the text form write it; no integer is written for a real number, so that -0.0 survives. NaN
/// and infinities become strings.
std::string number_text(const Number& number);

/// An attribute as both forms write it: JSON.
std::string attribute_json(const AttributeValue& attribute);

}  // namespace webnn::compiler
