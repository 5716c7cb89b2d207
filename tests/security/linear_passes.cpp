// Graphs that are compiled in linear time: each of these took from twenty seconds to minutes. Bounds are loose: what they
// ask for takes about a second.
#include <cstdlib>
#include <doctest/doctest.h>
#include <functional>

#include "api/oracle/evaluate.hpp"
#include "api/runner/session.hpp"
#include "compiler/ir/addition.hpp"
#include "compiler/ir/free_name.hpp"
#include "compiler/passes/passes.hpp"
#include "compiler/passes/pipeline.hpp"
#include "compiler/rewrites/rewrite.hpp"
#include "schema/elements/elements.hpp"
#include "tests/harness/compiler_options.hpp"
#include "tests/harness/graph_text.hpp"
#include "tests/harness/machine/gpu.hpp"
#include "tests/harness/skip.hpp"
#include "tests/security/processor_time.hpp"

namespace webnn::tests::linear_passes_test {
namespace {

using namespace webnn::compiler;
using compiler::Graph;  // not that of the interface

ValueId add(Graph& graph, OperatorId op, std::vector<ValueId> inputs, Attributes attributes = {}) {
  return graph.node(graph.add_node(op, std::move(inputs), std::move(attributes), {})).outputs[0];
}

ValueId filled(Graph& graph, const Shape& shape, float value) {
  std::vector<std::byte> bytes(element_count(shape) * sizeof value);
  for (std::size_t at = 0; at < bytes.size(); at += sizeof value)
    store(Number(double(value)), DataType::float32, bytes.data() + at);
  return graph.add_constant("c", {DataType::float32, shape}, Bytes(std::move(bytes)));
}

/// Runs a pass, and checks that it ends.
void run_fast(Graph& graph, std::string_view pass) {
  Options options = options_of_tests();
  options.evaluate = api::reference_evaluate();
  Diagnostics diagnostics;
  Unit unit{std::move(graph), {}, options, diagnostics, {}};
  CHECK(processor_seconds_of([&] { run_pass(find_pass(pass), unit); }) < most_processor_seconds);
  CHECK(!diagnostics.has_errors());
  graph = std::move(unit.graph);
}

}  // namespace

TEST_CASE("security: a value of very many users whose operands are replaced one by one") {
  Graph graph;
  const ValueId x = graph.add_input("x", {DataType::float32, {1}});
  std::vector<ValueId> parts;
  for (int i = 0; i < 8192; ++i) parts.push_back(add(graph, "identity"_op, {x}));
  Attributes axis(1);
  axis[0] = std::int64_t{0};
  const ValueId hub = add(graph, "concat"_op, parts, axis);
  for (int i = 0; i < 150'000; ++i) add(graph, "relu"_op, {hub});
  graph.add_output("y", hub);
  run_fast(graph, "simplify");
  CHECK(graph.node(graph.value(hub).producer).inputs == std::vector<ValueId>(8192, x));
}

TEST_CASE("security: a large constant of ones for very many operators") {
  Graph graph;
  const ValueId one = filled(graph, {1u << 24}, 1), x = graph.add_input("x", {DataType::float32, {}});
  for (int i = 0; i < 600; ++i) add(graph, "mul"_op, {x, one});
  graph.add_output("y", add(graph, "mul"_op, {x, one}));
  run_fast(graph, "simplify");
}

TEST_CASE("security: large weights that very many products share") {
  Graph graph;
  const ValueId weights = filled(graph, {4096, 4096}, 1e20f), x = graph.add_input("x", {DataType::float32, {1, 4096}});
  const ValueId factor = filled(graph, {}, 1e30f);  // too large for the weights
  for (int i = 0; i < 2000; ++i) {
    const ValueId product = add(graph, "matmul"_op, {x, weights});
    graph.add_output("y" + std::to_string(i), add(graph, "mul"_op, {product, factor}));
  }
  run_fast(graph, "fold_into");
}

TEST_CASE("security: a long chain of factors behind a product") {
  Graph graph;
  ValueId last =
      add(graph, "matmul"_op, {graph.add_input("x", {DataType::float32, {1, 1}}), filled(graph, {1, 1}, 1.5f)});
  const ValueId factor = filled(graph, {}, 1);
  for (int i = 0; i < 20'000; ++i) last = add(graph, "mul"_op, {last, factor});
  graph.add_output("y", last);
  run_fast(graph, "fold_into");
  CHECK(graph.order().size() < 20'000);  // the first of them are in the weights
}

TEST_CASE("security: names and labels that passes make of a long one") {
  Graph graph;
  const std::string name(1 << 20, 'w');
  std::vector<std::byte> one(sizeof(float));
  const ValueId filter = graph.add_constant(name, {DataType::float32, {1, 1, 1, 1}}, Bytes(one));
  const ValueId x = graph.add_input("x", {DataType::float32, {1, 1, 1, 1}});
  Attributes attributes(row("conv2d"_op).attributes.size());
  attributes[std::size_t(row("conv2d"_op).attribute_index("filterLayout"))] = std::string("ohwi");
  for (int i = 0; i < 500; ++i)
    graph.add_output("y" + std::to_string(i), add(graph, "conv2d"_op, {x, filter}, attributes));
  run_fast(graph, "canonicalize");
  std::size_t letters = 0;
  for (std::uint32_t i = 0; i < graph.value_count(); ++i) letters += graph.value({i}).name.size();
  CHECK(letters < name.size() + graph.value_count() * 300);
  CHECK(graph.value(filter).name == name);

  Addition addition(graph);
  CHECK(graph.node(addition.node("identity"_op, {x}, {}, name)).label.size() <= 256);
  std::string accents = "w";
  for (int i = 0; i < 200; ++i) accents += "\u00e9";
  CHECK(derived_name(accents, "_oihw") == accents.substr(0, 255) + "_oihw");
  CHECK(derived_name(accents.substr(0, 255), "_oihw") == accents.substr(0, 255) + "_oihw");
}

TEST_CASE("security: numbers that are nearly the same as doubles") {
  Graph graph;
  const ValueId x = graph.add_input("x", {DataType::int64, {1}});
  Attributes attributes(row("clamp"_op).attributes.size());
  for (std::int64_t i = 0; i < 200; ++i)
    for (std::int64_t j = 0; j < 200; ++j) {
      attributes[0] = Number((std::int64_t{1} << 61) + i);
      attributes[1] = Number((std::int64_t{1} << 62) + j);
      add(graph, "clamp"_op, {x}, attributes);
    }
  graph.add_output("y", add(graph, "neg"_op, {x}));
  run_fast(graph, "merge_duplicates");
  CHECK(graph.order().size() == 200 * 200 + 1);
}

TEST_CASE("security: very many outputs of one value") {
  Graph graph;
  const ValueId y = add(graph, "neg"_op, {graph.add_input("x", {DataType::float32, {1}})});
  constexpr std::size_t outputs = 400'000;
  for (std::size_t i = 0; i < outputs; ++i) graph.add_output("y" + std::to_string(i), y);
  run_fast(graph, "split_outputs");
  CHECK(graph.is_output(y));
  CHECK(graph.use_count(y) == outputs);
  CHECK(graph.order().size() == outputs);
}

TEST_CASE("security: a software GPU compiles a chain of sines in the time of eight other functions") {
  const auto gpu = open_test_gpu();
  if (!gpu) return skip("no Vulkan device of this machine can be used");
  setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
  std::string lines = "%y0 = input float32[4]\n";
  for (int i = 1; i <= 8; ++i) lines += "%y" + std::to_string(i) + " = sin(%y" + std::to_string(i - 1) + ")\n";
  Diagnostics diagnostics;
  CHECK(processor_seconds_of([&] {
          api::Session session(ContextOptions{.device = "gpu"});
          CHECK(session.compile(graph_of(lines + "output \"y\" = %y8\n"), {}, diagnostics));
        }) < most_processor_seconds);
  unsetenv("MESA_SHADER_CACHE_DISABLE");
}

TEST_CASE("security: the same bytes in very many shapes") {
  Graph graph;
  const Bytes bytes(std::vector<std::byte>(4096));
  const std::function<void(Shape, unsigned)> add_shapes = [&](Shape shape, unsigned bits) {
    if (shape.rank() == 7) {
      shape.push_back(1u << bits);
      add(graph, "identity"_op, {graph.add_constant("c", {DataType::uint8, shape}, bytes)});
      return;
    }
    for (unsigned own = 0; own <= bits; ++own) {
      Shape longer = shape;
      longer.push_back(1u << own);
      add_shapes(longer, bits - own);
    }
  };
  add_shapes({}, 12);  // (12 + 7) over 7 of them
  const std::size_t shapes = graph.value_count() / 2;
  CHECK(shapes == 50'388);
  graph.add_output("y", add(graph, "identity"_op, {ValueId{0}}));
  run_fast(graph, "merge_duplicates");
}

}  // namespace webnn::tests::linear_passes_test
