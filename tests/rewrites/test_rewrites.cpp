// Laws of the tables of rewrites. For each row, graphs are made from its own pattern by chance: the row must apply to
// some of them, leave a sound graph, and change no bit of the result (the rows of decompose: stay close to it).
#include <doctest/doctest.h>
#include <random>

#include "compiler/ir/print.hpp"
#include "compiler/ir/verify.hpp"
#include "compiler/passes/pipeline.hpp"
#include "compiler/rewrites/rewrite.hpp"
#include "schema/elements/compare_tensors.hpp"
#include "tests/harness/compiler_options.hpp"
#include "tests/harness/evaluate_graph.hpp"
#include "tests/harness/random/random_graph.hpp"

namespace webnn::tests::rewrites_test {
namespace {

using namespace webnn::compiler;

/// A graph in which a pattern may match; its parts by chance.
class Example {
 public:
  Example(const Pattern& pattern, std::mt19937& engine) : engine_(engine) {
    static const std::vector<Shape> shapes = {Shape{},     Shape{3},       Shape{2, 3},
                                              Shape{3, 3}, Shape{1, 2, 3}, Shape{2, 1, 3, 1}};
    static const std::vector<DataType> types = {DataType::float32, DataType::float32, DataType::float16,
                                                DataType::int32,   DataType::int8,    DataType::uint8,
                                                DataType::int64,   DataType::uint32};
    base_ = {types[below(types.size())], shapes[below(shapes.size())]};
    const ValueId result = value(pattern, base_.type);
    if (!result.valid()) return;
    root = graph.value(result).producer;
    // Used by a node, not an output itself: then an input may take its place.
    const NodeId user = graph.add_node("identity"_op, {result}, {}, {}, "user");
    graph.add_output("result", graph.node(user).outputs[0]);
  }

  Graph graph;
  NodeId root;  // invalid: these parts do not fit

 private:
  std::size_t below(std::size_t count) { return std::size_t(engine_()) % count; }

  /// Mostly the common shape; also a scalar, one of its axes, or one that broadcasts to it.
  Shape shape() {
    if (below(3) != 0 || base_.shape.empty()) return base_.shape;
    const auto axis = unsigned(below(base_.shape.rank()));
    Shape result = base_.shape;
    result[axis] = 1;
    switch (below(3)) {
      case 0:
        return {};
      case 1:
        return {base_.shape[axis]};
      default:
        return result;
    }
  }

  ValueId leaf(const std::string& name, DataType type, bool constant) {
    if (!name.empty() && graph.find_value(name).valid()) return graph.find_value(name);
    const OperandDescriptor descriptor{type, shape()};
    if (!constant) return graph.add_input(name, descriptor);
    return graph.add_constant(name, descriptor, Bytes(random_tensor(descriptor, engine_).data));
  }

  ValueId literal(const std::string& text, DataType type) {
    const std::size_t width = bits_of(type) / 8;
    const OperandDescriptor descriptor{type, shape()};
    std::vector<std::byte> data(byte_length(descriptor));
    for (std::size_t i = 0; i < data.size(); i += width) store(Number(std::stod(text)), type, data.data() + i);
    return graph.add_constant("literal", descriptor, Bytes(std::move(data)));
  }

  ValueId value(const Pattern& pattern, DataType type) {
    switch (pattern.kind) {
      case Pattern::Kind::absent:
        return {};
      case Pattern::Kind::literal:
        return literal(pattern.literal, type);
      case Pattern::Kind::call:
        return call(pattern, type);
      default:
        return leaf(pattern.capture, type, pattern.kind == Pattern::Kind::constant);
    }
  }

  OperatorId any_of_family(Family family) {
    std::vector<OperatorId> members;
    for (std::uint16_t i = 0; i < operator_count; ++i)
      if (row(OperatorId{i}).family == family) members.push_back({i});
    return members[below(members.size())];
  }

