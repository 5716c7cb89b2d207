// Finding the first operator that differs: alone, only together with others, and in graphs that differ in structure.
#include "cli/compare/divergence.hpp"

#include <doctest/doctest.h>
#include <sstream>

#include "api/runner/session.hpp"
#include "compiler/ir/parse.hpp"
#include "tests/harness/run_operator.hpp"

namespace webnn::tests::divergence_test {
namespace {

using namespace webnn::cli;
using compiler::Graph;

Graph graph_of(const std::string& text) {
  Diagnostics diagnostics;
  auto graph = compiler::parse(text, {}, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all()) FAIL_CHECK(diagnostic.message);
  REQUIRE(graph);
  return std::move(*graph);
}

/// `nodes` operators in a row, mul and relu by turns, each mul with a factor of its own; that of node `broken` is
/// another one.
Graph chain(int nodes, int broken = -1) {
  std::ostringstream text;
  text << "graph \"chain\" {\n  %x = input float32[4, 4]\n";
  for (int i = 0; i < nodes; ++i) {
    const std::string last = i == 0 ? "x" : "v" + std::to_string(i - 1);
    if (i % 2 == 0)
      text << "  %c" << i << " = constant float32[4, 4] {" << (i == broken ? "0.9" : "1") << "...}\n  %v" << i
           << " = mul(%" << last << ", %c" << i << ")\n";
    else
      text << "  %v" << i << " = relu(%" << last << ")\n";
  }
  text << "  output \"y\" = %v" << nodes - 1 << "\n}\n";
  return graph_of(text.str());
}

std::vector<TensorBytes> run_on_reference(const Graph& graph, const std::vector<std::span<const std::byte>>& inputs) {
  api::Session session({.device = "cpu:reference", .threads = 1});
  Diagnostics diagnostics;
  REQUIRE(session.compile(graph, {}, diagnostics));
  return session.run(inputs);
}

std::optional<Divergence> divergence_of(const Graph& a, const Graph& b, const RunGraph& run_b = run_on_reference,
                                        const DivergenceOptions& options = {}) {
  const TestTensor x = counting(DataType::float32, {4, 4}, 1);
  return find_divergence({&a, run_on_reference}, {&b, run_b}, {x.data}, options);
}

TEST_CASE("divergence: equal graphs have none") { CHECK_FALSE(divergence_of(chain(20), chain(20))); }

TEST_CASE("divergence: the operator whose constant was changed, whatever the size of a batch") {
  for (const std::uint64_t bytes : {1u, 500u, 1u << 20}) {
    const Graph broken = chain(40, 26);
    DivergenceOptions options;
    options.batch_bytes = bytes;
    const auto found = divergence_of(chain(40), broken, run_on_reference, options);
    REQUIRE(found);
    REQUIRE(found->nodes.size() == 1);
    CHECK(broken.node(found->nodes[0]).label == "v26");
    CHECK(found->reason == "its constant 'c26' has other contents");
    CHECK(found->verdicts[0].comparison.mismatches == 16);
    // The part shows it with the operands of the good graph.
    REQUIRE(found->part.graph.inputs().size() == 1);
    CHECK(found->part.graph.node_count() == 1);
    CHECK(run_on_reference(found->part.graph, {found->inputs[0]})[0] != found->expected[0]);
  }
}

TEST_CASE("divergence: what is wrong with the structure is said") {
  const Graph good = graph_of(
      "graph \"g\" {\n  %x = input float32[4, 4]\n  %a = exp(%x)\n  %b = neg(%a)\n"
      "  output \"b\" = %b\n}\n");
  const Graph other_op = graph_of(
      "graph \"g\" {\n  %x = input float32[4, 4]\n  %a = exp(%x)\n  %b = abs(%a)\n"
      "  output \"b\" = %b\n}\n");
  CHECK(divergence_of(good, other_op)->reason == "it is abs instead of neg");
  const Graph other_operand = graph_of(
      "graph \"g\" {\n  %x = input float32[4, 4]\n  %a = exp(%x)\n  %b = neg(%x)\n"
      "  output \"b\" = %b\n}\n");
  CHECK(divergence_of(good, other_operand)->reason == "its operands come from elsewhere");
  const Graph shorter = graph_of("graph \"g\" {\n  %x = input float32[4, 4]\n  %a = exp(%x)\n  output \"a\" = %a\n}\n");
  CHECK(divergence_of(good, shorter)->reason == "operator 'b' has no counterpart");
  const Graph renamed = graph_of(
      "graph \"g\" {\n  %x = input float32[4, 4]\n  %p = exp(%x)\n  %q = neg(%p)\n"
      "  output \"b\" = %q\n}\n");
  CHECK_FALSE(divergence_of(good, renamed));
}

TEST_CASE("divergence: what only operators compiled together get wrong is narrowed down to them") {
  // A device that is right unless v9 and v10 are in one program.
  const RunGraph wrong_together = [](const Graph& graph, const std::vector<std::span<const std::byte>>& inputs) {
    std::vector<TensorBytes> outputs = run_on_reference(graph, inputs);
    const auto first = graph.find_value("v9"), second = graph.find_value("v10");
    const bool chained = first.valid() && second.valid() && graph.value(first).kind == compiler::Value::Kind::result &&
                         graph.value(second).kind == compiler::Value::Kind::result &&
                         graph.node(graph.value(second).producer).inputs[0] == first;
    if (chained && graph.is_output(second) == false)
      for (TensorBytes& output : outputs) output[3] ^= std::byte{0x40};
    if (chained && graph.is_output(second) && !graph.is_output(first))
      for (TensorBytes& output : outputs) output[3] ^= std::byte{0x40};
    return outputs;
  };
  const Graph graph = chain(30);
  const auto found = divergence_of(graph, graph, wrong_together);
  REQUIRE(found);
  REQUIRE(found->nodes.size() == 2);
  CHECK(graph.node(found->nodes[0]).label == "v9");
  CHECK(graph.node(found->nodes[1]).label == "v10");
  CHECK(found->reason == "each operator alone is right, but not when they are compiled together");
}

TEST_CASE("divergence: a graph of 500 operators is walked with the memory of a few") {
  // What the checked side is given at a time is what its runs' inputs and outputs hold.
  std::uint64_t most = 0;
  const RunGraph counting_run = [&](const Graph& graph, const std::vector<std::span<const std::byte>>& inputs) {
    std::uint64_t bytes = 0;
    for (const auto& input : inputs) bytes += input.size();
    std::vector<TensorBytes> outputs = run_on_reference(graph, inputs);
    for (const TensorBytes& output : outputs) bytes += output.size();
    most = std::max(most, bytes);
    return outputs;
  };
  DivergenceOptions options;
  options.batch_bytes = 1024;  // 16 of the 64-byte results
  const Graph broken = chain(500, 444);
  const auto found = divergence_of(chain(500), broken, counting_run, options);
  REQUIRE(found);
  CHECK(broken.node(found->nodes[0]).label == "v444");
  CHECK(most <= 2 * 1024 + 64);
}

}  // namespace
}  // namespace webnn::tests::divergence_test
