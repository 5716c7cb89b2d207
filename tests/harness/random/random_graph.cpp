#include "tests/harness/random/random_graph.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <random>

#include "schema/operators/check_spec.hpp"

namespace webnn::tests {
namespace {

using namespace webnn::compiler;

std::uint32_t below(std::mt19937& engine, std::uint32_t count) { return std::uint32_t(engine() % count); }
bool chance(std::mt19937& engine, std::uint32_t one_in) { return below(engine, one_in) == 0; }

IntegerList random_list(std::mt19937& engine, unsigned rank, const Shape& shape) {
  IntegerList list;
  switch (below(engine, 6)) {
    case 0:  // a permutation, or some axes
      for (unsigned i = 0; i < rank; ++i) list.push_back(i);
      std::shuffle(list.begin(), list.end(), engine);
      break;
    case 1:
      for (const std::uint32_t size : shape) list.push_back(size);
      break;
    case 2:
      list.assign(rank, 1);
      break;
    case 3:
      list.assign(rank, 0);
      break;
    case 4:  // sizes in another order
      for (const std::uint32_t size : shape) list.insert(list.begin(), size);
      break;
    default:
      list.assign(below(engine, 5), below(engine, 3));
  }
  return list;
}

class Generator {
 public:
  Generator(std::uint32_t seed, const RandomGraphOptions& options) : options_(options), engine_(seed) {}

  Graph run() {
    graph_.name = name("graph");
    graph_.quantized = chance(4);
    for (int i = 0; i < 3; ++i) add_input();
    for (int i = 0; i < 4; ++i) add_constant();
    unsigned made = 0;
    for (unsigned attempt = 0; made < options_.nodes && attempt < options_.nodes * 200; ++attempt) made += add_node();
    for (std::uint32_t i = 0; i < graph_.value_count(); ++i)
      if (graph_.value({i}).kind == Value::Kind::result && graph_.use_count({i}) == 0)
        graph_.add_output(name("out") + std::to_string(i), {i});
    return std::move(graph_);
  }

 private:
  std::uint32_t below(std::uint32_t count) { return tests::below(engine_, count); }
  bool chance(std::uint32_t one_in) { return tests::chance(engine_, one_in); }
  template <std::size_t N, typename T>
  const T& any(const std::array<T, N>& choices) {
    return choices[below(N)];
  }

  std::string name(const char* stem) {
    static const std::array<std::string, 8> odd = {"layer 1/conv:0", "\"quoted\\\"", "größe", "名前",
                                                   "line\nbreak\t",  "\x01\x7f",     "%x",    "a.b$c_9"};
    return options_.odd_names ? any(odd) : std::string(stem);
  }

  OperandDescriptor descriptor() {
    static const std::array<DataType, 8> types = {DataType::float32, DataType::float32, DataType::float32,
                                                  DataType::float16, DataType::int32,   DataType::uint8,
                                                  DataType::int64,   DataType::int8};
    static const std::array<Shape, 10> shapes = {Shape{},           Shape{1},         Shape{3},       Shape{2, 3},
                                                 Shape{3, 3},       Shape{1, 3, 2},   Shape{2, 3, 4}, Shape{1, 3, 4, 4},
                                                 Shape{1, 4, 4, 3}, Shape{3, 3, 2, 2}};
    return {any(types), any(shapes)};
  }

  void add_input() {
    const OperandDescriptor made = descriptor();
    const ValueId id = graph_.add_input(name("in"), made);
    if (options_.named_dimensions && made.shape.rank() > 0 && chance(2))
      graph_.add_named_dimension({id, below(made.shape.rank()), name("batch")});
  }

  void add_constant() {
    const OperandDescriptor made = descriptor();
    const unsigned width = bits_of(made.type) / 8;
    std::vector<std::byte> bytes(byte_length(made));
    const std::uint32_t kind = below(4);
    for (std::size_t i = 0; i < bytes.size(); i += width)
      store(kind == 0   ? Number(0)
            : kind == 1 ? Number(1)
            : kind == 2 ? Number(-0.0)
                        : Number(int(below(7)) - 3),
            made.type, bytes.data() + i);
    graph_.add_constant(name("c"), made, Bytes(std::move(bytes)));
  }

  ValueId any_value() { return {below(std::uint32_t(graph_.value_count()))}; }

