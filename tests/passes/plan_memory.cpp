// The order of execution that plan_memory chooses. Where it puts values is in its golden files.
#include <algorithm>
#include <doctest/doctest.h>

#include "compiler/compiler.hpp"
#include "compiler/ir/parse.hpp"
#include "compiler/passes/parts/demand_order.hpp"
#include "tests/harness/compiler_options.hpp"

namespace webnn::tests::plan_memory_test {
namespace {

using namespace webnn::compiler;

Graph graph_of(std::string_view text) {
  Diagnostics diagnostics;
  auto graph = parse(text, {}, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all()) FAIL_CHECK(diagnostic.message);
  REQUIRE(graph);
  return *graph;
}

}  // namespace

TEST_CASE("plan_memory: branches that a file lists level by level run one after another") {
  // Each branch makes 4 KiB of 4 bytes and 4 bytes of these.
  std::string text = "graph \"branches\" {\n";
  constexpr int branches = 8;
  const auto each = [&](auto line) {
    for (int i = 0; i < branches; ++i) text += "  " + line(std::to_string(i)) + "\n";
  };
  each([](const std::string& i) { return "%x" + i + " = input float32[1]"; });
  each([](const std::string& i) { return "%wide" + i + " = expand(%x" + i + ") {newShape=[1024]}"; });
  each([](const std::string& i) { return "%sum" + i + " = reduceSum(%wide" + i + ") {keepDimensions=true}"; });
  text += "  %all = concat(%sum0";
  for (int i = 1; i < branches; ++i) text += ", %sum" + std::to_string(i);
  text += ") {axis=0}\n  output \"all\" = %all\n}\n";

  Diagnostics diagnostics;
  const auto program = compile(graph_of(text), options_of_tests(), diagnostics);
  REQUIRE(program);
  CHECK(program->arena_bytes == 4096 + branches * 64);
}

TEST_CASE("demand_order: all live nodes, producers first, however deep") {
  std::string text = "graph \"deep\" {\n  %v0 = input float32[1]\n";
  constexpr int depth = 50000;
  for (int i = 1; i <= depth; ++i) text += "  %v" + std::to_string(i) + " = neg(%v" + std::to_string(i - 1) + ")\n";
  text += "  %nobody = tanh(%v0)\n  output \"y\" = %v" + std::to_string(depth) + "\n}\n";
  const Graph graph = graph_of(text);
  const std::vector<NodeId> order = demand_order(graph);
  CHECK(order.size() == depth + 1);
  CHECK(std::ranges::is_sorted(order));
}

}  // namespace webnn::tests::plan_memory_test
