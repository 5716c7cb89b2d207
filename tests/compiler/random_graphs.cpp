// Random graphs, compiled; the programs are proved, and run on symbols to see that they compute what the graph says.
#include <algorithm>
#include <doctest/doctest.h>
#include <functional>
#include <map>
#include <random>

#include "compiler/compiler.hpp"
#include "compiler/ir/print.hpp"
#include "schema/verify_program.hpp"

namespace webnn::tests {
namespace {

using namespace webnn::compiler;

/// Stands for a value's content: equal only for the same computation on the same inputs.
using Symbol = std::size_t;

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

/// Output symbols by name, as the graph defines them.
std::map<std::string, Symbol> meaning_of(const Graph& graph) {
  std::vector<Symbol> symbols(graph.value_count());
  for (ValueId input : graph.inputs()) symbols[input.index] = symbol_of_input(graph.value(input).name);
  for (std::uint32_t i = 0; i < graph.value_count(); ++i)
    if (graph.is_constant({i})) symbols[i] = symbol_of_constant(graph.value({i}).data);
  for (NodeId id : graph.order()) {
    std::vector<Symbol> inputs;
    for (ValueId input : graph.node(id).inputs) inputs.push_back(symbols[input.index]);
    const KernelSpec spec = graph.spec(id);
    for (std::size_t i = 0; i < spec.outputs.size(); ++i)
      symbols[graph.node(id).outputs[i].index] = result_of(spec.op, spec.outputs, i, inputs);
  }
  std::map<std::string, Symbol> meaning;
  for (const GraphOutput& output : graph.outputs()) meaning[output.name] = symbols[output.value.index];
  return meaning;
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

std::map<std::string, Symbol> run_on_symbols(const Program& program) {
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
  std::map<std::string, Symbol> result;
  for (const Binding& output : program.outputs) result[output.name] = memory.read(program.values[output.value].slot);
  return result;
}

class RandomGraph {
 public:
  explicit RandomGraph(unsigned seed) : random_(seed) {}

  Graph make() {
    graph_.name = "random";
    const std::size_t inputs = below(4), constants = 1 + below(3), nodes = 1 + below(60);
    for (std::size_t i = 0; i < inputs; ++i)
      values_.push_back(graph_.add_input("in" + std::to_string(i), descriptor()));
    for (std::size_t i = 0; i < constants; ++i) values_.push_back(constant(descriptor()));
    while (graph_.node_count() < nodes) add_node();
    const std::size_t outputs = 1 + below(6);
    for (std::size_t i = 0; i < outputs; ++i) graph_.add_output("out" + std::to_string(i), any());
    return std::move(graph_);
  }

 private:
  std::uint32_t below(std::size_t limit) { return std::uint32_t(random_() % limit); }

  /// Few types and sizes, so that operands often fit each other.
  OperandDescriptor descriptor() {
    constexpr DataType types[] = {DataType::float32, DataType::float32, DataType::float16, DataType::int8,
                                  DataType::uint4};
    const Shape shapes[] = {Shape{}, Shape{24}, Shape{4, 6}, Shape{2, 3, 4}, Shape{6, 1, 4}, Shape{1, 6}, Shape{17, 3}};
    return {types[below(std::size(types))], shapes[below(std::size(shapes))]};
  }
  ValueId constant(const OperandDescriptor& descriptor) {
    std::vector<std::byte> data(byte_length(descriptor));
    for (std::byte& byte : data) byte = std::byte(random_());
    return graph_.add_constant("constant", descriptor, Bytes(std::move(data)));
  }
  /// Prefers young values, as networks do.
  ValueId any() {
    const std::uint32_t back = below(3) ? below(std::min<std::size_t>(values_.size(), 4)) : below(values_.size());
    return values_[values_.size() - 1 - back];
  }

  void add_node() {
    const ValueId x = any();
    const Shape shape = graph_.value(x).descriptor.shape;
    const auto count = std::int64_t(element_count(shape));
    IntegerList reshaped;
    for (unsigned axis = 0; axis < shape.rank(); ++axis) reshaped.insert(reshaped.begin(), shape[axis]);
    switch (below(13)) {
      case 0:
        return add("relu"_op, {x});
      case 1:
        return add("tanh"_op, {x});
      case 2:
        return add("add"_op, {x, any()});
      case 3:
        return add("mul"_op, {x, x});
      case 4:
        return add("reshape"_op, {x}, "newShape", below(2) ? IntegerList{count} : reshaped);
      case 5:
        return add("identity"_op, {x});
      case 6:
        return add("concat"_op, {x, any()}, "axis", std::int64_t{0});
      case 7:
        return add("transpose"_op, {x});
      case 8:
        return add("reduceSum"_op, {x}, "axes", IntegerList{0});
      case 9:
        return add("split"_op, {x}, "splits", std::int64_t{2});
      case 10:
        return add("equal"_op, {x, any()});
      case 11:
        return add("cast"_op, {x}, "dataType", below(2) ? DataType::float32 : DataType::int32);
      case 12:
        return add("softmax"_op, {x}, "axis", std::int64_t{0});
    }
  }

  /// Operands that do not fit add nothing.
  void add(OperatorId op, std::vector<ValueId> inputs, std::string_view attribute = {}, AttributeValue value = {}) {
    Attributes attributes(row(op).attributes.size());
    if (!attribute.empty()) attributes[std::size_t(row(op).attribute_index(attribute))] = std::move(value);
    const NodeId node = graph_.add_node(op, std::move(inputs), std::move(attributes), {});
    if (!node.valid()) return;
    for (ValueId output : graph_.node(node).outputs) values_.push_back(output);
  }

  std::mt19937 random_;
  Graph graph_;
  std::vector<ValueId> values_;
};

}  // namespace

TEST_CASE("compiler: random graphs become programs that hold what the graph says") {
  std::size_t nodes = 0, steps = 0, arena = 0, results = 0, in_place = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    const Graph graph = RandomGraph(seed).make();
    CAPTURE(seed);
    const auto expected = meaning_of(graph);
    Diagnostics diagnostics;
    const auto program = compile(graph, {}, diagnostics);
    for (const Diagnostic& diagnostic : diagnostics.all()) FAIL_CHECK(diagnostic.message);
    REQUIRE(program);
    for (const std::string& problem : verify_program(*program)) FAIL_CHECK(problem);
    if (run_on_symbols(*program) != expected) FAIL_CHECK("wrong symbols for\n", print(graph));
    CHECK(program->inputs.size() == graph.inputs().size());
    CHECK(program->outputs.size() == graph.outputs().size());

    nodes += graph.node_count();
    steps += program->steps.size();
    arena += program->arena_bytes;
    for (const Step& step : program->steps)
      for (std::uint32_t output : step.outputs) {
        const ProgramValue& value = program->values[output];
        if (value.slot.kind == Slot::Kind::arena) results += (value.slot.bytes + 63) / 64 * 64;
        for (std::uint32_t input : step.inputs) in_place += program->values[input].slot == value.slot;
      }
  }
  MESSAGE(nodes, " nodes, ", steps, " steps, ", in_place, " in place; arenas have ", 100 * arena / results,
          " % of their values' bytes");
  CHECK(in_place > 1000);
  CHECK(arena < results);
}

TEST_CASE("compiler: equal graphs give equal programs") {
  for (unsigned seed = 0; seed < 50; ++seed) {
    Diagnostics diagnostics;
    const auto a = compile(RandomGraph(seed).make(), {}, diagnostics);
    const auto b = compile(RandomGraph(seed).make(), {}, diagnostics);
    REQUIRE(a);
    REQUIRE(b);
    REQUIRE(a->values.size() == b->values.size());
    for (std::size_t i = 0; i < a->values.size(); ++i) {
      CHECK(a->values[i].name == b->values[i].name);
      CHECK(a->values[i].slot == b->values[i].slot);
    }
  }
}

}  // namespace webnn::tests
