// canonicalize on every layout of every operator that has one: the same numbers before and after, and one layout left.
#include <doctest/doctest.h>

#include "compiler/ir/print.hpp"
#include "compiler/passes/pipeline.hpp"
#include "tests/harness/compiler_options.hpp"
#include "tests/harness/evaluate_graph.hpp"

namespace webnn::tests::canonicalize_layouts_test {
namespace {

using namespace webnn::compiler;

/// Sizes of the letters of a layout: all differ, so that a mistaken order does not fit or gives other numbers.
Shape shape_of(std::string_view layout, bool transposed) {
  Shape shape;
  for (const char letter : layout) {
    switch (letter) {
      case 'n':
        shape.push_back(2);
        break;
      case 'c':
        shape.push_back(4);
        break;
      case 'h':
        shape.push_back(layout.find('n') == layout.npos ? 3 : 6);
        break;
      case 'w':
        shape.push_back(layout.find('n') == layout.npos ? 2 : 7);
        break;
      case 'i':
        shape.push_back(transposed ? 4 : 2);
        break;
      case 'o':
        shape.push_back(transposed ? 3 : 6);
        break;
    }
  }
  return shape;
}

std::vector<std::string> words_of(const Operator& op, std::string_view attribute) {
  const int index = op.attribute_index(attribute);
  if (index < 0) return {""};
  const auto& words = op.attributes[std::size_t(index)].words;
  return std::vector<std::string>(words.begin(), words.end());
}

void check_layout(OperatorId op, const std::string& layout, const std::string& filter_layout) {
  const Operator& op_row = row(op);
  const bool convolution = op_row.family == Family::convolution, transposed = op == "convTranspose2d"_op;
  Graph graph;
  TestTensors tensors;
  const auto input = [&](const char* name, const Shape& shape, int start) {
    tensors.emplace_back(name, counting(DataType::float32, shape, start));
    return graph.add_input(name, {DataType::float32, shape});
  };
  Attributes attributes(op_row.attributes.size());
  const auto set = [&](std::string_view name, AttributeValue value) {
    if (const int index = op_row.attribute_index(name); index >= 0) attributes[std::size_t(index)] = std::move(value);
  };
  std::vector<ValueId> inputs{input("x", shape_of(layout, transposed), -40)};
  set(convolution ? "inputLayout" : "layout", layout);
  set("windowDimensions", IntegerList{3, 2});
  if (op_row.family == Family::normalization) {
    inputs.push_back(input("scale", {4}, 1));
    inputs.push_back(input("bias", {4}, -2));
  } else {
    set("padding", IntegerList{1, 0, 2, 1});
    set("strides", IntegerList{2, 1});
  }
  if (convolution) {
    inputs.push_back(input("filter", shape_of(filter_layout, transposed), -17));
    inputs.push_back(input("bias", {6}, 5));
    set("groups", std::int64_t{2});
    set("filterLayout", filter_layout);
  }
  std::vector<CallError> errors;
  const NodeId node = graph.add_node(op, std::move(inputs), std::move(attributes), {}, {}, &errors);
  REQUIRE_MESSAGE(node.valid(), errors.at(0).message);
  graph.add_output("y", graph.node(node).outputs[0]);

  Diagnostics diagnostics;
  const Options options = options_of_tests();
  Unit unit{graph, {}, options, diagnostics, {}};
  REQUIRE(run_pass(find_pass("canonicalize"), unit));
  CAPTURE(print(unit.graph));
  CHECK(same_results(evaluate_graph(graph, tensors), evaluate_graph(unit.graph, tensors)));
  CHECK(print(unit.graph).find("ayout=") == std::string::npos);
}

TEST_CASE("canonicalize: every layout gives the numbers that it gave before") {
  std::size_t checked = 0;
  for (std::uint16_t i = 0; i < operator_count; ++i) {
    const OperatorId op{i};
    const Family family = row(op).family;
    const char* attribute = family == Family::convolution ? "inputLayout" : "layout";
    if (family == Family::recurrent || row(op).attribute_index(attribute) < 0) continue;
    for (const std::string& layout : words_of(row(op), attribute))
      for (const std::string& filter_layout : words_of(row(op), "filterLayout")) {
        CAPTURE(row(op).name);
        CAPTURE(layout);
        CAPTURE(filter_layout);
        check_layout(op, layout, filter_layout);
        ++checked;
      }
  }
  CHECK(checked == 2 * 4 + 2 * 3 + 3 * 2 + 2);  // conv2d, convTranspose2d, the pools, instanceNormalization
}

}  // namespace
}  // namespace webnn::tests::canonicalize_layouts_test
