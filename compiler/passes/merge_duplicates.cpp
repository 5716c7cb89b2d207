// merge_duplicates (CSE): two nodes with the same operator, attributes, post-ops and operands -> one; small equal
// constants too.
#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <unordered_map>
#include <variant>

#include "compiler/passes/passes.hpp"
#include "schema/name_hash.hpp"

namespace webnn::compiler {
namespace {

/// Larger constants are compared by address only, because reading all weights would cost more than it saves.
constexpr std::size_t compared_bytes = 4096;

/// As secret as the hash of names: what is mixed are a file's numbers.
std::size_t mix(std::size_t hash, std::size_t value) {
  const std::array<std::size_t, 2> both{hash, value};
  return name_hash({reinterpret_cast<const char*>(both.data()), sizeof both});
}

template <typename T>
std::size_t hash_of(const T& value) {
  return std::hash<T>()(value);
}
std::size_t hash_of(const std::string& value) { return name_hash(value); }
/// Of many large integers the nearest double is the same.
std::size_t hash_of(const Number& value) {
  return mix(mix(hash_of(value.as_double()), hash_of(value.as_int64())), hash_of(value.as_uint64()));
}
template <typename T>
std::size_t hash_of(const std::vector<T>& list) {
  std::size_t hash = list.size();
  for (const T& item : list) hash = mix(hash, hash_of(item));
  return hash;
}
std::size_t hash_of(const Attributes& attributes) {
  std::size_t hash = 0;
  for (std::size_t i = 0; i < attributes.size(); ++i)
    if (attributes[i])
      hash = mix(hash, mix(i, std::visit([](const auto& value) { return hash_of(value); }, *attributes[i])));
  return hash;
}

std::size_t hash_of(const OperandDescriptor& descriptor) {
  std::size_t hash = std::size_t(descriptor.type);
  for (const std::uint32_t size : descriptor.shape.sizes()) hash = mix(hash, size);
  return mix(hash, descriptor.shape.rank());
}

class Merger {
 public:
  explicit Merger(Graph& graph) : graph_(graph), seen_(graph.node_count()) {}

  void run() {
    merge_constants();
    for (NodeId id : graph_.order()) merge(id);
  }

 private:
  void merge_constants() {
    std::unordered_multimap<std::size_t, ValueId> seen(graph_.value_count());
    for (std::uint32_t i = 0; i < graph_.value_count(); ++i) {
      const ValueId id{i};
      if (!graph_.is_constant(id) || graph_.use_count(id) == 0) continue;
      const Bytes& data = graph_.value(id).data;
      const std::string_view text(reinterpret_cast<const char*>(data.data()), std::min(data.size(), compared_bytes));
      const std::size_t content =
          data.size() > compared_bytes ? std::hash<const void*>()(data.data()) : name_hash(text);
      const std::size_t hash = mix(content, hash_of(graph_.value(id).descriptor));  // the same bytes have many shapes
      const auto [first, last] = seen.equal_range(hash);
      const auto same = std::find_if(first, last, [&](const auto& entry) { return equal_constants(entry.second, id); });
      if (same != last) {
        graph_.replace_uses(id, same->second);
      } else {
        seen.emplace(hash, id);
      }
    }
  }

  bool equal_constants(ValueId a, ValueId b) const {
    const Value &x = graph_.value(a), &y = graph_.value(b);
    if (x.descriptor != y.descriptor || x.data.size() != y.data.size()) return false;
    if (x.data.data() == y.data.data()) return true;
    return x.data.size() <= compared_bytes && std::memcmp(x.data.data(), y.data.data(), x.data.size()) == 0;
  }

  /// Operands in a normalised order: sorted for commutative operators.
  std::vector<ValueId> operands(const Node& node) const {
    std::vector<ValueId> inputs = node.inputs;
    if (row(node.op).commutative && inputs.size() >= 2 && inputs[1] < inputs[0]) std::swap(inputs[0], inputs[1]);
    return inputs;
  }

  void merge(NodeId id) {
    const Node& node = graph_.node(id);
    std::size_t hash = mix(mix(node.op.index, node.post_ops.size()), hash_of(node.attributes));
    for (ValueId input : operands(node)) hash = mix(hash, input.index);
    const auto [first, last] = seen_.equal_range(hash);
    const auto same = std::find_if(first, last, [&](const auto& entry) {
      const Node& other = graph_.node(entry.second);
      return other.op == node.op && operands(other) == operands(node) && other.attributes == node.attributes &&
             other.post_ops == node.post_ops;
    });
    if (same == last) {
      seen_.emplace(hash, id);
      return;
    }
    const std::vector<ValueId> kept = graph_.node(same->second).outputs;
    for (std::size_t i = 0; i < kept.size(); ++i) graph_.replace_uses(node.outputs[i], kept[i]);
    graph_.erase(id);
  }

  Graph& graph_;
  std::unordered_multimap<std::size_t, NodeId> seen_;
};

}  // namespace

void merge_duplicates(Unit& unit) { Merger(unit.graph).run(); }

}  // namespace webnn::compiler
