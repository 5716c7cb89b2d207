// decompose: a node that no kernel takes -> operators that kernels take.
//
//   softmax(x)             -> div(e, reduceSum(e)), and everything else in rewrites/decompose.cpp
//   gemm(a, b) on float16  -> cast(gemm(cast(a), cast(b))) on float32: it rounds once, as the operator does
//   the same where only a reference kernel takes float16; between widened nodes nothing is rounded
//
// A node that a kernel takes stays whole.
#include <algorithm>
#include <cmath>
#include <map>

#include "compiler/ir/free_name.hpp"
#include "compiler/passes/parts/choose_kernel.hpp"
#include "compiler/passes/passes.hpp"
#include "compiler/rewrites/rewrite.hpp"
#include "schema/elements/half.hpp"
#include "schema/operators/elementwise.hpp"

namespace webnn::compiler {
namespace {

class Decomposer {
 public:
  explicit Decomposer(Unit& unit) : graph_(unit.graph), options_(unit.options) {}

  void run() {
    // Terminates: no row leads back to an operator that was decomposed, and a widened node is no longer float16.
    std::vector<NodeId> work = graph_.order();
    for (std::size_t next = 0; next < work.size(); ++next) {
      const NodeId id = work[next];
      if (!graph_.node(id).alive || !graph_.node(id).post_ops.empty()) continue;
      const KernelSpec spec = graph_.spec(id);
      const auto kernel = choose_whole(spec);
      const auto first_new = std::uint32_t(graph_.node_count());
      if (kernel) {
        if (is_slow(*kernel, spec) ? is_worth_casts(id) : stays_wide(id)) widen(id, true);
      } else if (!widen(id, false)) {
        rewrites().apply_at(graph_, id);
      }
      for (std::uint32_t added = first_new; added < graph_.node_count(); ++added) work.push_back({added});
    }
  }

 private:
  static const RewriteSet& rewrites() {
    static const RewriteSet set(decompose_rewrites());
    return set;
  }

  /// A kernel of another device is the last resort, after decomposition, unless its provider was requested.
  std::optional<KernelId> choose_whole(const KernelSpec& spec) const {
    return options_.kernels.empty() ? choose_own_kernel(spec, options_) : choose_kernel(spec, options_);
  }

  /// Whether the kernel is slow, and was not requested.
  bool is_slow(KernelId kernel, const KernelSpec& spec) const {
    return options_.kernels.empty() && compiler::is_slow(kernel, spec, options_);
  }

  /// Whether a fast kernel saves more than the casts cost: when there is much arithmetic per element, or an operand was
  /// computed in float32.
  bool is_worth_casts(NodeId id) const {
    const Node& node = graph_.node(id);
    switch (row(node.op).family) {
      case Family::convolution:
      case Family::contraction:
      case Family::recurrent:
        return true;
      default:
        return std::ranges::any_of(node.inputs, [&](ValueId input) { return wide_.contains(input); });
    }
  }

  /// Whether a node behind float32 nodes stays float32: movement if all of its operands do, arithmetic if any does, so
  /// that results are rounded once, where float16 leaves the graph or is needed. What takes such results rounded does
  /// not.
  bool stays_wide(NodeId id) const {
    const Node& node = graph_.node(id);
    const auto is_wide = [&](ValueId input) { return wide_.contains(input); };
    for (std::size_t place = 0; place < node.inputs.size(); ++place)
      if (is_wide(node.inputs[place]) && rounds_before(node, place)) return false;
    switch (row(node.op).family) {
      case Family::view:
      case Family::movement:
        return std::ranges::all_of(node.inputs, is_wide);
      case Family::unary:
      case Family::binary:
      case Family::window:
      case Family::reduction:
      case Family::normalization:
      case Family::softmax:
      case Family::resample:
        return std::ranges::any_of(node.inputs, is_wide);
      default:
        return false;
    }
  }

  /// Whether a node takes an operand as float16 has it, even where it has been computed in float32.
  bool rounds_before(const Node& node, std::size_t place) const {
    const bool all_are_wide = std::ranges::all_of(node.inputs, [&](ValueId input) { return wide_.contains(input); });
    return takes_rounded(node.op, place, all_are_wide);
  }

