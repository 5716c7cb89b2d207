// quantize on numbers: what is left computes the same but for one step of the result. Which nodes are left is in the
// golden files.
#include <algorithm>
#include <doctest/doctest.h>
#include <random>

#include "api/evaluate.hpp"
#include "compiler/passes/pipeline.hpp"
#include "schema/compare_tensors.hpp"
#include "tests/harness/evaluate_graph.hpp"
#include "tests/harness/graph_text.hpp"
#include "tests/harness/random_graph.hpp"

namespace webnn::tests {
namespace {

using namespace webnn::compiler;

std::size_t count_of(const Graph& graph, OperatorId op) {
  return std::size_t(std::ranges::count_if(graph.order(), [&](NodeId id) { return graph.node(id).op == op; }));
}

/// `body` is the nodes between the inputs and %y. Its operators on integers are `convolutions` of them afterwards, and
/// no float operator but dequantizeLinear is left.
void check_quantizes(const std::string& body, std::size_t convolutions) {
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
  Options options;
  options.target.features = Feature(~0u);
  options.evaluate = api::reference_evaluate();
  Unit unit{graph, {}, options, diagnostics, {}};
  REQUIRE(run_pass(find_pass("quantize"), unit));
  REQUIRE(run_pass(find_pass("remove_dead"), unit));
  CHECK(count_of(unit.graph, "@quantizedConv2d"_op) == convolutions);
  for (const OperatorId op : {"conv2d"_op, "matmul"_op, "gemm"_op, "quantizeLinear"_op})
    CHECK(count_of(unit.graph, op) == 0);

  std::mt19937 engine(5);
  const NamedTensors inputs = random_inputs(graph, engine);
  const NamedTensors wanted = evaluate_graph(graph, inputs);
  const NamedTensors found = evaluate_graph(unit.graph, inputs);
  const bool rounds = !is_float(wanted[0].second.descriptor.type);
  const Comparison comparison =
      compare_tensors(wanted[0].second.descriptor, found[0].second.data, wanted[0].second.data,
                      rounds ? Tolerance{.absolute = 1} : Tolerance{.absolute = 1e-3, .relative = 1e-5});
  CAPTURE(comparison.max_absolute);
  CHECK(comparison.passed());
}

}  // namespace

TEST_CASE("quantize: products of matrices") {
  check_quantizes("%p = matmul(%dm, %dw)\n%y = quantizeLinear(%p, %s3, %z3)", 1);
  check_quantizes("%p = matmul(%dm, %dw1)\n%y = quantizeLinear(%p, %s3, %z3)", 1);
  check_quantizes("%p = matmul(%dm, %dw)\n%a = add(%p, %b)\n%y = quantizeLinear(%a, %s3, %z3)", 1);
  check_quantizes("%p = gemm(%dv, %dw, c=%b)\n%y = quantizeLinear(%p, %s2, %z2)", 1);
  check_quantizes("%p = gemm(%dv, %dturned) {bTranspose=true}\n%y = quantizeLinear(%p, %s2, %z2)", 1);
}

TEST_CASE("quantize: products to floats") {
  check_quantizes("%y = matmul(%dm, %dw)", 1);
  check_quantizes("%y = gemm(%dv, %dturned, c=%b) {bTranspose=true}", 1);
}

TEST_CASE("quantize: through reshapes, transposes and back") {
  check_quantizes(
      "%r = reshape(%dm) {newShape=[10, 8]}\n%p = gemm(%r, %dw)\n%q = reshape(%p) {newShape=[2, 5, 3]}\n"
      "%y = quantizeLinear(%q, %s3, %z3)",
      1);
  check_quantizes("%q = quantizeLinear(%dt, %s4, %n4)\n%y = neg(%q)", 0);
}

TEST_CASE("quantize: what is joined stays bytes") {
  check_quantizes("%c = concat(%dt, %dt) {axis=2}\n%y = quantizeLinear(%c, %s4, %n4)", 0);
}

}  // namespace webnn::tests
