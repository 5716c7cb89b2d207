#include "compiler/passes/parts/planned_spec.hpp"

#include <algorithm>

#include "schema/view.hpp"

namespace webnn::compiler {

Layout layout_of(const Plan& plan, ValueId id) {
  return id.valid() && id.index < plan.layout.size() ? plan.layout[id.index] : Layout::row_major;
}

KernelSpec planned_spec(const Unit& unit, NodeId id) {
  const Node& node = unit.graph.node(id);
  KernelSpec spec = unit.graph.spec(id);
  const auto is_plain = [&](ValueId value) { return layout_of(unit.plan, value) == Layout::row_major; };
  // Lists stay empty if everything is row-major, so that equal specs compare equal however they were made.
  if (!std::ranges::all_of(node.outputs, is_plain))
    for (const ValueId output : node.outputs) spec.output_layouts.push_back(layout_of(unit.plan, output));
  if (std::ranges::all_of(node.inputs, is_plain)) return spec;
  const auto is_packed = [&](ValueId value) { return layout_of(unit.plan, value) == Layout::private_form; };
  const bool packed = std::ranges::any_of(node.inputs, is_packed);
  for (const ValueId input : node.inputs) {
    spec.input_layouts.push_back(layout_of(unit.plan, input));
    if (packed) spec.input_forms.push_back(is_packed(input) ? unit.plan.packed[input.index].form : std::string());
  }
  return spec;
}

bool is_view(const Unit& unit, NodeId id) {
  const Node& node = unit.graph.node(id);
  const bool moves_whole_values = row(node.op).family == Family::view || row(node.op).family == Family::movement;
  return moves_whole_values && schema::is_view(planned_spec(unit, id));
}

}  // namespace webnn::compiler
