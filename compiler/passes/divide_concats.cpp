// divide_concats: what pooling and pointwise convolutions make of a concat -> of its parts, where that moves fewer bytes; see
// rewrites/divide_concats.cpp.
//
//   maxPool2d(concat(x, y))  -> concat(maxPool2d(x), maxPool2d(y)), if the results are smaller
//   conv2d(concat(x, y), w)  -> add(conv2d(x, w'), conv2d(y, w'')), if there are few output channels
#include "compiler/passes/parts/constant_folder.hpp"
#include "compiler/passes/passes.hpp"
#include "compiler/rewrites/rewrite.hpp"

namespace webnn::compiler {

void divide_concats(Unit& unit) {
  static const RewriteSet rewrites(divide_concats_rewrites());
  if (!unit.options.evaluate) return;  // a filter that is not folded would be divided in every run
  const auto folds = [&](const Graph& graph, NodeId replaced, NodeId) {
    const Node& node = graph.node(replaced);
    return node.op != "conv2d"_op ||
           byte_length(graph.value(node.inputs[1]).descriptor) <= unit.options.fold_limit_bytes;
  };
  if (rewrites.apply(unit.graph, folds) != 0) ConstantFolder(unit).run();
}

}  // namespace webnn::compiler
