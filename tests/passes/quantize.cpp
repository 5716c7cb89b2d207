// quantize on numbers: what is left computes the same but for one step of the result. Which nodes are left is in the
// golden files.
#include <algorithm>
#include <doctest/doctest.h>
#include <random>

#include "api/oracle/evaluate.hpp"
#include "compiler/passes/pipeline.hpp"
#include "schema/elements/compare_tensors.hpp"
#include "tests/harness/compiler_options.hpp"
#include "tests/harness/evaluate_graph.hpp"
#include "tests/harness/graph_text.hpp"
#include "tests/harness/providers.hpp"
#include "tests/harness/random/random_graph.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::quantize_test {
namespace {

using namespace webnn::compiler;

std::size_t count_of(const Graph& graph, OperatorId op) {
  return std::size_t(std::ranges::count_if(graph.order(), [&](NodeId id) { return graph.node(id).op == op; }));
}

/// A constant as text; its elements are small numbers in an order that no axis has.
std::string constant_text(const std::string& name, const Shape& shape) {
  std::string text = "%" + name + " = constant int8" + shape.text() + " {";
  for (std::uint64_t i = 0; i < element_count(shape); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(int(i * 37 % 19) - 9);
  return text + "}\n";
}

/// What operators on bytes are left of a graph.
struct Left {
  std::size_t convolutions = 0, averages = 0, tables = 0;
};

/// `body` is the nodes between the inputs and %y. These operators are left of it, and floats are moved at most.
void check_quantizes(const std::string& body, const Left& left) {
  CAPTURE(body);
  const Graph graph = parsed(R"(graph "quantised" {
  %x = input uint8[2, 3, 4, 4]
  %t = input int8[2, 3, 4, 4]
  %m = input int8[2, 5, 8]
  %v = input uint8[5, 8]
  %s1 = constant float32[1] {0.25}
  %z1 = constant int8[1] {2}
  %s2 = constant float32[1, 1] {0.5}
  %z2 = constant uint8[1, 1] {7}
  %s3 = constant float32[1, 1, 1] {0.5}
  %z3 = constant int8[1, 1, 1] {-5}
  %s4 = constant float32[1, 1, 1, 1] {0.125}
  %z4 = constant uint8[1, 1, 1, 1] {100}
  %n4 = constant int8[1, 1, 1, 1] {-1}
  %w = constant int8[8, 3] {1, -2, 3, 4, 5, -6, 7, 8, 9, 1, 2, 3, 4, -5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6}
  %ws = constant float32[1, 3] {0.0625, 0.03125, 0.125}
  %wz = constant int8[1, 3] {0, 0, 0}
  %one_w = constant int8[1, 1] {0}
  %turned = constant int8[3, 8] {1, -2, 3, 4, 5, -6, 7, 8, 9, 1, 2, 3, 4, -5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6}
  %turned_s = constant float32[3, 1] {0.0625, 0.03125, 0.125}
  %turned_z = constant int8[3, 1] {0, 0, 0}
  %b = constant float32[3] {1, -2, 0.5}
  %dx = dequantizeLinear(%x, %s4, %z4)
  %dt = dequantizeLinear(%t, %s4, %n4)
  %dm = dequantizeLinear(%m, %s3, %z3)
  %dv = dequantizeLinear(%v, %s2, %z2)
  %dw = dequantizeLinear(%w, %ws, %wz)
  %dw1 = dequantizeLinear(%w, %s2, %one_w)
  %dturned = dequantizeLinear(%turned, %turned_s, %turned_z)
)" + body + "\n  output \"y\" = %y\n}\n");
  Diagnostics diagnostics;
  Options options = options_of_tests();
  options.target.features = Feature(~0u);
  options.evaluate = api::reference_evaluate();
  Unit unit{graph, {}, options, diagnostics, {}};
  REQUIRE(run_pass(find_pass("quantize"), unit));
  REQUIRE(run_pass(find_pass("remove_dead"), unit));
  CHECK(count_of(unit.graph, "@quantizedConv2d"_op) == left.convolutions);
  CHECK(count_of(unit.graph, "@quantizedAveragePool2d"_op) == left.averages);
  CHECK(count_of(unit.graph, "@byteTable"_op) == left.tables);
  for (const NodeId id : unit.graph.order()) {
    const Node& node = unit.graph.node(id);
    const Family family = row(node.op).family;
    CAPTURE(row(node.op).name);
    CHECK((family == Family::view || family == Family::movement ||
           !is_float(unit.graph.value(node.inputs[0]).descriptor.type)));
  }

  std::mt19937 engine(5);
  const TestTensors inputs = random_inputs(graph, engine);
  const TestTensors wanted = evaluate_graph(graph, inputs);
  const TestTensors found = evaluate_graph(unit.graph, inputs);
  const bool rounds = !is_float(wanted[0].second.descriptor.type);
  const Comparison comparison =
      compare_tensors(wanted[0].second.descriptor, found[0].second.data, wanted[0].second.data,
                      rounds ? Tolerance{.absolute = 1} : Tolerance{.absolute = 1e-3, .relative = 1e-5});
  CAPTURE(comparison.max_absolute);
  CHECK(comparison.passed());
}

}  // namespace

