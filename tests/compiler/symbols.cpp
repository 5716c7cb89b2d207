#include "tests/compiler/symbols.hpp"

#include <algorithm>
#include <functional>
#include <vector>

namespace webnn::tests {
namespace {

using namespace webnn::schema;

Symbol mix(Symbol a, Symbol b) { return (a ^ (b + 0x9e3779b97f4a7c15u + (a << 6) + (a >> 2))) * 0x2545f4914f6cdd1du; }

Symbol result_of(OperatorId op, const std::vector<OperandDescriptor>& outputs, std::size_t i,
                 const std::vector<Symbol>& inputs) {
  if (row(op).family == Family::view) return inputs[0];  // the same bytes
  std::vector<Symbol> operands = inputs;
  if (row(op).commutative) std::ranges::sort(operands);
  Symbol symbol = mix(op.index, i);
  for (Symbol operand : operands) symbol = mix(symbol, operand);
  return mix(symbol, std::hash<std::string>()(outputs[i].text()));
}

Symbol symbol_of_input(const std::string& name) { return mix(1, std::hash<std::string>()(name)); }
Symbol symbol_of_constant(const Bytes& data) {
  Symbol symbol = 2;
  for (std::byte byte : data.view()) symbol = mix(symbol, Symbol(byte));
  return symbol;
}

/// Memory whose ranges hold symbols; a write takes away whatever it touches.
class SymbolicMemory {
 public:
  void write(const Slot& slot, Symbol symbol) {
    std::erase_if(ranges_, [&](const Range& range) {
      return same_memory(range.slot, slot) && range.slot.offset < slot.offset + slot.bytes &&
             slot.offset < range.slot.offset + range.slot.bytes;
    });
    ranges_.push_back({slot, symbol});
  }
  /// 0 when the slot does not hold one whole value.
  Symbol read(const Slot& slot) const {
    for (const Range& range : ranges_)
      if (range.slot == slot) return range.symbol;
    return 0;
  }

 private:
  struct Range {
    Slot slot;
    Symbol symbol;
  };
  static bool same_memory(const Slot& a, const Slot& b) { return a.kind == b.kind && a.index == b.index; }
  std::vector<Range> ranges_;
};

}  // namespace

Meaning meaning_of(const compiler::Graph& graph) {
  std::vector<Symbol> symbols(graph.value_count());
  for (compiler::ValueId input : graph.inputs()) symbols[input.index] = symbol_of_input(graph.value(input).name);
  for (std::uint32_t i = 0; i < graph.value_count(); ++i)
    if (graph.is_constant({i})) symbols[i] = symbol_of_constant(graph.value({i}).data);
  for (compiler::NodeId id : graph.order()) {
    std::vector<Symbol> inputs;
    for (compiler::ValueId input : graph.node(id).inputs) inputs.push_back(symbols[input.index]);
    const KernelSpec spec = graph.spec(id);
    for (std::size_t i = 0; i < spec.outputs.size(); ++i)
      symbols[graph.node(id).outputs[i].index] = result_of(spec.op, spec.outputs, i, inputs);
  }
  Meaning meaning;
  for (const compiler::GraphOutput& output : graph.outputs()) meaning[output.name] = symbols[output.value.index];
  return meaning;
}

Meaning meaning_of(const Program& program) {
  std::vector<Symbol> symbols(program.values.size());
  const auto owner = [&](std::uint32_t value) {
    const std::uint32_t source = program.values[value].view_of;
    return source == no_index ? value : source;
  };
  for (const Binding& input : program.inputs)
    if (input.value != no_index) symbols[input.value] = symbol_of_input(input.name);
  for (std::size_t i = 0; i < symbols.size(); ++i)
    if (program.values[i].slot.kind == Slot::Kind::constant)
      symbols[i] = symbol_of_constant(program.constants[program.values[i].slot.index]);
  for (const Step& step : program.steps) {
    std::vector<Symbol> inputs;
    for (std::uint32_t input : step.inputs) inputs.push_back(symbols[owner(input)]);
    const KernelSpec spec = spec_of(program, step);
    for (std::size_t i = 0; i < step.outputs.size(); ++i)
      symbols[step.outputs[i]] = result_of(step.op, spec.outputs, i, inputs);
  }
  Meaning meaning;
  for (const Binding& output : program.outputs) meaning[output.name] = symbols[owner(output.value)];
  return meaning;
}

Meaning run_on_symbols(const Program& program) {
  SymbolicMemory memory;
  for (const Binding& input : program.inputs)
    if (input.value != no_index) memory.write(program.values[input.value].slot, symbol_of_input(input.name));
  for (const ProgramValue& value : program.values)
    if (value.slot.kind == Slot::Kind::constant)
      memory.write(value.slot, symbol_of_constant(program.constants[value.slot.index]));
  for (const Step& step : program.steps) {
    std::vector<Symbol> inputs;
    for (std::uint32_t input : step.inputs) inputs.push_back(memory.read(program.values[input].slot));
    const KernelSpec spec = spec_of(program, step);
    for (std::size_t i = 0; i < step.outputs.size(); ++i)
      memory.write(program.values[step.outputs[i]].slot, result_of(step.op, spec.outputs, i, inputs));
  }
  Meaning result;
  for (const Binding& output : program.outputs) result[output.name] = memory.read(program.values[output.value].slot);
  return result;
}

}  // namespace webnn::tests
