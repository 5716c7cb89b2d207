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

/// Decides whether the node `added` may replace the node `replaced`, which still exists.
using Acceptable = std::function<bool(const Graph&, NodeId replaced, NodeId added)>;

/// One row of a table of rewrites. Both texts are patterns (see pattern.hpp); `pattern` may have several forms.
struct Rewrite {
  std::string_view name;
  std::string_view pattern;
  std::string_view replacement;
  Guard guard = nullptr;
};

/// A table of rewrites, parsed and indexed by root operator. Throws Error (internal) for an invalid row, because tables
/// are part of the program.
class RewriteSet {
 public:
  explicit RewriteSet(std::span<const Rewrite> rows);

  /// Replaces the first row's match at `node`. Returns the value that now stands for the node's result; invalid when no
  /// row applies. A replacement is refused when its descriptor differs from the root's, or when it would make an input
  /// or a constant an output, or give two outputs the same value. A new node gets the root's name and label.
  /// `acceptable`, if given, may also refuse a replacement.
  ValueId apply_at(Graph& graph, NodeId node, const Acceptable& acceptable = {}) const;
  /// Whether a row's pattern has this operator at its root.
  bool speaks_of(OperatorId op) const { return !by_root_[op.index].empty(); }
  /// Applies the rows everywhere until none applies. Returns the number of replacements.
  std::size_t apply(Graph& graph, const Acceptable& acceptable = {}) const;

 private:
  struct Compiled {
    Pattern pattern;
    Pattern replacement;
    Guard guard;
  };

  struct Replacement {
    ValueId result;             // invalid: no row applies
    std::vector<NodeId> users;  // of the value that it stands for now
  };

  bool replace(Graph& graph, NodeId root, const Compiled& rewrite, Match& match, const Acceptable& acceptable,
               Replacement& replacement) const;
  Replacement replaced_at(Graph& graph, NodeId node, const Acceptable& acceptable, ConstantFacts& facts) const;

  std::vector<Compiled> rewrites_;
  std::array<std::vector<std::size_t>, std::size(operator_names)> by_root_;  // forms of rows in table order
};

/// How often a pass may go over the whole graph until nothing changes any more: a few times for the largest graphs, so
/// that compilation stays linear even where each round changes a single node, and more often than any depth for others.
std::size_t most_rounds(const Graph& graph);

/// simplify.cpp: equivalences that remove work and are exact, bit for bit.
std::span<const Rewrite> simplify_rewrites();
/// decompose.cpp: composite operators as several simpler ones, within the operators' tolerances.
std::span<const Rewrite> decompose_rewrites();
/// recognise.cpp: operators that a model spells out, within a few units in the last place.
std::span<const Rewrite> recognise_rewrites();
/// attention.cpp: matrix products around a softmax, as @attention.
std::span<const Rewrite> attention_rewrites();
/// reductions.cpp: reductions combined with the elementwise operators around them.
std::span<const Rewrite> reductions_rewrites();
/// sink_transposes.cpp: moves transposes past elementwise operators.
std::span<const Rewrite> sink_transposes_rewrites();
/// quantize.cpp: float operators on dequantised operands, as operators on the quantised ones.
std::span<const Rewrite> quantize_rewrites();
/// quantize.cpp: those whose results are not quantised again.
std::span<const Rewrite> quantize_operands_rewrites();
/// quantize.cpp: the integer operator for an operator on dequantised operands; nullopt: there is none.
std::optional<OperatorId> on_quantized(OperatorId op);
/// block_quantize.cpp: products with constant block-quantised weights.
std::span<const Rewrite> block_quantize_rewrites();
/// fold_into.cpp: folds linear operators behind convolutions and matrix products into their constants.
std::span<const Rewrite> fold_into_rewrites();
/// fold_into.cpp: batchNormalization with constant statistics, as elementwise operators.
std::span<const Rewrite> unfold_normalization_rewrites();

/// divide_concats.cpp: pooling and pointwise convolutions of a concat, as those of its parts.
std::span<const Rewrite> divide_concats_rewrites();

}  // namespace webnn::compiler
