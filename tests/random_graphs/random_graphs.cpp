// Whole random graphs over all operators and types: every way to compute them agrees with the exact result within what
// rounding allows. `webnn-tests --random-graphs N --seed S [--device gpu]` runs any number of them.
#include <cfenv>
#include <doctest/doctest.h>
#include <sstream>

#include "compiler/frontend/load.hpp"
#include "compiler/ir/print.hpp"
#include "runtime/threads/float_mode.hpp"
#include "tests/harness/machine/flush_denormals.hpp"
#include "tests/harness/machine/gpu.hpp"
#include "tests/harness/machine/sanitizers.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/skip.hpp"
#include "tests/random_graphs/command.hpp"
#include "tests/random_graphs/differences.hpp"

namespace random_graphs_test {

using namespace webnn;
using namespace webnn::tests;

namespace {

void check_graphs(std::uint32_t first, std::size_t count, const std::vector<Variant>& variants,
                  const NetworkOptions& options = {}) {
  if (under_sanitizer) count /= 10;
  std::ostringstream differences;
  const RandomGraphsResult result = run_random_graphs(first, count, variants, options, differences);
  CHECK_MESSAGE(result.failed == 0, differences.str());
  CHECK(result.graphs == count);
  // A bound that is never known finds nothing.
  CHECK(result.coverage.unknown * 5 < result.coverage.elements);
}

}  // namespace

TEST_CASE("random graphs: the CPU, seeds 0 to 499") { check_graphs(0, 500, cpu_variants()); }
TEST_CASE("random graphs: the CPU, seeds 500 to 999") { check_graphs(500, 500, cpu_variants()); }

TEST_CASE("random graphs: the caller's floating-point mode changes no bit, and stays") {
  VariantRunner alone({.name = "1 thread"}), together({.name = "3 threads", .threads = 3});
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    const Network network = random_network(seed);
    const std::vector<TestTensor> expected = alone.run(network);
    const runtime::DefaultFloatMode restored;
    std::fesetround(FE_UPWARD);
    std::feraiseexcept(FE_DIVBYZERO);
    flush_denormals();
    const bool same = together.run(network) == expected && alone.run(network) == expected;
    CHECK(std::fegetround() == FE_UPWARD);
    CHECK(std::fetestexcept(FE_DIVBYZERO) != 0);
    std::fesetround(FE_TONEAREST);
    CHECK(same);
  }
}

TEST_CASE("random graphs: the GPU") {
  if (!open_test_gpu()) return;
  check_graphs(1'000'000, 150, gpu_variants(), {.small = true});
}

TEST_CASE("random graphs: a seed gives the same network") {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const Network one = random_network(seed), other = random_network(seed);
    CHECK(same_results(one.inputs, other.inputs));
    CHECK(one.graph.order().size() == other.graph.order().size());
    CHECK(one.graph.order().size() >= 1);
  }
}

TEST_CASE("random graphs: --write-graphs writes the graph of each seed") {
  const ScratchFolder folder;
  std::vector<std::string> words = {
      "webnn-tests", "--random-graphs", "5", "--seed", "7", "--write-graphs", (folder.path() / "graphs").string()};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  CHECK(random_graphs_command(int(arguments.size()), arguments.data()) == 0);
  for (std::uint32_t seed = 7; seed < 12; ++seed) {
    CAPTURE(seed);
    Diagnostics diagnostics;
    const auto file = folder.path() / "graphs" / (std::to_string(seed) + ".wnnb");
    const auto read = compiler::load_graph(file, {}, diagnostics);
    REQUIRE(read);
    CHECK(compiler::print(*read) == compiler::print(random_network(seed).graph));
  }
}

TEST_CASE("random graphs: every operator is there, with every type that it takes") {
  if (under_sanitizer) return skip("a sanitizer makes thousands of graphs take too long");
  std::vector<std::array<bool, data_type_count>> seen(operator_count);
  for (std::uint32_t seed = 0; seed < 4000; ++seed) {
    const compiler::Graph graph = random_network(seed).graph;
    for (const compiler::NodeId id : graph.order())
      for (const OperandDescriptor* operand : graph.operands(id))
        if (operand) seen[graph.node(id).op.index][std::size_t(operand->type)] = true;
  }
  for (std::uint16_t i = 0; i < operator_count; ++i) {
    const Operator& op = row(OperatorId{i});
    for (std::size_t type = 0; type < data_type_count; ++type)
      if (op.operands[0].types.contains(DataType(type)))
        CHECK_MESSAGE(seen[i][type], op.name << " of " << name_of(DataType(type)));
  }
}

}  // namespace random_graphs_test