TEST_CASE("quantize: products of matrices") {
  if (!has_convolution_library()) return skip(no_convolution_library());
  check_quantizes("%p = matmul(%dm, %dw)\n%y = quantizeLinear(%p, %s3, %z3)", {.convolutions = 1});
  check_quantizes("%p = matmul(%dm, %dw1)\n%y = quantizeLinear(%p, %s3, %z3)", {.convolutions = 1});
  check_quantizes("%p = matmul(%dm, %dw)\n%a = add(%p, %b)\n%y = quantizeLinear(%a, %s3, %z3)", {.convolutions = 1});
  check_quantizes("%p = gemm(%dv, %dw, c=%b)\n%y = quantizeLinear(%p, %s2, %z2)", {.convolutions = 1});
  check_quantizes("%p = gemm(%dv, %dturned) {bTranspose=true}\n%y = quantizeLinear(%p, %s2, %z2)", {.convolutions = 1});
}

TEST_CASE("quantize: products to floats") {
  if (!has_provider("onednn")) return skip(no_provider("onednn"));
  check_quantizes("%y = matmul(%dm, %dw)", {.convolutions = 1});
  check_quantizes("%y = gemm(%dv, %dturned, c=%b) {bTranspose=true}", {.convolutions = 1});
}

TEST_CASE("quantize: through reshapes, transposes and back") {
  if (!has_convolution_library()) return skip(no_convolution_library());
  check_quantizes(
      "%r = reshape(%dm) {newShape=[10, 8]}\n%p = gemm(%r, %dw)\n%q = reshape(%p) {newShape=[2, 5, 3]}\n"
      "%y = quantizeLinear(%q, %s3, %z3)",
      {.convolutions = 1});
  check_quantizes("%q = quantizeLinear(%dt, %s4, %n4)\n%y = neg(%q)", {});
}

TEST_CASE("quantize: what is joined stays bytes") {
  check_quantizes("%c = concat(%dt, %dt) {axis=2}\n%y = quantizeLinear(%c, %s4, %n4)", {});
}

TEST_CASE("quantize: transposed convolutions are convolutions whose channels are pixels") {
  if (!has_provider("onednn")) return skip(no_provider("onednn"));
  struct Case {
    Shape filter;
    std::string options;
  };
  const Case cases[] = {
      {{3, 2, 2, 2}, "strides=[2, 2]"},
      {{3, 4, 3, 3}, "padding=[1, 1, 1, 1], strides=[2, 2], outputPadding=[1, 1]"},
      {{3, 2, 4, 4}, "padding=[1, 1, 1, 1], strides=[2, 2]"},
      {{3, 2, 3, 3}, "padding=[1, 1, 1, 1]"},
      {{3, 1, 5, 6}, "padding=[0, 4, 1, 2], strides=[3, 2]"},
      {{3, 2, 3, 2}, "strides=[2, 1], padding=[1, 0, 0, 1], outputSizes=[9, 4]"},
      {{3, 2, 6, 4}, "padding=[5, 3, 0, 3], strides=[2, 2]"},
  };
  for (const Case& one : cases) {
    const std::string outputs = std::to_string(one.filter[1]);
    std::string scales = "%fs = constant float32[1, " + outputs + ", 1, 1] {0.25";
    std::string zeros = "%fz = constant int8[1, " + outputs + ", 1, 1] {0";
    std::string bias = "%fb = constant float32[" + outputs + "] {3";
    for (std::uint32_t i = 1; i < one.filter[1]; ++i) {
      scales += ", 0." + std::to_string(i);
      zeros += ", 0";
      bias += ", -" + std::to_string(i);
    }
    const std::string filter = constant_text("f", one.filter) + scales + "}\n" + zeros + "}\n" + bias +
                               "}\n%df = dequantizeLinear(%f, %fs, %fz)\n";
    check_quantizes(
        filter + "%c = convTranspose2d(%dx, %df, bias=%fb) {" + one.options + "}\n%y = quantizeLinear(%c, %s4, %z4)",
        {.convolutions = 1});
    check_quantizes(filter + "%y = convTranspose2d(%dx, %df) {" + one.options + "}", {.convolutions = 1});
  }
}

