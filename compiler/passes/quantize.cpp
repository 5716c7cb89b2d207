// quantize: float operators between dequantizeLinear and quantizeLinear -> operators on the quantised numbers, if the
// target has fast kernels for these; see rewrites/quantize.cpp and rewrites/block_quantize.cpp.
//
//   quantizeLinear(relu(conv2d(dequantizeLinear(x, ..), dequantizeLinear(w, ..), b)), ..)
//     -> @quantizedConv2d(x, w, b, ..)
//   gemm(dequantizeLinear(x, ..), dequantizeLinear(w, ..), b)  -> such a convolution to floats
//   quantizeLinear(concat(dequantizeLinear(x, ..), ..))        -> concat of the quantised numbers
//   quantizeLinear(tanh(dequantizeLinear(x, ..)), ..)          -> @byteTable(x, table), see byte_tables.hpp
//   split(dequantizeLinear(x, ..))                             -> dequantizeLinear of the parts of x
//   matmul(x, dequantizeLinear(w:constant, ..))                -> @blockQuantizedMatmul(x, w, ..)
//
// Runs before fold_constants, which would expand quantised weights to floats.
#include <algorithm>

#include "compiler/ir/addition.hpp"
#include "compiler/passes/parts/byte_tables.hpp"
#include "compiler/passes/parts/choose_kernel.hpp"
#include "compiler/passes/parts/constant_folder.hpp"
#include "compiler/passes/passes.hpp"
#include "compiler/rewrites/rewrite.hpp"

