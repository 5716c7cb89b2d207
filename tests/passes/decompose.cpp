// Decomposed operators against the conformance vectors, inside the tolerances that the vectors give the whole ones.
#include <algorithm>
#include <doctest/doctest.h>
#include <filesystem>
#include <map>
#include <set>

#include "api/runner/session.hpp"
#include "compiler/ir/pattern.hpp"
#include "compiler/passes/pipeline.hpp"
#include "compiler/rewrites/rewrite.hpp"
#include "compiler/vectors/vector_reader.hpp"
#include "tests/harness/available_kernels.hpp"
#include "tests/harness/compiler_options.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/random/random_graph.hpp"

namespace webnn::tests::decompose_test {
namespace {

namespace fs = std::filesystem;
using namespace webnn::schema;

/// The operators that rules take apart.
std::vector<std::string> composite_operators() {
  std::set<std::string> names;
  for (const compiler::Rewrite& rule : compiler::decompose_rewrites())
    names.emplace(rule.pattern.substr(0, rule.pattern.find('(')));
  return {names.begin(), names.end()};
}

/// Empty when the vector passes, else what is wrong.
std::string failure_of(const compiler::ConformanceVector& vector, const std::vector<std::string>& missing) {
  api::Session session({"cpu:reference", "native", 1});
  Diagnostics diagnostics;
  compiler::Options options = options_of_tests();
  options.available = all_but(missing);
  if (!session.compile(vector.graph, options, diagnostics)) return diagnostics.all().front().message;
  std::vector<std::span<const std::byte>> inputs;
  for (const Binding& binding : session.inputs())
    inputs.push_back(std::ranges::find(vector.inputs, binding.name, &compiler::NamedTensor::name)->tensor.data.view());
  const auto outputs = session.run(inputs);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const Binding& binding = session.outputs()[i];
    const Comparison comparison =
        compare_tensors(binding.descriptor, outputs[i], vector.expected[i].tensor.data.view(), vector.tolerance);
    if (!comparison.passed())
      return binding.name + ": " + std::to_string(comparison.mismatches) + " of " + std::to_string(comparison.count) +
             " elements differ by up to " + std::to_string(comparison.max_ulp) + " ULP";
  }
  return {};
}

/// Runs the vectors that use a missing operator or data type.
void check_vectors(const fs::path& folder, const std::vector<std::string>& missing) {
  std::map<std::string, int> counts;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    const std::string file = entry.path().filename().string();
    for (const auto& vector : compiler::read_conformance_vectors(read_file(entry.path()), file)) {
      std::set<std::string> used;
      for (std::uint32_t i = 0; i < vector.graph.node_count(); ++i) used.emplace(row(vector.graph.node({i}).op).name);
      for (std::uint32_t i = 0; i < vector.graph.value_count(); ++i)
        used.emplace(name_of(vector.graph.value({i}).descriptor.type));
      std::vector<std::string> met;
      std::ranges::set_intersection(used, std::set<std::string>(missing.begin(), missing.end()),
                                    std::back_inserter(met));
      if (met.empty()) continue;
      for (const std::string& name : met) ++counts[name];
      const std::string failure = failure_of(vector, missing);
      CHECK_MESSAGE(failure.empty(), file, ": ", vector.name, ": ", failure);
    }
  }
  for (const std::string& name : missing) CHECK_MESSAGE(counts[name] > 0, "no vector of ", name);
}

TEST_CASE("decompose: composite operators stay inside the tolerances of the Web Platform Tests") {
  WEBNN_REQUIRE_CORPUS(corpus);
  check_vectors(corpus / "wpt" / "conformance", composite_operators());
}

TEST_CASE("decompose: composite operators stay inside the tolerances of tests/operators") {
  check_vectors(source_dir() / "tests" / "operators", composite_operators());
}

TEST_CASE("decompose: float16 stays inside the tolerances where kernels take float32 only") {
  check_vectors(source_dir() / "tests" / "operators", {"float16"});
}

TEST_CASE("decompose: random graphs stay sound, and keep no node that could have been taken apart") {
  std::vector<std::string> missing = composite_operators();
  missing.emplace_back("float16");
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    Diagnostics diagnostics;
    compiler::Options options = options_of_tests();
    options.available = all_but(missing);
    compiler::Unit unit{random_graph(seed, {.nodes = 25}), {}, options, diagnostics, {}};
    REQUIRE(compiler::run_pass(compiler::find_pass("canonicalize"), unit));
    const auto outputs = unit.graph.outputs();
    const std::vector<compiler::GraphOutput> before(outputs.begin(), outputs.end());
    REQUIRE(compiler::run_pass(compiler::find_pass("decompose"), unit));  // verifies the graph
    for (const compiler::NodeId id : unit.graph.order()) {
      const KernelSpec spec = unit.graph.spec(id);
      CHECK_MESSAGE(options.available(KernelRow{}, spec), row(spec.op).name);
    }
    for (std::size_t i = 0; i < before.size(); ++i) CHECK(unit.graph.outputs()[i].name == before[i].name);
  }
}

}  // namespace
}  // namespace webnn::tests::decompose_test
