// fold_into: linear operators with constants behind a convolution or matrix product -> its filter and bias; see
// rewrites/fold_into.cpp.
//
//   batchNormalization(conv2d(x, w)) -> conv2d(x, w', bias=b')
//   add(gemm(x, w), c)               -> gemm(x, w, c=c)
//   conv2d(x, dequantizeLinear(w))   -> conv2d(x, w') with float weights: larger, but not recomputed in every run
//   batchNormalization(x) elsewhere  -> add(mul(sub(x, m), s), b), if elementwise kernels are faster than its own
#include "compiler/passes/parts/choose_kernel.hpp"
#include "compiler/passes/parts/constant_folder.hpp"
#include "compiler/passes/passes.hpp"
#include "compiler/rewrites/rewrite.hpp"

namespace webnn::compiler {
namespace {

bool runs_slowly(const KernelSpec& spec, const Options& options) {
  const auto kernel = choose_kernel(spec, options);
  return kernel && is_slow(*kernel, spec, options);
}

/// Whether the normalization should be written out: to be folded into the operator before it, or to use faster kernels.
bool better_unfolded(const Unit& unit, NodeId id) {
  const Graph& graph = unit.graph;
  const ValueId input = graph.node(id).inputs[0];
  const Value& value = graph.value(input);
  if (value.descriptor.type != DataType::float32) return false;  // each operator would round
  if (value.kind == Value::Kind::result && graph.use_count(input) == 1) {
    const Node& before = graph.node(value.producer);
    const Family family = row(before.op).family;
    if ((family == Family::convolution || family == Family::contraction) && before.post_ops.empty() &&
        graph.is_constant(before.inputs[1]))
      return true;
  }
  KernelSpec product;
  product.op = "mul"_op;
  product.inputs = {value.descriptor, value.descriptor};
  product.outputs = {value.descriptor};
  return runs_slowly(graph.spec(id), unit.options) && !runs_slowly(product, unit.options);
}

bool unfold_normalizations(Unit& unit) {
  static const RewriteSet rewrites(unfold_normalization_rewrites());
  bool changed = false;
  for (const NodeId id : unit.graph.order()) {
    if (unit.graph.node(id).op != "batchNormalization"_op || !better_unfolded(unit, id)) continue;
    const ValueId result = rewrites.apply_at(unit.graph, id);
    if (!result.valid()) continue;
    changed = true;
    for (const ValueId operand : unit.graph.node(unit.graph.value(result).producer).inputs)  // the bias was split off
      if (unit.graph.value(operand).kind == Value::Kind::result)
        rewrites.apply_at(unit.graph, unit.graph.value(operand).producer);
  }
  return changed;
}

constexpr std::uint64_t most_growth = 8;  // from 4 bits to 32

/// Dequantises filters and biases stored in few bits.
void fold_quantized_operands(const Graph& graph, ConstantFolder& folder) {
  for (const NodeId id : graph.order()) {
    const Family family = row(graph.node(id).op).family;
    if (family != Family::convolution && family != Family::contraction) continue;
    const std::vector<ValueId> operands = graph.node(id).inputs;
    for (const ValueId operand : std::span(operands).subspan(1))
      if (operand.valid() && graph.value(operand).kind == Value::Kind::result &&
          graph.node(graph.value(operand).producer).op == "dequantizeLinear"_op)
        folder.fold(graph.value(operand).producer, most_growth);
  }
}

}  // namespace

void fold_into(Unit& unit) {
  static const RewriteSet rewrites(fold_into_rewrites());
  if (!unit.options.evaluate) return;
  ConstantFolder folder(unit, most_growth);
  fold_quantized_operands(unit.graph, folder);
  for (bool changed = true; changed;) {  // after folding, the next operator follows the convolution
    changed = unfold_normalizations(unit);
    folder.run();
    changed = rewrites.apply(unit.graph) != 0 || changed;
  }
}

}  // namespace webnn::compiler
