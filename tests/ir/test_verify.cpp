// verify finds every kind of damage; a friend of Graph does the damage.
#include <doctest/doctest.h>
#include <functional>

#include "compiler/ir/parse.hpp"
#include "compiler/ir/print.hpp"
#include "compiler/ir/verify.hpp"

namespace webnn::compiler {

struct GraphDamage {
  Graph& graph;
  std::vector<Value>& values = graph.values_;
  std::vector<Node>& nodes = graph.nodes_;
  std::vector<ValueId>& inputs = graph.inputs_;
  std::vector<GraphOutput>& outputs = graph.outputs_;
  std::vector<std::uint32_t>& uses = graph.uses_;
};

}  // namespace webnn::compiler

namespace webnn::tests::verify_test {
namespace {

using namespace webnn::compiler;

/// What verify says about a small sound graph after `damage`.
std::string finding(const std::function<void(GraphDamage&)>& damage) {
  Diagnostics diagnostics;
  auto graph = parse(R"(graph "g" {
  %x = input float32[2]
  %c = constant float32[2] {1, 2}
  %y = add(%x, %c) -> mul(_, %c) : float32[2]
  %z = relu(%y) : float32[2]
  output "z" = %z
}
)",
                     {}, diagnostics);
  REQUIRE(graph);
  REQUIRE(verify(*graph).empty());
  GraphDamage access{*graph};
  damage(access);
  const auto problems = verify(*graph);
  REQUIRE(!print(*graph, {.exact = true}).empty());  // a damaged graph can still be looked at
  return problems.empty() ? std::string() : problems[0];
}

/// The same, where the damage cannot even be printed.
std::string finding_of_ids(const std::function<void(GraphDamage&)>& damage) {
  Graph graph;
  const ValueId x = graph.add_input("x", {DataType::float32, {2}});
  const NodeId node = graph.add_node("relu"_op, {x}, {}, {});
  graph.add_output("y", graph.node(node).outputs[0]);
  REQUIRE(verify(graph).empty());
  GraphDamage access{graph};
  damage(access);
  const auto problems = verify(graph);
  return problems.empty() ? std::string() : problems[0];
}

// Values by index: x 0, c 1, y 2, z 3. Nodes: add 0, relu 1.

TEST_CASE("verify: ids out of range") {
  CHECK(finding_of_ids([](GraphDamage& g) { g.nodes[0].inputs[0] = {77}; }) ==
        "node 0 (relu) takes value 77, which is not in the graph");
  CHECK(finding_of_ids([](GraphDamage& g) { g.nodes[0].outputs[0] = {77}; }) ==
        "node 0 (relu) gives value 77, which is not in the graph");
  CHECK(finding_of_ids([](GraphDamage& g) { g.outputs[0].value = {77}; }) ==
        "output \"y\" is value 77, which is not in the graph");
  CHECK(finding_of_ids([](GraphDamage& g) { g.nodes[0].op = {999}; }) ==
        "node 0 has operator 999, which is not in the table");
}

TEST_CASE("verify: operands that the row does not ask for, or asks for in vain") {
  CHECK(finding([](GraphDamage& g) { g.nodes[1].inputs.push_back({0}); }) ==
        "node 1 (relu): relu takes 1 operand place, found 2");
  CHECK(finding_of_ids([](GraphDamage& g) { g.nodes[0].inputs[0] = {}; }) == "node 0 (relu) lacks operand 0");
  CHECK(finding([](GraphDamage& g) { g.nodes[1].attributes = Attributes(2); }) ==
        "node 1 (relu): relu has 0 attributes, found 2");
  CHECK(finding([](GraphDamage& g) { g.nodes[0].post_ops[0].operands[1] = StepOperand::step(5); }) ==
        "node 0 (add): add takes 2 operand places, found 3");
  CHECK(finding([](GraphDamage& g) { g.nodes[0].post_ops[0].operands[0] = StepOperand::step(5); }) ==
        "node 0 (add): operand 0 of post-op mul is the result of step 5, which is not before it");
  CHECK(finding([](GraphDamage& g) { g.nodes[0].post_ops[0].operands[1] = StepOperand::input(1); }) ==
        "node 0 (add): operand 1 of post-op mul is not the next of the inputs");
  CHECK(finding([](GraphDamage& g) { g.nodes[0].post_ops[0].operands[2] = StepOperand::step(0); }) ==
        "node 0 (add): post-op mul has no operand 2");
}

TEST_CASE("verify: producers") {
  CHECK(finding([](GraphDamage& g) { g.nodes[1].outputs[0] = {2}; }) == "%y has more than one producer");
  CHECK(finding([](GraphDamage& g) { g.nodes[0].alive = false; }) == "node 1 (relu) takes %y, whose node is erased");
  CHECK(finding([](GraphDamage& g) { g.nodes[1].alive = false; }) == "output \"z\" is %z, whose node is erased");
  CHECK(finding([](GraphDamage& g) { g.values[2].producer = {1}; }) == "%y has more than one producer");
}

TEST_CASE("verify: descriptors that are not the inferred ones") {
  CHECK(finding([](GraphDamage& g) { g.values[3].descriptor.shape = {3}; }) ==
        "%z is float32[3], but its node gives float32[2]");
  CHECK(finding([](GraphDamage& g) { g.values[2].descriptor.type = DataType::float16; }) ==
        "%y is float16[2], but its node gives float32[2]");
  CHECK(finding([](GraphDamage& g) { g.values[0].descriptor.shape = {0}; }).starts_with("%x: "));
}

TEST_CASE("verify: constants without all their bytes") {
  CHECK(finding([](GraphDamage& g) { g.values[1].data = Bytes(std::vector<std::byte>(7)); }) ==
        "constant %c has 7 bytes, expected 8");
}

TEST_CASE("verify: names") {
  CHECK(finding([](GraphDamage& g) { g.values[3].name = "x"; }) == "two values have the name %x");
  CHECK(finding([](GraphDamage& g) { g.values[3].name = ""; }) == "value 3 has no name");
  CHECK(finding([](GraphDamage& g) {
          g.outputs.push_back(g.outputs[0]);
          ++g.uses[3];
        }) == "two outputs have the name \"z\"");
}

TEST_CASE("verify: inputs, use counts and cycles") {
  CHECK(finding([](GraphDamage& g) { g.inputs.clear(); }) == "input %x is not in the list of inputs");
  CHECK(finding([](GraphDamage& g) { g.inputs.push_back({1}); }) ==
        "the list of inputs names value 1, which is no input or listed twice");
  CHECK(finding([](GraphDamage& g) { ++g.uses[0]; }) == "%x has 1 uses, but the graph counts 2");
  CHECK(finding([](GraphDamage& g) { g.graph.set_input({0}, 0, {3}); }) == "the nodes form a cycle");
}

TEST_CASE("verify: named dimensions") {
  CHECK(finding([](GraphDamage& g) {
          g.graph.add_named_dimension({{0}, 1, "batch"});
        }) == "dimension \"batch\" names no axis of an input");
}

}  // namespace
}  // namespace webnn::tests::verify_test
