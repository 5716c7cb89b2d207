// quantize: float operators between dequantizeLinear and quantizeLinear -> operators on the quantised numbers, where
// the target has fast kernels for these; see rewrites/quantize.cpp and rewrites/block_quantize.cpp.
//
//   quantizeLinear(relu(conv2d(dequantizeLinear(x, ..), dequantizeLinear(w, ..), b)), ..)
//     -> @quantizedConv2d(x, w, b, ..)
//   gemm(dequantizeLinear(x, ..), dequantizeLinear(w, ..), b)  -> such a convolution to floats
//   quantizeLinear(concat(dequantizeLinear(x, ..), ..))        -> concat of the quantised numbers
//   quantizeLinear(tanh(dequantizeLinear(x, ..)), ..)          -> @byteTable(x, table), see byte_tables.hpp
//   split(dequantizeLinear(x, ..))                             -> dequantizeLinear of the parts of x
//   matmul(x, dequantizeLinear(w:constant, ..))                -> @blockQuantizedMatmul(x, w, ..)
//
// Before fold_constants, which would write quantised weights out as floats.
#include <algorithm>

#include "compiler/passes/byte_tables.hpp"
#include "compiler/passes/choose_kernel.hpp"
#include "compiler/passes/constant_folder.hpp"
#include "compiler/passes/passes.hpp"
#include "compiler/rewrites/rewrite.hpp"

namespace webnn::compiler {
namespace {

/// Whether a kernel that is no reference kernel may be chosen for some call of the operator.
bool has_fast_kernel(OperatorId op, const Options& options) {
  KernelSpec call;
  call.op = op;
  return std::ranges::any_of(kernel_table(), [&](const KernelRow& candidate) {
    return candidate.op == row(op).name && candidate.device == options.target.device &&
           includes(options.target.features, candidate.features) && candidate.provider() != "reference" &&
           (options.kernels.empty() || candidate.provider() == options.kernels) &&
           (!options.available || options.available(candidate, call));
  });
}

/// Whether the operator on quantised numbers that a replacement ends with, if any, gets such a kernel, too. What moves
/// bytes may vanish yet.
class FastKernels {
 public:
  explicit FastKernels(const Options& options) : options_(options) {}

  bool operator()(const Graph& graph, NodeId, NodeId added) const {
    for (;;) {
      const Node& node = graph.node(added);
      const Family family = row(node.op).family;
      const bool moves = family == Family::view || family == Family::movement || node.op == "dequantizeLinear"_op;
      if (!moves && reads_integers(graph, node)) break;
      added = graph.value(node.inputs[0]).producer;
      if (!(moves || family == Family::binary) || !added.valid()) return true;
    }
    KernelSpec spec = graph.spec(added);
    spec.constants = 0b1111'1110;  // they are not folded yet
    const auto kernel = choose_kernel(spec, options_);
    return kernel && row(*kernel).provider() != "reference" &&
           (options_.kernels.empty() || row(*kernel).provider() == options_.kernels);
  }

 private:
  /// Whether the first operand is quantised, or the weights alone of a product.
  static bool reads_integers(const Graph& graph, const Node& node) {
    const auto is_quantized = [&](std::size_t operand) {
      const DataType type = graph.value(node.inputs[operand]).descriptor.type;
      return !is_float(type) && bits_of(type) <= 8;
    };
    return is_quantized(0) || (row(node.op).family == Family::contraction && is_quantized(1));
  }

