// The work of importing nodes, whose number is that of the file times the turns of loops and the calls of functions.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "compiler/onnx/onnx_model.hpp"

namespace webnn::compiler {

/// What importing a part of the model once more costs, in units of about one name.
std::uint64_t import_cost(const std::string& name);
std::uint64_t import_cost(const OnnxValue& value);
std::uint64_t import_cost(const OnnxTensor& tensor);
std::uint64_t import_cost(const OnnxAttribute& attribute);
std::uint64_t import_cost(const OnnxNode& node);
template <class T>
std::uint64_t import_cost(const std::vector<T>& list) {
  std::uint64_t cost = 1;
  for (const T& item : list) cost += import_cost(item);
  return cost;
}

/// Counts against the limit of nodes. Throws OnnxRefusal beyond it, and then for everything that is counted.
class ImportWork {
 public:
  explicit ImportWork(std::uint64_t max_nodes) : max_nodes_(max_nodes) {}

  void count_node();
  /// Of what is imported again: each turn of a loop and each call of a function costs what its graph declares, whether
  /// nodes use it or not.
  void count(std::uint64_t cost);
  bool has_left(std::uint64_t cost) const { return cost <= most_cost() - cost_; }

 private:
  /// As much as nodes of a few operands and attributes cost.
  std::uint64_t most_cost() const { return 8 * max_nodes_; }

  std::uint64_t max_nodes_;
  std::uint64_t nodes_ = 0, cost_ = 0;
};

/// Which nodes the outputs need, in their order.
std::vector<const OnnxNode*> live_nodes(const std::vector<OnnxNode>& nodes, std::unordered_set<std::string> needed);
/// The first operand that is a result of the same node; null: none is.
const std::string* own_result(const OnnxNode& node);

}  // namespace webnn::compiler
