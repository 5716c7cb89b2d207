#include "api/runner/slot.hpp"

namespace webnn::api {

using namespace schema;

std::vector<Slot> input_slots(const compiler::Graph& graph) {
  std::vector<Slot> slots;
  for (const compiler::ValueId id : graph.inputs()) slots.push_back({graph.value(id).name, graph.value(id).descriptor});
  return slots;
}

std::vector<Slot> output_slots(const compiler::Graph& graph) {
  std::vector<Slot> slots;
  for (const compiler::GraphOutput& output : graph.outputs())
    slots.push_back({output.name, graph.value(output.value).descriptor});
  return slots;
}

std::vector<Slot> slots_of(std::span<const Binding> bindings) {
  std::vector<Slot> slots;
  for (const Binding& binding : bindings) slots.push_back({binding.name, binding.descriptor});
  return slots;
}

}  // namespace webnn::api
