#include "compiler/passes/print_unit.hpp"

#include "compiler/ir/text.hpp"
#include "compiler/passes/parts/planned_spec.hpp"
#include "schema/text.hpp"

namespace webnn::compiler {
namespace {

std::string text_of(const Slot& slot) {
  switch (slot.kind) {
    case Slot::Kind::none:
      return "nowhere";
    case Slot::Kind::input:
      return "input " + std::to_string(slot.index);
    case Slot::Kind::output:
      return "output " + std::to_string(slot.index);
    case Slot::Kind::constant:
      return "constant " + std::to_string(slot.index);
    case Slot::Kind::arena:
      return "arena+" + std::to_string(slot.offset);
    case Slot::Kind::lines:
      return "lines";
  }
  return {};
}

/// "channels_last", if the plan has anything but row-major; for packed operands, the names of their forms.
std::string layout_note(const Unit& unit, const Node& node) {
  std::string note;
  for (const ValueId output : node.outputs)
    if (layout_of(unit.plan, output) != Layout::row_major) note = ", " + std::string(name_of(Layout::channels_last));
  for (const ValueId input : node.inputs)
    if (layout_of(unit.plan, input) == Layout::private_form)
      note += ", " + value_text(unit.graph.value(input).name) + " as " + in_quotes(unit.plan.packed[input.index].form);
  return note;
}

std::string plan_note(const Unit& unit, NodeId id) {
  const Node& node = unit.graph.node(id);
  const Plan& plan = unit.plan;
  std::string note;
  if (id.index < plan.kernel.size()) note = row(plan.kernel[id.index]).name;
  if (!plan.layout.empty()) note += layout_note(unit, node);
  if (plan.slot.empty()) return note;
  const auto slot = [&](ValueId value) { return plan.slot[value.index]; };
  if (slot(node.inputs[0]) == slot(node.outputs[0]) && is_view(unit, id)) note = "no step";
  note += " ->";
  for (std::size_t i = 0; i < node.outputs.size(); ++i) note += (i ? ", " : " ") + text_of(slot(node.outputs[i]));
  return note;
}

std::string text_of_program(const Program& program) {
  const auto names = [&](const std::vector<std::uint32_t>& values) {
    std::string text;
    for (std::uint32_t value : values)
      text += (text.empty() ? "" : ", ") + (value == no_index ? "-" : value_text(program.values[value].name));
    return text;
  };
  std::string text = "// program of " + std::to_string(program.values.size()) + " values, " +
                     std::to_string(program.constants.size()) + " constants, " + std::to_string(program.arena_bytes) +
                     " arena bytes\n";
  for (const Binding& input : program.inputs)
    if (input.value == no_index) text += "// input " + in_quotes(input.name) + " is not used\n";
  for (const ProgramValue& value : program.values) {
    text += "// value " + value_text(value.name) + " : " + value.descriptor.text() + " " + text_of(value.slot);
    if (value.layout == Layout::channels_last) text += " channels_last";
    if (!value.form.empty()) text += " as " + in_quotes(value.form);
    if (value.view_of != no_index) text += " shows " + value_text(program.values[value.view_of].name);
    text += "\n";
  }
  for (const Step& step : program.steps)
    text += "// step " + in_quotes(step.label) + " " + std::string(row(step.op).name) + " by " +
            std::string(row(step.kernel).name) + ": " + names(step.inputs) + " -> " + names(step.outputs) + "\n";
  return text;
}

}  // namespace

std::string print(const Unit& unit, PrintOptions options) {
  options.note = [&](NodeId id) { return plan_note(unit, id); };
  std::string text = print(unit.graph, options);
  if (!unit.plan.slot.empty()) text += "// arena: " + std::to_string(unit.plan.arena_bytes) + " bytes\n";
  if (!unit.program.values.empty()) text += text_of_program(unit.program);
  return text;
}

}  // namespace webnn::compiler
