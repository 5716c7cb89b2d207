// Computes nodes whose operands are all constants; for passes that create such nodes.
#pragma once

#include <vector>

#include "compiler/unit.hpp"

namespace webnn::compiler {

/// Replaces nodes whose operands are all constants by their results, computed with `Options::evaluate`. A node that
/// would only make the model larger stays: `expand` of a scalar is cheaper to run than to store.
class ConstantFolder {
 public:
  /// Limits the total size of all its results to `growth` times the constants' bytes plus Options::fold_limit_bytes.
  /// A pass has one folder for all its rounds: a new one would count the results of the last round as constants. Work is
  /// counted in the unit.
  explicit ConstantFolder(Unit& unit, std::uint64_t growth = 2);
  void run();
  /// Folds one node if all its operands are constants and its results have at most `growth` times their bytes.
  void fold(NodeId id, std::uint64_t growth = 2);

 private:
  std::vector<Bytes> evaluate(NodeId id) const;
  void count_work(NodeId id);
  void replace(NodeId id, std::vector<Bytes> results);

  Unit& unit_;
  Graph& graph_;
  std::uint64_t budget_ = 0;
};

}  // namespace webnn::compiler
