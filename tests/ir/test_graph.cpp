// The graph itself: order, uses, names, mutations, named dimensions.
#include <doctest/doctest.h>

#include "compiler/ir/graph.hpp"
#include "compiler/ir/parse.hpp"
#include "compiler/ir/print.hpp"
#include "compiler/ir/verify.hpp"
#include "tests/harness/random/random_graph.hpp"

namespace webnn::tests::graph_test {
namespace {

using namespace webnn::compiler;

Graph read(std::string_view text) {
  Diagnostics diagnostics;
  auto graph = parse(text, {}, diagnostics);
  REQUIRE_MESSAGE(graph, diagnostics.all()[0].message);
  return std::move(*graph);
}

const OperandDescriptor pair_of_floats{DataType::float32, {2}};

TEST_CASE("graph: a call that is wrong adds nothing") {
  Graph graph;
  const ValueId x = graph.add_input("x", pair_of_floats);
  std::vector<CallError> errors;
  CHECK(!graph.add_node("matmul"_op, {x, x}, {}, {}, {}, &errors).valid());
  CHECK(!errors.empty());
  CHECK(!graph.add_node("relu"_op, {x, x}, {}, {}, {}, &errors).valid());
  CHECK(!graph.add_node("relu"_op, {ValueId{99}}, {}, {}, {}, &errors).valid());
  CHECK(!graph.add_node("relu"_op, {}, {}, {}, {}, &errors).valid());
  CHECK(graph.node_count() == 0);
  CHECK(graph.value_count() == 1);
  CHECK(graph.use_count(x) == 0);
}

TEST_CASE("graph: names are unique, and a name is free again after its node is erased") {
  Graph graph;
  const ValueId x = graph.add_input("x", pair_of_floats);
  CHECK(graph.value(graph.add_input("x", pair_of_floats)).name == "x_2");
  CHECK(graph.value(graph.add_input("", pair_of_floats)).name == "value");
  const NodeId relu = graph.add_node("relu"_op, {x}, {}, {});
  CHECK(graph.value(graph.node(relu).outputs[0]).name == "relu");
  CHECK(graph.find_value("relu") == graph.node(relu).outputs[0]);
  graph.erase(relu);
  CHECK(!graph.find_value("relu").valid());
  const std::string name = "relu";
  CHECK(graph.value(graph.node(graph.add_node("neg"_op, {x}, {}, {&name, 1})).outputs[0]).name == "relu");
}

TEST_CASE("graph: order puts producers first, also after a mutation") {
  Graph graph;
  const ValueId x = graph.add_input("x", pair_of_floats);
  const NodeId first = graph.add_node("relu"_op, {x}, {}, {});
  const NodeId second = graph.add_node("neg"_op, {graph.node(first).outputs[0]}, {}, {});
  const NodeId third = graph.add_node("abs"_op, {x}, {}, {});
  CHECK(graph.order() == std::vector{first, second, third});
  graph.set_input(first, 0, graph.node(third).outputs[0]);
  CHECK(graph.order() == std::vector{third, first, second});
  graph.set_input(third, 0, graph.node(second).outputs[0]);
  CHECK(graph.order().empty());
  CHECK(verify(graph) == std::vector<std::string>{"the nodes form a cycle"});
}

TEST_CASE("graph: replacing uses reaches operands, post-op operands and outputs") {
  Graph graph = read(R"(graph "g" {
  %x = input float32[2]
  %z = input float32[2]
  %y = add(%x, %x) -> mul(_, %x) : float32[2]
  output "y" = %y
  output "also x" = %x
}
)");
  const ValueId x = graph.find_value("x"), z = graph.find_value("z");
  CHECK(graph.use_count(x) == 4);
  CHECK(graph.users(x).size() == 1);
  graph.replace_uses(x, z);
  CHECK(graph.use_count(x) == 0);
  CHECK(graph.use_count(z) == 4);
  CHECK(graph.is_output(z));
  CHECK(!graph.is_output(x));
  CHECK(graph.users(x).empty());
  CHECK(graph.users(z).size() == 1);
  CHECK(verify(graph).empty());
}

TEST_CASE("graph: a post-op of a concat keeps its operands apart from the list") {
  const Graph graph = read(R"(graph "g" {
  %x = input float32[2]
  %b = input float32[6]
  %y = concat(%x, %x, %x) {axis=0} -> add(_, %b) : float32[6]
  output "y" = %y
}
)");
  CHECK(graph.operands({0}).size() == 3);
  CHECK(graph.spec({0}).inputs.size() == 4);
  CHECK(verify(graph).empty());
}

TEST_CASE("graph: binding named dimensions infers everything again") {
  const char* text = R"(graph "g" {
  %x = input float32[batch<=8, 4]
  %w = constant float32[4, 3] {1...}
  %y = matmul(%x, %w) : float32[8, 3]
  %z = relu(%y) : float32[8, 3]
  output "z" = %z
}
)";
  using Sizes = std::vector<std::pair<std::string, std::uint32_t>>;
  const auto refusal = [&](const Sizes& sizes) {
    Graph graph = read(text);
    const auto errors = graph.bind_dimensions(sizes);
    CHECK(print(graph) == text);
    return errors.empty() ? std::string() : errors[0].message;
  };
  CHECK(refusal({}) == "dimension 'batch' has no size");
  CHECK(refusal({{"batch", 9}}) == "dimension 'batch' of input 'x' takes 1 to 8, found 9");
  CHECK(refusal({{"batch", 0}}) == "dimension 'batch' of input 'x' takes 1 to 8, found 0");
  CHECK(refusal({{"batch", 2}, {"time", 2}}) == "the graph has no dimension named 'time'");
  CHECK(refusal({{"batch", 2}, {"batch", 3}}) == "dimension 'batch' is given twice");

  Graph graph = read(text);
  CHECK(graph.bind_dimensions(Sizes{{"batch", 2}}).empty());
  CHECK(graph.value(graph.find_value("z")).descriptor.text() == "float32[2, 3]");
  CHECK(graph.named_dimensions().empty());
  CHECK(verify(graph).empty());
}

TEST_CASE("graph: a binding that an operator refuses is reported once, with its node") {
  Graph graph = read(R"(graph "g" {
  %x = input float32[batch<=8, 4]
  %y = reshape(%x) {newShape=[32]} : float32[32]
  %z = relu(%y) : float32[32]
  output "z" = %z
}
)");
  const std::vector<std::pair<std::string, std::uint32_t>> sizes = {{"batch", 2}};
  const auto errors = graph.bind_dimensions(sizes);
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].node == NodeId{0});
}

TEST_CASE("graph: a hundred thousand nodes are built, ordered and rewired without quadratic cost") {
  Graph graph;
  ValueId value = graph.add_input("x", pair_of_floats);
  const ValueId one = graph.add_constant("one", pair_of_floats, Bytes(std::vector<std::byte>(8)));
  for (int i = 0; i < 100000; ++i) value = graph.node(graph.add_node("add"_op, {value, one}, {}, {})).outputs[0];
  graph.add_output("y", value);
  CHECK(graph.order().size() == 100000);
  std::uint32_t erased = 0;
  for (std::uint32_t i = 0; i < 100000; i += 2) {
    graph.replace_uses(graph.node({i}).outputs[0], graph.node({i}).inputs[0]);
    graph.erase({i});
    ++erased;
  }
  CHECK(graph.order().size() == 100000 - erased);
  CHECK(graph.use_count(one) == 100000 - erased);
  CHECK(verify(graph).empty());
}

}  // namespace
}  // namespace webnn::tests::graph_test