  ValueId call(const Pattern& pattern, DataType type) {
    const OperatorId op = pattern.op ? *pattern.op : any_of_family(pattern.family);
    const Operator& op_row = row(op);
    std::vector<ValueId> inputs(pattern.operands.size());
    for (const bool calls : {true, false})  // calls first: a captured one is named before it is used
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        const bool is_call = pattern.operands[i].kind == Pattern::Kind::call && !pattern.operands[i].capture.empty();
        const Pattern::Kind kind = pattern.operands[i].kind;
        if (is_call != calls || kind == Pattern::Kind::absent || (kind == Pattern::Kind::optional && below(2)))
          continue;
        const DataTypes allowed = op_row.operands[op_row.variadic() ? 0 : i].types;
        inputs[i] = value(pattern.operands[i], allowed.contains(type) ? type : DataType::uint8);
        if (!inputs[i].valid()) return {};
      }
    const OperandDescriptor first = graph.value(inputs[0]).descriptor;
    Attributes attributes(op_row.attributes.size());
    for (std::size_t i = 0; i < attributes.size(); ++i) {
      const auto mentioned = std::find_if(pattern.attributes.begin(), pattern.attributes.end(),
                                          [&](const auto& attribute) { return attribute.index == i; });
      if (mentioned != pattern.attributes.end() && mentioned->capture.empty())
        attributes[i] = mentioned->value;
      else if (mentioned != pattern.attributes.end() || pattern.any_attributes || !pattern.op)
        attributes[i] = random_attribute(engine_, op_row.attributes[i], first);
    }
    const NodeId id = graph.add_node(op, std::move(inputs), std::move(attributes), {&pattern.capture, 1});
    return id.valid() ? graph.node(id).outputs[0] : ValueId{};
  }

  std::mt19937& engine_;
  OperandDescriptor base_;
};

bool has_half(const Graph& graph) {
  for (std::uint32_t i = 0; i < graph.value_count(); ++i)
    if (graph.value({i}).descriptor.type == DataType::float16) return true;
  return false;
}

/// Few binary digits, so that small sums are exact and nothing overflows.
TestTensors plain_inputs(const Graph& graph, std::mt19937& engine) {
  static const Numbers floats = {0, -0.0, 1, -1, 0.5, -2.75, 3, 6.5, -8, 0.25, not_a_number};
  TestTensors inputs = random_inputs(graph, engine);
  for (auto& [name, input] : inputs) {
    if (!is_float(input.descriptor.type)) continue;
    Numbers elements(element_count(input.descriptor.shape));
    for (Number& element : elements) element = floats[engine() % (engine() % 4 == 0 ? floats.size() : 10)];
    input = tensor(input.descriptor.type, input.descriptor.shape, elements);
  }
  return inputs;
}

bool close_results(const TestTensors& a, const TestTensors& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    const OperandDescriptor& descriptor = a[i].second.descriptor;
    const Tolerance tolerance = is_float(descriptor.type) ? Tolerance{8, 4e-6, 4e-6} : Tolerance{};
    if (descriptor != b[i].second.descriptor ||
        !compare_tensors(descriptor, b[i].second.data, a[i].second.data, tolerance).passed())
      return false;
  }
  return true;
}