  bool is_half(ValueId id) const { return id.valid() && graph_.value(id).descriptor.type == DataType::float16; }

  ValueId cast(ValueId from, DataType type, const std::string& name, std::string_view label) {
    Attributes attributes(1);
    attributes[0] = type;
    return graph_.node(graph_.add_node("cast"_op, {from}, std::move(attributes), {&name, 1}, derived_name(label)))
        .outputs[0];
  }

  /// The node's attributes, with real ones rounded to float16 as the operator uses them. Nullopt when one becomes
  /// infinite, which is not allowed.
  std::optional<Attributes> rounded_to_half(NodeId id) const {
    const Node& node = graph_.node(id);
    const auto operands = graph_.operands(id);
    const OperatorCall call(node.op, operands, node.attributes);
    Attributes attributes = node.attributes;
    for (std::size_t i = 0; i < attributes.size(); ++i) {
      if (row(node.op).attributes[i].kind != AttributeKind::real) continue;
      const auto rounded = double(float(Half(float(call.real(row(node.op).attributes[i].name)))));
      if (!std::isfinite(rounded)) return std::nullopt;
      attributes[i] = rounded;
    }
    return attributes;
  }

  /// The float32 value that a float16 value was rounded from, or a cast of it.
  ValueId widened(ValueId half, const std::string& label) {
    if (const auto known = wide_.find(half); known != wide_.end()) return known->second;
    const ValueId wide = cast(half, DataType::float32, derived_name(graph_.value(half).name), label);
    wide_.emplace(half, wide);
    return wide;
  }

  /// Replaces a float16 node by the same node on float32 between casts, if that gives it a kernel at all, or a fast
  /// one.
  bool widen(NodeId id, bool for_speed) {
    const Node node = graph_.node(id);
    if (node.op == "cast"_op || std::ranges::none_of(node.inputs, [&](ValueId input) { return is_half(input); }))
      return false;
    KernelSpec spec = graph_.spec(id);
    bool fits = true;
    const auto enlarge = [&](OperandDescriptor& descriptor) {
      if (descriptor.type != DataType::float16) return;
      descriptor.type = DataType::float32;
      fits = fits && descriptor_error(descriptor).empty();  // a tensor with twice the bytes may be too large
    };
    for (auto& input : spec.inputs)
      if (input) enlarge(*input);
    for (OperandDescriptor& output : spec.outputs) enlarge(output);
    auto attributes = rounded_to_half(id);
    if (!fits || !attributes) return false;
    const auto kernel = choose_whole(spec);
    if (for_speed ? !kernel || is_slow(*kernel, spec) : !kernel && !rewrites().speaks_of(node.op)) return false;

    std::vector<ValueId> inputs;
    for (std::size_t place = 0; place < node.inputs.size(); ++place) {
      const ValueId input = node.inputs[place];
      if (!is_half(input))
        inputs.push_back(input);
      else if (wide_.contains(input) && rounds_before(node, place))
        inputs.push_back(cast(input, DataType::float32, derived_name(graph_.value(input).name), node.label));
      else
        inputs.push_back(widened(input, node.label));
    }
    std::vector<std::string> names;
    for (const ValueId output : node.outputs) names.push_back(graph_.value(output).name);
    const NodeId wide = graph_.add_node(node.op, std::move(inputs), std::move(*attributes), names, node.label);
    std::vector<ValueId> results = graph_.node(wide).outputs;
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (is_half(node.outputs[i])) {
        const ValueId wide_result = results[i];
        results[i] = cast(wide_result, DataType::float16, names[i], node.label);
        wide_.emplace(results[i], wide_result);
      }
      graph_.replace_uses(node.outputs[i], results[i]);
    }
    graph_.erase(id);
    for (std::size_t i = 0; i < results.size(); ++i) graph_.rename(results[i], names[i]);
    return true;
  }

  Graph& graph_;
  const Options& options_;
  std::map<ValueId, ValueId> wide_;  // by float16 value
};

}  // namespace

void decompose(Unit& unit) { Decomposer(unit).run(); }

}  // namespace webnn::compiler
