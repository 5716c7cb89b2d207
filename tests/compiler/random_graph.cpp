#include "tests/compiler/random_graph.hpp"

#include <algorithm>
#include <random>

namespace webnn::tests {
namespace {

using namespace webnn::compiler;

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

Graph graph_for_memory(unsigned seed) { return RandomGraph(seed).make(); }

}  // namespace webnn::tests