TEST_CASE("quantize: averages of windows, and of height and width") {
  for (const char* pooling : {
           "averagePool2d(%dx)",
           "averagePool2d(%dx) {windowDimensions=[3, 2], padding=[1, 1, 1, 0], strides=[2, 1]}",
           "averagePool2d(%dx) {windowDimensions=[2, 2], strides=[3, 3], outputShapeRounding=\"ceil\"}",
           "averagePool2d(%dx) {windowDimensions=[1, 1], padding=[1, 0, 0, 0]}",
           "reduceMean(%dx) {axes=[2, 3], keepDimensions=true}",
           "reduceMean(%dx) {axes=[2, 1], keepDimensions=true}",
       })
    for (const char* result : {"%s4, %z4", "%s4, %n4"})
      check_quantizes("%p = " + std::string(pooling) + "\n%y = quantizeLinear(%p, " + result + ")", {.averages = 1});
  check_quantizes("%p = reduceMean(%dt) {axes=[2, 3]}\n%y = quantizeLinear(%p, %s2, %z2)", {.averages = 1});
}

TEST_CASE("quantize: what moves bytes") {
  for (const char* movement : {
           "resample2d(%dt) {scales=[2, 1.5]}",
           "slice(%dt) {starts=[0, 1, 0, 2], sizes=[2, 2, 3, 2], strides=[1, 1, 2, 1]}",
           "pad(%dt) {beginningPadding=[0, 0, 1, 2], endingPadding=[0, 1, 0, 2]}",
           "pad(%dt) {beginningPadding=[0, 0, 1, 2], endingPadding=[0, 1, 0, 2], mode=\"reflection\"}",
           "maxPool2d(%dt) {windowDimensions=[2, 2]}",
       })
    check_quantizes("%m1 = " + std::string(movement) + "\n%y = quantizeLinear(%m1, %s4, %n4)", {});
  check_quantizes(
      "%p1, %p2 = split(%dt) {splits=[1, 3], axis=2}\n%q1 = quantizeLinear(%p1, %s4, %n4)\n"
      "%q2 = quantizeLinear(%p2, %s4, %n4)\n%y = concat(%q2, %q1) {axis=2}",
      {});
}

TEST_CASE("quantize: a function of a byte is a table") {
  check_quantizes("%h = hardSwish(%dt)\n%y = quantizeLinear(%h, %s4, %z4)", {.tables = 1});
  check_quantizes("%y = quantizeLinear(%dt, %s4, %z4)", {.tables = 1});
  check_quantizes("%g = sigmoid(%dt)\n%h = mul(%dt, %g)\n%y = quantizeLinear(%h, %s4, %z4)", {.tables = 1});
  check_quantizes(  // the same with its parts quantised
      "%g = sigmoid(%dt)\n%q = quantizeLinear(%g, %s4, %n4)\n%d = dequantizeLinear(%q, %s4, %n4)\n"
      "%h = mul(%dt, %d)\n%y = quantizeLinear(%h, %s4, %z4)",
      {.tables = 1});
  check_quantizes(  // a constant on the left, and of another rank
      "%c = constant float32[] {3}\n%a = add(%c, %dt)\n%l = leakyRelu(%a)\n%d = div(%l, %s1)\n"
      "%y = quantizeLinear(%d, %s4, %n4)",
      {.tables = 1});
}

TEST_CASE("quantize: limits inside of the range of the result are limits of the bytes") {
  if (!has_convolution_library()) return skip(no_convolution_library());
  const std::string product = "%p = matmul(%dm, %dw)\n";
  check_quantizes(product + "%r = relu(%p)\n%y = quantizeLinear(%r, %s3, %z3)", {.convolutions = 1});
  check_quantizes(product + "%r = clamp(%p) {minValue=-3.3, maxValue=6}\n%y = quantizeLinear(%r, %s3, %z3)",
                  {.convolutions = 1});
}

TEST_CASE("quantize: bytes that stand for infinities do not come back as they are") {
  const Graph graph = parsed(R"(graph "infinite" {
  %x = input uint8[64]
  %s = constant float32[1] {1e38}
  %z = constant uint8[1] {0}
  %d = dequantizeLinear(%x, %s, %z)
  %q = quantizeLinear(%d, %s, %z)
  %y = reverse(%q) {axes=[0]}
  output "y" = %y
}
)");
  Diagnostics diagnostics;
  Options options = options_of_tests();
  options.evaluate = api::reference_evaluate();
  Unit unit{graph, {}, options, diagnostics, {}};
  REQUIRE(run_pass(find_pass("quantize"), unit));
  std::mt19937 engine(5);
  const TestTensors inputs = random_inputs(graph, engine);
  const TestTensors wanted = evaluate_graph(graph, inputs);
  CHECK(std::ranges::count(wanted[0].second.data, std::byte{255}) > 0);
  CHECK(same_results(wanted, evaluate_graph(unit.graph, inputs)));
}

}  // namespace webnn::tests::quantize_test