  bool add_node() {
    const OperatorId op{std::uint16_t(below(operator_count))};
    const Operator& op_row = row(op);
    std::vector<ValueId> inputs;
    const std::size_t places = op_row.variadic() ? 1 + below(3) : op_row.operands.size();
    for (std::size_t i = 0; i < places; ++i) {
      const bool absent = !op_row.variadic() && op_row.operands[i].arity == Arity::optional && chance(2);
      inputs.push_back(absent ? ValueId{} : any_value());
    }
    const OperandDescriptor first = inputs[0].valid() ? graph_.value(inputs[0]).descriptor : OperandDescriptor{};
    Attributes attributes(op_row.attributes.size());
    for (std::size_t i = 0; i < attributes.size(); ++i)
      attributes[i] = random_attribute(engine_, op_row.attributes[i], first);
    const std::string output_name = name("v");
    const NodeId id = graph_.add_node(op, std::move(inputs), std::move(attributes), {&output_name, 1},
                                      chance(2) ? name("label") : "");
    if (!id.valid()) return false;
    if (options_.post_ops && graph_.node(id).outputs.size() == 1)
      while (chance(3)) attach(id);
    return true;
  }

  void attach(NodeId id) {
    static const std::array<OperatorId, 6> ops = {"relu"_op, "clamp"_op, "add"_op, "sub"_op, "mul"_op, "where"_op};
    const OperatorId op = any(ops);
    const ValueId result = graph_.node(id).outputs[0];
    Node longer = graph_.node(id);
    std::vector<NewOperand<Node>> operands(row(op).operands.size());
    const std::size_t inside = below(std::uint32_t(operands.size()));
    operands[inside] = ResultOf{below(std::uint32_t(Expression(longer).size()))};
    for (std::size_t i = 0; i < operands.size(); ++i)
      if (i != inside) operands[i] = ValueId{below(result.index)};  // older than the node: no cycle
    append_post_op(longer, op, {}, operands);
    const InferredSteps inferred = graph_.steps_of(longer);
    if (inferred.errors.empty()) graph_.extend(id, std::move(longer), inferred.outputs[0]);
  }

  const RandomGraphOptions& options_;
  std::mt19937 engine_;
  Graph graph_;
};

}  // namespace

std::optional<AttributeValue> random_attribute(std::mt19937& engine, const AttributeRow& row,
                                               const OperandDescriptor& first) {
  if (!row.required() && chance(engine, 2)) return std::nullopt;
  const unsigned rank = first.shape.rank();
  switch (row.kind) {
    case AttributeKind::boolean:
      return AttributeValue(chance(engine, 2));
    case AttributeKind::u32:
      return AttributeValue(std::int64_t(below(engine, std::max(rank, 1u) + 1)));
    case AttributeKind::i32:
      return AttributeValue(std::int64_t(below(engine, 5)) - 2);
    case AttributeKind::real:
      return AttributeValue(double(below(engine, 5)) * 0.25 + 0.001);
    case AttributeKind::number:
      return AttributeValue(chance(engine, 8) ? Number(std::numeric_limits<double>::infinity())
                                              : Number(int(below(engine, 9)) - 4));
    case AttributeKind::u32_or_list:
      if (chance(engine, 2)) return AttributeValue(std::int64_t(1 + below(engine, 3)));
      [[fallthrough]];
    case AttributeKind::u32_list:
      return AttributeValue(random_list(engine, row.length ? row.length : rank, first.shape));
    case AttributeKind::real_list:
      return AttributeValue(RealList(row.length ? row.length : rank, 1.5));
    case AttributeKind::text:
      return AttributeValue(std::string(row.words[below(engine, std::uint32_t(row.words.size()))]));
    case AttributeKind::text_list:
      return AttributeValue(TextList(row.length, std::string(row.words[0])));
    case AttributeKind::data_type:
      return AttributeValue(DataType(below(engine, 8)));
  }
  return std::nullopt;
}

Graph random_graph(std::uint32_t seed, const RandomGraphOptions& options) { return Generator(seed, options).run(); }

TestTensor random_tensor(const OperandDescriptor& descriptor, std::mt19937& engine) {
  static const Numbers floats = {0,   -0.0, 1,    -1,     0.5,      -2.75,     3,
                                 6.5, 1e30, -300, 1.0e-7, infinity, -infinity, not_a_number};
  static const Numbers integers = {0, 1, -1, 2, -3, 7, std::int64_t{1} << 62, -(std::int64_t{1} << 62), 200, 1000000};
  const Numbers& choices = is_float(descriptor.type) ? floats : integers;
  Numbers elements(element_count(descriptor.shape));
  for (Number& element : elements) element = choices[below(engine, std::uint32_t(choices.size()))];
  return tensor(descriptor.type, descriptor.shape, elements);
}

TestTensors random_inputs(const Graph& graph, std::mt19937& engine) {
  TestTensors inputs;
  for (const ValueId input : graph.inputs())
    inputs.emplace_back(graph.value(input).name, random_tensor(graph.value(input).descriptor, engine));
  return inputs;
}

}  // namespace webnn::tests
