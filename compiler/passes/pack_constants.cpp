// pack_constants: constant operands that a kernel row wants in a private form -> that form, packed once at compile time
// and not whenever a program is loaded.
//
//   conv2d(x, w:constant) by a row with packs = 0b10   -> w's bytes as packed by the kernel's `pack`
//   two nodes that want the same form of one constant -> they share it
#include <map>
#include <tuple>

#include "compiler/ir/free_name.hpp"
#include "compiler/passes/parts/planned_spec.hpp"
#include "compiler/passes/passes.hpp"

namespace webnn::compiler {
namespace {

class Packer {
 public:
  explicit Packer(Unit& unit) : unit_(unit), graph_(unit.graph) {}

  void run() {
    for (const NodeId id : graph_.order()) {
      const std::uint8_t packs = row(unit_.plan.kernel[id.index]).packs;
      for (std::size_t i = 0; i < graph_.node(id).inputs.size() && i < 8; ++i)
        if ((packs >> i) & 1u) pack(id, i);
    }
  }

 private:
  void pack(NodeId id, std::size_t operand) {
    const ValueId constant = graph_.node(id).inputs[operand];
    if (!graph_.is_constant(constant) || layout_of(unit_.plan, constant) != Layout::row_major) return;
    const Bytes data = graph_.value(constant).data;
    const OperandDescriptor descriptor = graph_.value(constant).descriptor;
    auto packed = unit_.options.pack(unit_.plan.kernel[id.index], planned_spec(unit_, id), operand, data.view());
    if (!packed) return;
    if (unit_.options.release) unit_.options.release(data);
    const auto [known, is_new] = packed_.try_emplace({data.data(), data.size(), packed->form});
    if (is_new) {
      known->second = graph_.add_constant(derived_name(graph_.value(constant).name, "_packed"), descriptor, data);
      unit_.plan.layout.resize(graph_.value_count(), Layout::row_major);
      unit_.plan.packed.resize(graph_.value_count());
      unit_.plan.layout[known->second.index] = Layout::private_form;
      unit_.plan.packed[known->second.index] = std::move(*packed);
    }
    graph_.set_input(id, operand, known->second);
  }

  Unit& unit_;
  Graph& graph_;
  std::map<std::tuple<const std::byte*, std::size_t, std::string>, ValueId> packed_;  // by data and form
};

}  // namespace

void pack_constants(Unit& unit) {
  if (unit.options.pack) Packer(unit).run();
}

}  // namespace webnn::compiler