namespace webnn::compiler {
namespace {

/// Whether a kernel that is not slow may be chosen for some call of the operator.
bool has_fast_kernel(OperatorId op, const Options& options) {
  KernelSpec call;
  call.op = op;
  return std::ranges::any_of(options.kernel_table, [&](const KernelRow& candidate) {
    return candidate.op == row(op).name && candidate.device == options.target.device &&
           includes(options.target.features, candidate.features) && candidate.factor < slow &&
           is_preferred({&candidate}, options) && (!options.available || options.available(candidate, call));
  });
}

/// Whether the first operand is quantised, or, for a product, only the weights.
bool reads_integers(const Graph& graph, const Node& node) {
  const auto is_quantized = [&](std::size_t operand) {
    const DataType type = graph.value(node.inputs[operand]).descriptor.type;
    return !is_float(type) && bits_of(type) <= 8;
  };
  return is_quantized(0) || (row(node.op).family == Family::contraction && is_quantized(1));
}

/// Whether a clamp should move behind the quantizeLinear because the operator before it becomes an operator on
/// quantised numbers. On floats, limits cost nothing where they were.
bool limits_quantized(const Graph& graph, NodeId clamp, const Options& options) {
  const auto before = [&](NodeId id) { return graph.value(graph.node(id).inputs[0]).producer; };
  const NodeId quantize = before(clamp);
  if (!quantize.valid() || graph.node(quantize).op != "quantizeLinear"_op || !before(quantize).valid()) return true;
  const auto op = on_quantized(graph.node(before(quantize)).op);
  return !op || has_fast_kernel(*op, options);
}

/// Whether the operator on quantised numbers that a replacement ends with gets a fast kernel. Operators that only move
/// bytes may still vanish.
bool ends_in_fast_kernel(const Graph& graph, NodeId added, const Options& options) {
  for (;;) {
    const Node& node = graph.node(added);
    const Family family = row(node.op).family;
    const bool moves = family == Family::view || family == Family::movement || node.op == "dequantizeLinear"_op;
    if (!moves && reads_integers(graph, node)) break;
    added = graph.value(node.inputs[0]).producer;
    if (!(moves || family == Family::binary) || !added.valid()) return true;
  }
  if (graph.node(added).op == "clamp"_op && !limits_quantized(graph, added, options)) return false;
  KernelSpec spec = graph.spec(added);
  spec.constants = 0b1111'1110;  // they will be folded
  const auto kernel = choose_kernel(spec, options);
  return kernel && !is_slow(*kernel, spec, options) && is_preferred(*kernel, options);
}

/// quantizeLinear(concat(dequantizeLinear(a), ..)) -> concat(quantizeLinear(dequantizeLinear(a)), ..), which often
/// requantises to the same numbers. Returns whether one was found.
bool quantize_parts_of_concats(Graph& graph) {
  const auto is_dequantized = [&](ValueId value) {
    return graph.value(value).kind == Value::Kind::result &&
           graph.node(graph.value(value).producer).op == "dequantizeLinear"_op;
  };
  bool found = false;
  for (const NodeId id : graph.order()) {
    const Node node = graph.node(id);  // a copy, because nodes are added
    if (node.op != "quantizeLinear"_op || graph.value(node.inputs[0]).kind != Value::Kind::result ||
        element_count(graph.value(node.inputs[1]).descriptor.shape) != 1 || graph.use_count(node.inputs[0]) != 1)
      continue;
    const NodeId before = graph.value(node.inputs[0]).producer;
    const Node concat = graph.node(before);
    if (concat.op != "concat"_op || !std::ranges::all_of(concat.inputs, is_dequantized)) continue;
    Addition addition(graph);
    std::vector<ValueId> parts;
    for (const ValueId input : concat.inputs)
      parts.push_back(addition.value(node.op, {input, node.inputs[1], node.inputs[2]}, {}, node.label));
    const ValueId old = node.outputs[0],
                  result = addition.value(concat.op, std::move(parts), concat.attributes, concat.label);
    if (addition.failed()) continue;  // there is no such concat for 4-bit numbers
    addition.keep();
    const std::string name = graph.value(old).name;
    graph.replace_uses(old, result);
    graph.erase(id);
    graph.erase(before);
    graph.rename(result, name);
    found = true;
  }
  return found;
}

/// split(dequantizeLinear(x)) -> dequantizeLinear of each part of split(x). Returns whether one was found.
bool split_quantized(Graph& graph) {
  bool found = false;
  for (const NodeId id : graph.order()) {
    const Node node = graph.node(id);  // a copy, because nodes are added
    std::vector<std::pair<ValueId, std::string>> names;
    if (node.op != "split"_op || graph.value(node.inputs[0]).kind != Value::Kind::result) continue;
    const Node before = graph.node(graph.value(node.inputs[0]).producer);
    if (before.op != "dequantizeLinear"_op || element_count(graph.value(before.inputs[1]).descriptor.shape) != 1)
      continue;
    Addition addition(graph);
    const NodeId parts = addition.node(node.op, {before.inputs[0]}, node.attributes, node.label);
    std::vector<ValueId> results;
    for (std::size_t i = 0; i < node.outputs.size() && !addition.failed(); ++i)
      results.push_back(addition.value(before.op, {graph.node(parts).outputs[i], before.inputs[1], before.inputs[2]},
                                       before.attributes, before.label));
    if (addition.failed()) continue;  // there is no split for 4-bit numbers
    addition.keep();
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      names.emplace_back(results[i], graph.value(node.outputs[i]).name);
      graph.replace_uses(node.outputs[i], results[i]);
    }
    graph.erase(id);
    for (const auto& [value, name] : names) graph.rename(value, name);
    found = true;
  }
  return found;
}

/// Folds constant expressions, because patterns require constants: reshaped and transposed scales, zero points and
/// weights, if that does not enlarge them. Lists with one element per channel are folded even if they repeat a few
/// scales, because some kernels require constants.
void fold_what_stays_small(const Graph& graph, ConstantFolder& folder) {
  constexpr std::uint64_t growth = 2, growth_of_lists = 1u << 16;
  for (const NodeId id : graph.order()) {
    const Node& node = graph.node(id);
    if (node.op == "dequantizeLinear"_op) continue;
    const bool is_list = graph.value(node.outputs[0]).descriptor.shape.rank() == 1;
    folder.fold(id, is_list ? growth_of_lists : growth);
  }
}

}  // namespace

void quantize(Unit& unit) {
  static const RewriteSet rewrites(quantize_rewrites()), operands(quantize_operands_rewrites());
  static const RewriteSet block_weights(block_quantize_rewrites());
  const auto acceptable = [&](const Graph& graph, NodeId, NodeId added) {
    return ends_in_fast_kernel(graph, added, unit.options);
  };
  ConstantFolder folder(unit);
  std::size_t rounds = most_rounds(unit.graph);
  while (rounds-- > 0 && (rewrites.apply(unit.graph, acceptable) != 0 || quantize_parts_of_concats(unit.graph) ||
                          split_quantized(unit.graph)))
    fold_what_stays_small(unit.graph, folder);
  if (has_fast_kernel("@byteTable"_op, unit.options)) make_byte_tables(unit, acceptable);
  if (operands.apply(unit.graph, acceptable) != 0) fold_what_stays_small(unit.graph, folder);
  if (has_fast_kernel("@blockQuantizedMatmul"_op, unit.options))
    for (rounds = most_rounds(unit.graph); rounds > 0 && block_weights.apply(unit.graph, acceptable) != 0; --rounds)
      fold_what_stays_small(unit.graph, folder);
}

}  // namespace webnn::compiler
