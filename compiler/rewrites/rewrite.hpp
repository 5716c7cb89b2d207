// Rewrites: graph equivalences written as text, and their application to a whole graph.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "compiler/ir/pattern.hpp"

namespace webnn::compiler {

/// Decides whether a match may be replaced, and may compute attributes for the replacement.
using Guard = bool (*)(Match&);

/// Decides whether the node `added` may take the place of the node `replaced`, which is still there.
using Acceptable = std::function<bool(const Graph&, NodeId replaced, NodeId added)>;

/// One row of a table of rewrites. The two texts are patterns as pattern.hpp describes them.
struct Rewrite {
  std::string_view name;
  std::string_view pattern;
  std::string_view replacement;
  Guard guard = nullptr;
};

/// A table of rewrites, read and indexed by the operator at the root. Throws Error (internal) for a row that cannot be
/// read: tables are part of the program.
class RewriteSet {
 public:
  explicit RewriteSet(std::span<const Rewrite> rows);

  /// Replaces the first row's match at `node`. Gives the value that stands for the node's result now; invalid when no
  /// row applies. A replacement is refused when its descriptor differs from the root's, when it would make an input or
  /// a constant an output, or give two outputs one value. The root's name and label carry over to a new node.
  /// `acceptable`, if given, may refuse a replacement, too.
  ValueId apply_at(Graph& graph, NodeId node, const Acceptable& acceptable = {}) const;
  /// Whether a row's pattern has this operator at its root.
  bool speaks_of(OperatorId op) const { return !by_root_[op.index].empty(); }
  /// Applies the rows everywhere until none applies. Gives the number of replacements.
  std::size_t apply(Graph& graph, const Acceptable& acceptable = {}) const;

 private:
  struct Compiled {
    Pattern pattern;
    Pattern replacement;
    Guard guard;
  };

  bool replace(Graph& graph, NodeId root, const Compiled& rewrite, Match& match, const Acceptable& acceptable,
               ValueId& result) const;

  std::vector<Compiled> rewrites_;
  std::array<std::vector<std::size_t>, std::size(operator_names)> by_root_;  // rows in the table's order
};

/// simplify.cpp: equivalences that remove work and are exact, bit for bit.
std::span<const Rewrite> simplify_rewrites();
/// decompose.cpp: composite operators as several simpler ones, within the operators' tolerances.
std::span<const Rewrite> decompose_rewrites();
/// recognise.cpp: operators that a model has spelt out, within a few units in the last place.
std::span<const Rewrite> recognise_rewrites();
/// attention.cpp: products of matrices around a softmax, as @attention.
std::span<const Rewrite> attention_rewrites();
/// reductions.cpp: reductions with the elementwise operator that they stand for.
std::span<const Rewrite> reductions_rewrites();
/// sink_transposes.cpp: transposes past elementwise operators.
std::span<const Rewrite> sink_transposes_rewrites();
/// quantize.cpp: float operators on dequantised operands as operators on the quantised ones.
std::span<const Rewrite> quantize_rewrites();
/// quantize.cpp: those of them whose results nobody quantises.
std::span<const Rewrite> quantize_operands_rewrites();
/// quantize.cpp: what they make of an operator that computes on dequantised operands; nullopt: no operator on integers.
std::optional<OperatorId> on_quantized(OperatorId op);
/// block_quantize.cpp: products with block-quantised weights that are constants.
std::span<const Rewrite> block_quantize_rewrites();
/// fold_into.cpp: linear operators after convolutions and products of matrices, into their constants.
std::span<const Rewrite> fold_into_rewrites();
/// fold_into.cpp: batchNormalization of constant statistics as elementwise operators.
std::span<const Rewrite> unfold_normalization_rewrites();

}  // namespace webnn::compiler
