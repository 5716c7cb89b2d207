// fold_into on numbers: what is left computes nearly the same. Which nodes are left is in the golden files.
#include <doctest/doctest.h>
#include <random>

#include "api/oracle/evaluate.hpp"
#include "compiler/passes/pipeline.hpp"
#include "schema/elements/compare_tensors.hpp"
#include "tests/harness/compiler_options.hpp"
#include "tests/harness/evaluate_graph.hpp"
#include "tests/harness/graph_text.hpp"

namespace webnn::tests::fold_into_test {
namespace {

using namespace webnn::compiler;

/// The same graph with numbers between -1 and 1 in all constants, and between 0.5 and 1.5 in those called "positive".
Graph with_chance_constants(const Graph& graph, std::mt19937& engine) {
  std::uniform_real_distribution<float> numbers(-1, 1);
  Graph result = graph;
  for (std::uint32_t i = 0; i < graph.value_count(); ++i) {
    if (!graph.is_constant({i})) continue;
    const Value value = graph.value({i});
    Numbers elements(element_count(value.descriptor.shape));
    const bool positive = value.name.starts_with("positive");
    for (Number& element : elements) element = positive ? 1 + numbers(engine) / 2 : numbers(engine);
    const TestTensor data = tensor(value.descriptor.type, value.descriptor.shape, elements);
    result.replace_uses({i}, result.add_constant(value.name, value.descriptor, Bytes(data.data)));
  }
  return result;
}

/// Runs the pass; the result's nodes are in `unit`.
Graph folded(const Graph& graph) {
  Diagnostics diagnostics;
  Options options = options_of_tests();
  options.evaluate = api::reference_evaluate();
  Unit unit{graph, {}, options, diagnostics, {}};
  REQUIRE(run_pass(find_pass("fold_into"), unit));
  return unit.graph;
}

/// `body` is the nodes between input %x : float32[2, 4, 5, 5] (or %m : float32[3, 4]) and %y.
void check_folds(const std::string& body) {
  CAPTURE(body);
  const Graph pattern = parsed(R"(graph "folded" {
  %x = input float32[2, 4, 5, 5]
  %m = input float32[3, 4]
  %w = constant float32[6, 4, 3, 3] {0...}
  %grouped = constant float32[6, 2, 3, 3] {0...}
  %transposed = constant float32[4, 6, 3, 3] {0...}
  %weights = constant float32[4, 6] {0...}
  %swapped = constant float32[6, 4] {0...}
  %bias = constant float32[6] {0...}
  %channels = constant float32[6, 1, 1] {0...}
  %positive_channels = constant float32[1, 6, 1, 1] {0...}
  %mean = constant float32[6] {0...}
  %positive_variance = constant float32[6] {0...}
  %positive_row = constant float32[1, 6] {0...}
  %number = constant float32[] {0}
)" + body + "\n  output \"y\" = %y\n}\n");
  std::mt19937 engine(5);
  const Graph graph = with_chance_constants(pattern, engine);
  const Graph single = folded(graph);
  CHECK(single.order().size() == 1);

  TestTensors inputs;
  std::uniform_real_distribution<float> chance(-1, 1);
  for (const ValueId input : graph.inputs()) {
    const OperandDescriptor& descriptor = graph.value(input).descriptor;
    Numbers elements(element_count(descriptor.shape));
    for (Number& element : elements) element = chance(engine);
    inputs.emplace_back(graph.value(input).name, tensor(descriptor.type, descriptor.shape, elements));
  }
  const TestTensors wanted = evaluate_graph(graph, inputs), found = evaluate_graph(single, inputs);
  const Comparison comparison = compare_tensors(wanted[0].second.descriptor, found[0].second.data,
                                                wanted[0].second.data, Tolerance{16, 4e-6, 4e-6});
  CHECK(comparison.passed());
}

}  // namespace

