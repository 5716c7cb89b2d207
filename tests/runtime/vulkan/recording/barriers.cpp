// Barriers of compiled programs: as many as the longest chain of steps that need each other's results. The places that
// plan_memory chooses must not make steps wait for memory.
#include <algorithm>
#include <doctest/doctest.h>

#include "api/kernels.hpp"
#include "compiler/compiler.hpp"
#include "compiler/ir/parse.hpp"
#include "runtime/vulkan/hazards.hpp"
#include "tests/harness/compiler_options.hpp"
#include "tests/random_graphs/network.hpp"
#include "tests/runtime/vulkan/recording/longest_chain.hpp"

namespace webnn::tests::barriers_test {
namespace {

using namespace webnn::compiler;
using namespace runtime::vulkan;

Program compiled_for_gpu(Graph graph) {
  Options options = options_of_tests();
  options.target = {DeviceKind::vulkan,
                    Feature::memory_8bit | Feature::float16 | Feature::shared_memory | Feature::long_loops};
  Diagnostics diagnostics;
  auto program = compile(std::move(graph), options, diagnostics);
  REQUIRE(program);
  return std::move(*program);
}

/// The barriers without which a step reads what is not written yet.
std::uint64_t barriers_by_results(const Program& program) {
  return std::max<std::uint64_t>(longest_chain(program, [](const Step&) { return 1; }), 1) - 1;
}

/// The barriers that the places of the values make necessary.
std::uint32_t barriers_by_memory(const Program& program) {
  constexpr std::uint64_t far = std::uint64_t{1} << 48;  // between the arena, the inputs, the outputs
  std::vector<Accesses> steps;
  for (const Step& step : program.steps) {
    Accesses& accesses = steps.emplace_back();
    const auto add = [&](std::uint32_t value, bool writes) {
      if (value == no_index) return;
      const Slot& slot = program.values[value].slot;
      if (slot.kind == Slot::Kind::constant) return;
      const std::uint64_t place = (std::uint64_t(slot.kind) * 64 + slot.index) * far + slot.offset;
      accesses.push_back({place, byte_length(program.values[value].descriptor), writes});
    };
    for (const std::uint32_t input : step.inputs) add(input, false);
    for (const std::uint32_t output : step.outputs) add(output, true);
  }
  const std::vector<std::uint32_t> depths = find_depths(steps);
  return depths.empty() ? 0 : *std::ranges::max_element(depths);
}

TEST_CASE("vulkan barriers: branches of a network wait for nothing but their own operands") {
  // Blocks of three branches of one, two and three convolutions, and a shortcut.
  std::string text = "graph \"branches\" {\n  %x0 = input float32[1, 8, 12, 12]\n";
  const auto convolution = [&](const std::string& result, const std::string& x, int inputs, int outputs, int size) {
    const std::string shape = std::to_string(outputs) + ", " + std::to_string(inputs) + ", " + std::to_string(size) +
                              ", " + std::to_string(size);
    text += "  %w_" + result + " = input float32[" + shape + "]\n  %" + result + " = conv2d(%" + x + ", %w_" + result +
            ") {padding=[" + (size == 3 ? "1, 1, 1, 1" : "0, 0, 0, 0") + "]}\n";
  };
  constexpr int blocks = 5;
  for (int block = 0; block < blocks; ++block) {
    const std::string n = std::to_string(block), x = "x" + n;
    convolution("a" + n, x, 8, 2, 1);
    convolution("b" + n, x, 8, 3, 1);
    convolution("bb" + n, "b" + n, 3, 3, 3);
    convolution("c" + n, x, 8, 3, 1);
    convolution("cc" + n, "c" + n, 3, 4, 3);
    convolution("ccc" + n, "cc" + n, 4, 3, 3);
    text += "  %all" + n + " = concat(%a" + n + ", %bb" + n + ", %ccc" + n + ") {axis=1}\n";
    convolution("s" + n, x, 8, 8, 1);
    text += "  %sum" + n + " = add(%all" + n + ", %s" + n + ")\n";
    text += "  %x" + std::to_string(block + 1) + " = relu(%sum" + n + ")\n";
  }
  text += "  output \"y\" = %x" + std::to_string(blocks) + "\n}\n";
  Diagnostics diagnostics;
  std::optional<Graph> graph = parse(text, {}, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all()) FAIL_CHECK(diagnostic.message);
  REQUIRE(graph);
  const Program program = compiled_for_gpu(std::move(*graph));
  CHECK(barriers_by_results(program) < program.steps.size() - 1);
  CHECK(barriers_by_memory(program) == barriers_by_results(program));
}

TEST_CASE("vulkan barriers: steps of random graphs seldom wait for memory") {
  std::uint32_t needed = 0, placed = 0, steps = 0;
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    const Program program = compiled_for_gpu(random_network(seed).graph);
    needed += std::uint32_t(barriers_by_results(program));
    placed += barriers_by_memory(program);
    CHECK(barriers_by_memory(program) >= barriers_by_results(program));
    steps += std::uint32_t(program.steps.size());
  }
  MESSAGE(steps, " steps, ", needed, " barriers are needed, ", placed, " placed");
  CHECK(placed <= needed + needed / 100);
}

}  // namespace
}  // namespace webnn::tests::barriers_test