/// The law for a row whose pattern has a single form.
void check_row(const Rewrite& rewrite, bool exact) {
  CAPTURE(std::string(rewrite.name));
  CAPTURE(std::string(rewrite.pattern));
  std::string error;
  const auto pattern = parse_pattern(rewrite.pattern, error);
  REQUIRE_MESSAGE(pattern, error);
  REQUIRE_MESSAGE(parse_pattern(rewrite.replacement, error), error);
  const RewriteSet alone({&rewrite, 1});
  std::mt19937 engine(11);
  int applied = 0;
  for (int attempt = 0; attempt < 20000 && applied < 40; ++attempt) {
    Example example(*pattern, engine);
    if (!example.root.valid() || (!exact && has_half(example.graph))) continue;
    REQUIRE(verify(example.graph) == std::vector<std::string>{});
    const std::string before = print(example.graph, {.exact = true});
    Graph rewritten = example.graph;
    if (!alone.apply_at(rewritten, example.root).valid()) continue;
    ++applied;
    CAPTURE(before);
    const std::string after = print(rewritten, {.exact = true});
    CAPTURE(after);
    CHECK(verify(rewritten) == std::vector<std::string>{});
    CHECK(rewritten.value(rewritten.outputs()[0].value).descriptor ==
          example.graph.value(example.graph.outputs()[0].value).descriptor);
    const TestTensors inputs = exact ? random_inputs(example.graph, engine) : plain_inputs(example.graph, engine);
    const TestTensors wanted = evaluate_graph(example.graph, inputs), found = evaluate_graph(rewritten, inputs);
    CHECK((exact ? same_results(wanted, found) : close_results(wanted, found)));
  }
  CHECK_MESSAGE(applied >= 3, "the row applied to only " << applied << " of the graphs made from its pattern");
}

void check_table(std::span<const Rewrite> table, bool exact = true) {
  for (const Rewrite& rewrite : table)
    for (const std::string& form : forms_of(rewrite.pattern))
      check_row({rewrite.name, form, rewrite.replacement, rewrite.guard}, exact);
}

TEST_CASE("rewrites: every row of simplify applies and is exact") { check_table(simplify_rewrites()); }
TEST_CASE("rewrites: every row of sink_transposes applies and is exact") { check_table(sink_transposes_rewrites()); }

TEST_CASE("rewrites: every row of recognise applies, and float32 results stay close") {
  check_table(recognise_rewrites(), false);
}

TEST_CASE("rewrites: every row of attention applies, and float32 results stay close") {
  check_table(attention_rewrites(), false);
}

TEST_CASE("rewrites: every row of reductions applies, and float32 results stay close") {
  check_table(reductions_rewrites(), false);
}

TEST_CASE("rewrites: every row of block_quantize applies, and float32 results stay close") {
  check_table(block_quantize_rewrites(), false);
}

TEST_CASE("rewrites: every row of decompose applies, and float32 results stay close") {
  check_table(decompose_rewrites(), false);
}

TEST_CASE("rewrites: the passes on the graph leave the results of random graphs as they are") {
  for (const char* name : {"canonicalize", "sink_transposes", "simplify", "merge_duplicates", "remove_dead"}) {
    CAPTURE(name);
    for (std::uint32_t seed = 0; seed < 80; ++seed) {
      CAPTURE(seed);
      const Graph graph = random_graph(seed, {.nodes = 25});
      Diagnostics diagnostics;
      const Options options = options_of_tests();
      Unit unit{graph, {}, options, diagnostics, {}};
      REQUIRE(run_pass(find_pass(name), unit));
      std::mt19937 engine(seed);
      const TestTensors inputs = random_inputs(graph, engine);
      CHECK(same_results(evaluate_graph(graph, inputs), evaluate_graph(unit.graph, inputs)));
    }
  }
}

TEST_CASE("rewrites: a chain of a hundred thousand nodes is rewritten without quadratic cost") {
  Graph graph;
  const ValueId x = graph.add_input("x", {DataType::float32, {2}});
  ValueId value = x;
  for (int i = 0; i < 100000; ++i)
    value = graph.node(graph.add_node(i % 2 ? "neg"_op : "identity"_op, {value}, {}, {})).outputs[0];
  for (int i = 0; i < 30000; ++i) {  // and as many users of one value
    const NodeId copy = graph.add_node("identity"_op, {x}, {}, {});
    value = graph.node(graph.add_node("add"_op, {value, graph.node(copy).outputs[0]}, {}, {})).outputs[0];
  }
  graph.add_output("y", value);
  RewriteSet(simplify_rewrites()).apply(graph);
  CHECK(graph.order().size() == 30000);
}

}  // namespace
}  // namespace webnn::tests::rewrites_test
