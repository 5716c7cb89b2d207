// fold_into: linear operators with constants behind a convolution or matrix product -> its filter and bias; see
// rewrites/fold_into.cpp.
//
//   batchNormalization(conv2d(x, w)) -> conv2d(x, w', bias=b')
//   the same on float16              -> add(mul(d = conv2d(x, w, bias=-m), s), mul(d, rest of s)), where a kernel applies
//                                       them to its sums before it rounds
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

/// The convolution or product with constant weights that only the normalization reads; an invalid id: none.
NodeId product_before(const Graph& graph, NodeId normalization) {
  const ValueId input = graph.node(normalization).inputs[0];
  const Value& value = graph.value(input);
  if (value.kind != Value::Kind::result || graph.use_count(input) != 1) return {};
  const Node& before = graph.node(value.producer);
  const Family family = row(before.op).family;
  const bool is_product = family == Family::convolution || family == Family::contraction;
  return is_product && before.post_ops.empty() && graph.is_constant(before.inputs[1]) ? value.producer : NodeId();
}

/// Whether the product's kernel applies what the normalization is written out as, to sums that are not rounded yet.
bool applies(const Unit& unit, NodeId product, NodeId normalization) {
  KernelSpec spec = unit.graph.spec(product);
  const auto kernel = choose_own_kernel(spec, unit.options);
  if (!kernel) return false;
  const std::vector<const OperandDescriptor*> operands = unit.graph.operands(normalization);
  const std::uint32_t axis =
      OperatorCall("batchNormalization"_op, operands, unit.graph.node(normalization).attributes).u32("axis");
  OperandDescriptor channels = spec.outputs[0];
  for (unsigned i = 0; i < channels.shape.rank(); ++i)
    if (i != axis) channels.shape[i] = 1;
  const double usual_slowness = slowness(row(*kernel), spec, unit.options.target);
  const ResultOf sum = running_result(spec);
  const auto append = [&](OperatorId op, ResultOf of) {
    if (spec.inputs.size() < 8) spec.constants |= std::uint8_t(1u << spec.inputs.size());
    append_post_op(spec, op, {}, {of, std::optional(channels)});
    return running_result(spec);
  };
  const ResultOf difference = append("sub"_op, sum);  // where it is not folded into a bias
  const ResultOf product_with_factor = append("mul"_op, difference), product_with_rest = append("mul"_op, difference);
  append_post_op(spec, "add"_op, {}, {product_with_factor, product_with_rest});
  append("add"_op, running_result(spec));
  return choose_variant(spec, unit.options, *kernel, usual_slowness).has_value();
}

/// Whether the normalization should be written out: to be folded into the operator before it, or to use faster kernels.
bool better_unfolded(const Unit& unit, NodeId id) {
  const Graph& graph = unit.graph;
  const Value& value = graph.value(graph.node(id).inputs[0]);
  const NodeId product = product_before(graph, id);
  if (value.descriptor.type != DataType::float32)  // each operator of its own would round
    return product.valid() && applies(unit, product, id);
  if (product.valid()) return true;
  KernelSpec product_of_elements;
  product_of_elements.op = "mul"_op;
  product_of_elements.inputs = {value.descriptor, value.descriptor};
  product_of_elements.outputs = {value.descriptor};
  return runs_slowly(graph.spec(id), unit.options) && !runs_slowly(product_of_elements, unit.options);
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
  std::size_t rounds = most_rounds(unit.graph);
  for (bool changed = true; changed && rounds > 0; --rounds) {  // after folding, the next operator follows the product
    changed = unfold_normalizations(unit);
    folder.run();
    changed = rewrites.apply(unit.graph) != 0 || changed;
  }
}

}  // namespace webnn::compiler
