// What fold_constants asks of its caller, and when it leaves a node alone. What it makes of graphs is in its golden
// files.
#include <algorithm>
#include <doctest/doctest.h>

#include "compiler/ir/parse.hpp"
#include "compiler/passes/passes.hpp"
#include "tests/harness/compiler_options.hpp"

namespace webnn::tests::fold_constants_test {
namespace {

using namespace webnn::compiler;

/// How many nodes of `text` are left, and how often `evaluate` was asked.
struct Folded {
  std::size_t nodes = 0;
  int asked = 0;
};

Folded fold(std::string_view text, std::uint64_t limit, bool answer = true, bool have_evaluate = true) {
  Diagnostics diagnostics;
  auto graph = parse(text, {}, diagnostics);
  REQUIRE(graph);
  Folded result;
  Options options = options_of_tests();
  options.fold_limit_bytes = limit;
  if (have_evaluate)
    options.evaluate = [&](const KernelSpec& spec, std::span<const std::span<const std::byte>> inputs,
                           std::span<const std::span<std::byte>> outputs) {
      ++result.asked;
      CHECK(inputs.size() == spec.inputs.size());
      CHECK(outputs.size() == spec.outputs.size());
      for (std::size_t i = 0; i < outputs.size(); ++i) {
        CHECK(outputs[i].size() == byte_length(spec.outputs[i]));
        std::ranges::fill(outputs[i], std::byte{0});
      }
      return answer;
    };
  Unit unit{std::move(*graph), {}, options, diagnostics, {}};
  fold_constants(unit);
  result.nodes = unit.graph.order().size();
  return result;
}

constexpr std::string_view chain = R"(graph "chain" {
  %c = constant float32[64] {1...}
  %a = neg(%c)
  %b = tanh(%a)
  %v = reshape(%b) {newShape=[8, 8]}
  output "v" = %v
}
)";

}  // namespace

TEST_CASE("fold_constants: a chain folds in one run") {
  const Folded folded = fold(chain, 1u << 20);
  CHECK(folded.nodes == 0);
  CHECK(folded.asked == 2);  // a view needs no kernel
}

TEST_CASE("fold_constants: results above the limit stay nodes") {
  CHECK(fold(chain, 256).nodes == 0);
  CHECK(fold(chain, 255).nodes == 3);
  CHECK(fold(chain, 255).asked == 0);
}

TEST_CASE("fold_constants: without a kernel, or without anybody to ask, nodes stay") {
  CHECK(fold(chain, 1u << 20, false).nodes == 3);
  CHECK(fold(chain, 1u << 20, true, false).nodes == 3);
}

TEST_CASE("fold_constants: a graph cannot ask for any amount of memory by many small steps") {
  std::string text = "graph \"growing\" {\n  %v0 = constant float32[1024] {1...}\n";
  for (int i = 1; i <= 100; ++i) text += "  %v" + std::to_string(i) + " = neg(%v" + std::to_string(i - 1) + ")\n";
  text += "  output \"y\" = %v100\n}\n";
  const Folded folded = fold(text, 8192);  // with twice the constants' bytes: 16384, four results of 4096
  CHECK(folded.asked == 4);
  CHECK(folded.nodes == 96);
}

}  // namespace webnn::tests::fold_constants_test
