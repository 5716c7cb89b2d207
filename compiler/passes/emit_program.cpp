// emit_program: graph and plan -> program. Views become values that share another value's bytes; all other nodes become
// steps.
#include "compiler/passes/parts/planned_spec.hpp"
#include "compiler/passes/passes.hpp"

namespace webnn::compiler {
namespace {

class Emitter {
 public:
  explicit Emitter(Unit& unit)
      : unit_(unit),
        graph_(unit.graph),
        source_(graph_.value_count(), no_index),
        used_(graph_.value_count()),
        number_(graph_.value_count(), no_index) {}

  Program run() {
    program_.name = graph_.name;
    program_.target = unit_.options.target;
    program_.arena_bytes = unit_.plan.arena_bytes;
    find_steps();
    for (std::uint32_t i = 0; i < graph_.value_count(); ++i)
      if (used_[i]) number_[i] = next_number_++;
    program_.values.reserve(next_number_);
    for (std::uint32_t i = 0; i < graph_.value_count(); ++i)
      if (used_[i]) add_value({i});
    for (NodeId id : steps_) add_step(id);
    if (fallen_back(program_).empty())
      program_.target.features = without(program_.target.features, Feature::cpu_fallback);
    for (ValueId input : graph_.inputs())
      program_.inputs.push_back(
          {graph_.value(input).name, graph_.value(input).descriptor, number_[input.index], layout(input)});
    for (const GraphOutput& output : graph_.outputs())
      program_.outputs.push_back(
          {output.name, graph_.value(output.value).descriptor, number_[output.value.index], layout(output.value)});
    return std::move(program_);
  }

 private:
  /// Finds out which nodes are steps, which values they and the bindings need, and what each view is a view of.
  void find_steps() {
    const auto need = [&](ValueId id) {
      if (!id.valid()) return;
      used_[id.index] = true;
      if (source_[id.index] != no_index) used_[source_[id.index]] = true;
    };
    for (NodeId id : unit_.plan.order) {
      const Node& node = graph_.node(id);
      if (unit_.plan.slot[node.inputs[0].index] == unit_.plan.slot[node.outputs[0].index] && is_view(unit_, id)) {
        const std::uint32_t operand = node.inputs[0].index;
        source_[node.outputs[0].index] = source_[operand] == no_index ? operand : source_[operand];
        continue;
      }
      steps_.push_back(id);
      for (ValueId input : node.inputs) need(input);
      for (ValueId output : node.outputs) need(output);
    }
    for (const GraphOutput& output : graph_.outputs()) need(output.value);
  }

  Layout layout(ValueId id) const { return layout_of(unit_.plan, id); }

  /// The packed constant that a kernel made; null for other values.
  const PackedConstant* packed(ValueId id) const {
    return layout(id) == Layout::private_form ? &unit_.plan.packed[id.index] : nullptr;
  }

  void add_value(ValueId id) {
    const Value& value = graph_.value(id);
    const std::uint32_t source = source_[id.index];
    const Slot& slot = unit_.plan.slot[id.index];
    program_.values.push_back({value.name, value.descriptor, layout(id), slot,
                               source == no_index ? no_index : number_[source],
                               packed(id) ? packed(id)->form : std::string()});
    if (slot.kind != Slot::Kind::constant || source != no_index) return;
    if (program_.constants.size() <= slot.index) program_.constants.resize(slot.index + 1);
    program_.constants[slot.index] = packed(id) ? packed(id)->bytes : value.data;
  }

  void add_step(NodeId id) {
    const Node& node = graph_.node(id);
    Step step{unit_.plan.kernel[id.index], node.op, node.attributes, node.post_ops, {}, {}, node.label};
    if (step.label.empty()) step.label = graph_.value(node.outputs[0]).name;
    for (ValueId input : node.inputs) step.inputs.push_back(input.valid() ? number_[input.index] : no_index);
    for (ValueId output : node.outputs) step.outputs.push_back(number_[output.index]);
    program_.steps.push_back(std::move(step));
  }

  const Unit& unit_;
  const Graph& graph_;
  Program program_;
  std::vector<NodeId> steps_;
  std::vector<std::uint32_t> source_;  // by value: for a view, the value that owns the bytes
  std::vector<bool> used_;             // by value
  std::vector<std::uint32_t> number_;  // by value: its number in the program
  std::uint32_t next_number_ = 0;
};

}  // namespace

void emit_program(Unit& unit) { unit.program = Emitter(unit).run(); }

}  // namespace webnn::compiler