TEST_CASE("fold_into: convolutions with everything linear behind them stay one node, and compute the same") {
  check_folds(R"(  %a = conv2d(%x, %w) {padding=[1, 0, 0, 1], strides=[2, 1]}
  %y = mul(%a, %channels))");
  check_folds(R"(  %a = conv2d(%x, %w, bias=%bias)
  %b = mul(%channels, %a)
  %c = add(%b, %number)
  %y = div(%c, %positive_channels))");
  check_folds(R"(  %a = conv2d(%x, %grouped) {groups=2}
  %b = sub(%a, %channels)
  %c = mul(%b, %number)
  %y = sub(%c, %number))");
  check_folds(R"(  %a = conv2d(%x, %w)
  %b = div(%a, %positive_channels)
  %y = add(%channels, %b))");
  check_folds(R"(  %a = convTranspose2d(%x, %transposed) {strides=[2, 2]}
  %b = mul(%a, %channels)
  %y = add(%b, %channels))");
  check_folds(R"(  %a = convTranspose2d(%x, %transposed, bias=%bias) {groups=1}
  %b = div(%a, %positive_channels)
  %y = mul(%b, %number))");
}

TEST_CASE("fold_into: batchNormalization after a convolution or a gemm") {
  check_folds(R"(  %a = conv2d(%x, %w)
  %y = batchNormalization(%a, %mean, %positive_variance, scale=%bias, bias=%mean))");
  check_folds(R"(  %a = conv2d(%x, %w, bias=%bias)
  %y = batchNormalization(%a, %mean, %positive_variance) {epsilon=0.25})");
  check_folds(R"(  %a = convTranspose2d(%x, %transposed)
  %b = batchNormalization(%a, %mean, %positive_variance, bias=%bias)
  %y = batchNormalization(%b, %mean, %positive_variance, scale=%bias))");
  check_folds(R"(  %a = gemm(%m, %swapped, c=%bias) {bTranspose=true}
  %y = batchNormalization(%a, %mean, %positive_variance, scale=%bias, bias=%mean))");
}

TEST_CASE("fold_into: constants of float16 are not rounded once more") {
  const auto nodes = [](const std::string& body) {
    std::mt19937 engine(5);
    const Graph pattern = parsed(R"(graph "half" {
  %x = input float16[2, 4, 5, 5]
  %m = input float16[3, 4]
  %w = constant float16[6, 4, 3, 3] {0...}
  %weights = constant float16[4, 6] {0...}
  %bias = constant float16[6] {0...}
  %channels = constant float16[6, 1, 1] {0...}
)" + body + "\n  output \"y\" = %y\n}\n");
    return folded(with_chance_constants(pattern, engine)).order().size();
  };
  CHECK(nodes("  %a = conv2d(%x, %w)\n  %y = add(%a, %channels)") == 1);
  CHECK(nodes("  %a = conv2d(%x, %w)\n  %y = mul(%a, %channels)") == 2);
  CHECK(nodes("  %a = conv2d(%x, %w, bias=%bias)\n  %y = add(%a, %channels)") == 2);
  CHECK(nodes("  %a = conv2d(%x, %w, bias=%bias)\n  %y = sub(%a, %channels)") == 2);
  CHECK(nodes("  %a = conv2d(%x, %w)\n  %y = batchNormalization(%a, %bias, %bias, scale=%bias)") == 2);
  CHECK(nodes("  %a = gemm(%m, %weights)\n  %y = add(%a, %bias)") == 1);
  CHECK(nodes("  %a = gemm(%m, %weights, c=%bias)\n  %y = add(%a, %bias)") == 2);
  CHECK(nodes("  %a = gemm(%m, %weights, c=%bias)\n  %y = sub(%a, %bias)") == 2);
}

TEST_CASE("fold_into: products of matrices") {
  check_folds(R"(  %a = matmul(%m, %weights)
  %b = mul(%a, %bias)
  %y = div(%b, %positive_row))");
  check_folds(R"(  %a = gemm(%m, %weights) {alpha=0.5, beta=3}
  %b = mul(%a, %number)
  %c = add(%b, %bias)
  %d = div(%c, %positive_row)
  %y = sub(%d, %number))");
  check_folds(R"(  %a = gemm(%m, %swapped) {bTranspose=true}
  %b = div(%a, %positive_row)
  %c = sub(%b, %bias)
  %d = mul(%c, %bias)
  %y = add(%d, %number))");
}

}  // namespace webnn::tests::fold_into_test
