// pad_operands: an operand that a kernel reads past the end of, in memory where that is not allowed -> a copy in the
// arena.
//
//   conv2d(x) by a row with overreads = 0b01, x a graph input, a constant or a graph output  -> conv2d(identity(x))
//   the same, and x is channels-last                                                          -> conv2d(@reorder(x))
//   two such kernels for one value                                                            -> they share the copy
//
// plan_memory keeps such values of the arena there: none of them shares memory with an input or an output.
#include <map>

#include "compiler/ir/free_name.hpp"
#include "compiler/passes/parts/choose_kernel.hpp"
#include "compiler/passes/parts/planned_spec.hpp"
#include "compiler/passes/passes.hpp"

namespace webnn::compiler {
namespace {

class Padder {
 public:
  explicit Padder(Unit& unit) : unit_(unit), graph_(unit.graph) {}

  void run() {
    for (const NodeId id : graph_.order()) {
      const std::uint8_t overreads = row(unit_.plan.kernel[id.index]).overreads;
      for (std::size_t i = 0; i < graph_.node(id).inputs.size() && i < 8; ++i)
        if (const ValueId input = graph_.node(id).inputs[i]; ((overreads >> i) & 1u) && input.valid())
          if (graph_.value(input).kind != Value::Kind::result || graph_.is_output(input))
            graph_.set_input(id, i, copy_of(input));
    }
  }

 private:
  ValueId copy_of(ValueId value) {
    const auto [found, is_new] = copies_.try_emplace(value);
    if (!is_new) return found->second;
    const std::string name = derived_name(graph_.value(value).name, "_padded");
    // Not every kernel of identity takes channels-last values; those of @reorder do.
    const bool row_major = unit_.plan.layout[value.index] == Layout::row_major;
    const NodeId node = graph_.add_node(row_major ? "identity"_op : "@reorder"_op, {value}, {}, {&name, 1}, name);
    found->second = graph_.node(node).outputs[0];
    unit_.plan.layout.resize(graph_.value_count(), Layout::row_major);
    unit_.plan.layout[found->second.index] = unit_.plan.layout[value.index];
    unit_.plan.kernel.resize(graph_.node_count());
    if (const auto kernel = choose_kernel(planned_spec(unit_, node), unit_.options))
      unit_.plan.kernel[node.index] = *kernel;
    else
      unit_.diagnostics.error(Code::no_kernel, {}, "no kernel copies " + graph_.value(value).descriptor.text());
    return found->second;
  }

  Unit& unit_;
  Graph& graph_;
  std::map<ValueId, ValueId> copies_;
};

}  // namespace

void pad_operands(Unit& unit) { Padder(unit).run(); }

}  // namespace webnn::compiler
