// The work of importing nodes, whose number is that of the file times the turns of loops and the calls of functions.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_set>
#include <utility>
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

/// Which results of a graph or function are wanted, by their places.
using Wanted = std::vector<bool>;

/// The nodes of graphs and functions that wanted results need.
class LiveNodes {
 public:
  struct Body {
    std::vector<const OnnxNode*> nodes;  // in their order
    std::uint64_t cost = 0;              // of importing them once more
  };

  /// Counts what importing them costs, unless it is the first time. `cost_around` is what else is imported with them.
  const Body& find(const std::vector<OnnxNode>& nodes, const std::vector<std::string>& results, const Wanted& wanted,
                   std::uint64_t cost_around, ImportWork& work);

 private:
  std::map<std::pair<const std::vector<OnnxNode>*, Wanted>, Body> bodies_;
  std::unordered_set<const std::vector<OnnxNode>*> known_;
};

/// The first operand that is a result of the same node; null: none is.
const std::string* own_result(const OnnxNode& node);

}  // namespace webnn::compiler