  const Options& options_;
};

/// quantizeLinear(concat(dequantizeLinear(a), ..)) -> concat(quantizeLinear(dequantizeLinear(a)), ..), where the
/// numbers often come back as they were. Gives whether there was one.
bool quantize_parts_of_concats(Graph& graph) {
  const auto is_dequantized = [&](ValueId value) {
    return graph.value(value).kind == Value::Kind::result &&
           graph.node(graph.value(value).producer).op == "dequantizeLinear"_op;
  };
  bool found = false;
  for (const NodeId id : graph.order()) {
    const Node node = graph.node(id);  // a copy: nodes are added
    if (node.op != "quantizeLinear"_op || graph.value(node.inputs[0]).kind != Value::Kind::result ||
        element_count(graph.value(node.inputs[1]).descriptor.shape) != 1 || graph.use_count(node.inputs[0]) != 1)
      continue;
    const NodeId before = graph.value(node.inputs[0]).producer;
    const Node concat = graph.node(before);
    if (concat.op != "concat"_op || !std::ranges::all_of(concat.inputs, is_dequantized)) continue;
    std::vector<ValueId> parts;
    for (const ValueId input : concat.inputs) {
      const NodeId part = graph.add_node(node.op, {input, node.inputs[1], node.inputs[2]}, {}, {}, node.label);
      parts.push_back(graph.node(part).outputs[0]);
    }
    const NodeId joined = graph.add_node(concat.op, std::move(parts), concat.attributes, {}, concat.label);
    const ValueId old = node.outputs[0], result = graph.node(joined).outputs[0];
    const std::string name = graph.value(old).name;
    graph.replace_uses(old, result);
    graph.erase(id);
    graph.erase(before);
    graph.rename(result, name);
    found = true;
  }
  return found;
}

/// split(dequantizeLinear(x)) -> dequantizeLinear of each part of split(x). Gives whether there was one.
bool split_quantized(Graph& graph) {
  bool found = false;
  for (const NodeId id : graph.order()) {
    const Node node = graph.node(id);  // a copy: nodes are added
    std::vector<std::pair<ValueId, std::string>> names;
    if (node.op != "split"_op || graph.value(node.inputs[0]).kind != Value::Kind::result) continue;
    const Node before = graph.node(graph.value(node.inputs[0]).producer);
    if (before.op != "dequantizeLinear"_op || element_count(graph.value(before.inputs[1]).descriptor.shape) != 1)
      continue;
    const NodeId parts = graph.add_node(node.op, {before.inputs[0]}, node.attributes, {}, node.label);
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      const ValueId part = graph.node(parts).outputs[i], old = node.outputs[i];
      const NodeId read =
          graph.add_node(before.op, {part, before.inputs[1], before.inputs[2]}, before.attributes, {}, before.label);
      const std::string name = graph.value(old).name;
      graph.replace_uses(old, graph.node(read).outputs[0]);
      names.emplace_back(graph.node(read).outputs[0], name);
    }
    graph.erase(id);
    for (const auto& [value, name] : names) graph.rename(value, name);
    found = true;
  }
  return found;
}

/// Scales and zero points that were reshaped or transposed are constants again, as patterns ask. So are lists with one
/// element for each channel, however few scales they repeat: some kernels ask for constants.
void fold_scales(Unit& unit) {
  constexpr std::uint64_t growth = 2, growth_of_lists = 1u << 16;
  ConstantFolder folder(unit);
  for (const NodeId id : unit.graph.order()) {
    const Node& node = unit.graph.node(id);
    if (node.op == "dequantizeLinear"_op) continue;
    const bool is_list = unit.graph.value(node.outputs[0]).descriptor.shape.rank() == 1;
    folder.fold(id, is_list ? growth_of_lists : growth);
  }
}

}  // namespace

void quantize(Unit& unit) {
  static const RewriteSet rewrites(quantize_rewrites()), operands(quantize_operands_rewrites());
  static const RewriteSet block_weights(block_quantize_rewrites());
  const FastKernels acceptable(unit.options);
  while (rewrites.apply(unit.graph, acceptable) != 0 || quantize_parts_of_concats(unit.graph) ||
         split_quantized(unit.graph))
    fold_scales(unit);
  make_byte_tables(unit, acceptable);
  if (operands.apply(unit.graph, acceptable) != 0) fold_scales(unit);
  if (has_fast_kernel("@blockQuantizedMatmul"_op, unit.options))
    while (block_weights.apply(unit.graph, acceptable) != 0) fold_scales(unit);
}

}  // namespace webnn::compiler
