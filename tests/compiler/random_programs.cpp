// Random graphs, compiled; the programs are proved, and run on symbols to see that they compute what the graph says.
#include <algorithm>
#include <doctest/doctest.h>
#include <random>

#include "compiler/compiler.hpp"
#include "compiler/ir/print.hpp"
#include "compiler/passes/pipeline.hpp"
#include "schema/verify_program.hpp"
#include "tests/compiler/random_graph.hpp"
#include "tests/compiler/symbols.hpp"
#include "tests/harness/compiler_options.hpp"

namespace webnn::tests::random_programs_test {

using namespace webnn::compiler;

namespace {

/// The graph as the passes leave it that replace operators by others. Symbols cannot tell that these mean the same; the
/// tests of rewrites do, with numbers.
Graph rewritten(const Graph& graph) {
  Diagnostics diagnostics;
  const Options options = options_of_tests();
  Unit unit{graph, {}, options, diagnostics, {}};
  for (const char* pass : {"canonicalize", "sink_transposes", "fold_constants", "simplify", "recognise"})
    CHECK(run_pass(find_pass(pass), unit));
  return unit.graph;
}

}  // namespace

TEST_CASE("compiler: random graphs become programs that hold what the graph says") {
  std::size_t nodes = 0, steps = 0, arena = 0, results = 0, in_place = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    const Graph graph = graph_for_memory(seed);
    CAPTURE(seed);
    const auto expected = meaning_of(rewritten(graph));
    Diagnostics diagnostics;
    const auto program = compile(graph, options_of_tests(), diagnostics);
    for (const Diagnostic& diagnostic : diagnostics.all()) FAIL_CHECK(diagnostic.message);
    REQUIRE(program);
    for (const std::string& problem : verify_program(*program)) FAIL_CHECK(problem);
    if (run_on_symbols(*program) != expected) FAIL_CHECK("wrong symbols for\n", print(graph));
    CHECK(program->inputs.size() == graph.inputs().size());
    CHECK(program->outputs.size() == graph.outputs().size());

    nodes += graph.node_count();
    steps += program->steps.size();
    arena += program->arena_bytes;
    for (const Step& step : program->steps)
      for (std::uint32_t output : step.outputs) {
        const ProgramValue& value = program->values[output];
        if (value.slot.kind == Slot::Kind::arena) results += (value.slot.bytes + 63) / 64 * 64;
        for (std::uint32_t input : step.inputs) in_place += program->values[input].slot == value.slot;
      }
  }
  MESSAGE(nodes, " nodes, ", steps, " steps, ", in_place, " in place; arenas have ", 100 * arena / results,
          " % of their values' bytes");
  CHECK(in_place > 1000);
  CHECK(arena < results);
}

TEST_CASE("compiler: every level of optimisation gives programs that are safe to run") {
  std::size_t steps[4] = {};
  for (unsigned seed = 0; seed < 200; ++seed)
    for (const unsigned level : {0u, 1u, 2u, 3u}) {
      CAPTURE(seed);
      CAPTURE(level);
      Options options = options_of_tests();
      options.level = level;
      Diagnostics diagnostics;
      const auto program = compile(graph_for_memory(seed), options, diagnostics);
      REQUIRE(program);
      CHECK(program->verified);
      CHECK(verify_program(*program).empty());
      steps[level] += program->steps.size();
    }
  CHECK(steps[0] > steps[1]);
  CHECK(steps[1] >= steps[2]);
}

TEST_CASE("compiler: equal graphs give equal programs") {
  for (unsigned seed = 0; seed < 50; ++seed) {
    Diagnostics diagnostics;
    const auto a = compile(graph_for_memory(seed), options_of_tests(), diagnostics);
    const auto b = compile(graph_for_memory(seed), options_of_tests(), diagnostics);
    REQUIRE(a);
    REQUIRE(b);
    REQUIRE(a->values.size() == b->values.size());
    for (std::size_t i = 0; i < a->values.size(); ++i) {
      CHECK(a->values[i].name == b->values[i].name);
      CHECK(a->values[i].slot == b->values[i].slot);
    }
  }
}

TEST_CASE("compiler: a damaged program is refused, or still does what its steps say") {
  std::mt19937 random(5);
  const auto below = [&](std::size_t limit) { return std::uint32_t(random() % limit); };
  std::size_t refused = 0, harmless = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    Diagnostics diagnostics;
    auto program = compile(graph_for_memory(seed % 300), options_of_tests(), diagnostics);
    REQUIRE(program);
    const auto some_value = [&] { return below(program->values.size()); };
    ProgramValue& value = program->values[some_value()];
    Step& step = program->steps[below(program->steps.size())];
    switch (below(9)) {
      case 0:
        value.slot.offset = 64 * below(8);
        break;
      case 1:
        value.slot = program->values[some_value()].slot;
        break;
      case 2:
        value.view_of = below(2) ? some_value() : no_index;
        break;
      case 3:
        std::swap(step, program->steps[below(program->steps.size())]);
        break;
      case 4:
        step.inputs[below(step.inputs.size())] = some_value();
        break;
      case 5:
        step.outputs[below(step.outputs.size())] = some_value();
        break;
      case 6:
        program->steps.erase(program->steps.begin() + below(program->steps.size()));
        break;
      case 7:
        program->steps.push_back(step);
        break;
      case 8:
        program->arena_bytes -= std::min<std::uint64_t>(program->arena_bytes, 64);
        break;
    }
    if (!verify_program(*program).empty()) {
      ++refused;
      continue;
    }
    ++harmless;
    if (run_on_symbols(*program) != meaning_of(*program)) FAIL_CHECK("program of seed ", seed, " was not refused");
    for (const auto& [name, symbol] : meaning_of(*program)) CHECK(symbol != 0);
  }
  MESSAGE(refused, " damaged programs refused, ", harmless, " still correct");
  CHECK(refused > 1000);
  CHECK(harmless > 100);
}

}  // namespace webnn::tests::random_programs_test
