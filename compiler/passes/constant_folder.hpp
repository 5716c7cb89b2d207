// Computing nodes whose operands are all constants; for the passes that make such nodes.
#pragma once

#include <vector>

#include "compiler/unit.hpp"

namespace webnn::compiler {

/// Replaces nodes whose operands are all constants by their results, computed with `Options::evaluate`. What would only
/// make the model larger stays a node: `expand` of a scalar is cheaper to run than to store.
class ConstantFolder {
 public:
  /// What is left behind altogether has at most `growth` times the constants' bytes and Options::fold_limit_bytes.
  explicit ConstantFolder(Unit& unit, std::uint64_t growth = 2);
  void run();
  /// One node, if all of its operands are constants: its results may have up to `growth` times their bytes.
  void fold(NodeId id, std::uint64_t growth = 2);

 private:
  std::vector<Bytes> evaluate(NodeId id) const;
  void replace(NodeId id, std::vector<Bytes> results);

  Unit& unit_;
  Graph& graph_;
  std::uint64_t budget_ = 0;
};

}  // namespace webnn::compiler
